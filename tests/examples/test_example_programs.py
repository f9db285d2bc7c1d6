"""The programs in examples/ run as they stand, and docs/embedding.md shows them as they are."""

from __future__ import annotations

import ast
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import stub_openai
from tocwalk import TreeIndex, read_document

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGE = (ROOT / "docs" / "embedding.md").read_text("utf-8")
PRINTS = {
    "agent_tool": ["It says so in Invoices."],
    "another_schema": ["Invoices", "visits left"],
    "approve_choices": ["default: pick", "Invoices"],
    "cited_answer": ["[1]", "| Invoices |"],
    "interrupt_and_resume": ["the corpus: pick", "Invoices"],
    "parallel_walks": [
        "When is an invoice due? | Invoices | ",
        "What interest does late payment bear? | Late Payment | ",
    ],
    "parent_checkpointer": ["calls: The provider is down.", ": Invoices"],
    "retriever_in_chain": ["It says so in Invoices."],
    "shared_keys": ["See Invoices"],
}
"""By example, what its output holds; `remote_graph` needs a server and is run where there is one."""


async def assistant(stub: stub_openai.StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Answer as a model would: plan, judge and write for an answer, call a tool once, else say where it stands."""
    shown = "\n\n".join(str(message["content"]) for message in body["messages"])
    calls: list[dict[str, Any]] = []
    if "You prepare the search" in shown:
        text = json.dumps(
            {"question": "When is an invoice due?", "questions": [{"question": "When is an invoice due?"}]}
        )
    elif "Task: say whether" in shown:
        text = json.dumps({"enough": True})
    elif "Task: answer the question" in shown:
        ref, quote = re.findall(r"=== (S\d+) \|[^\n]*Invoices[^\n]*\n(?:[^\n]*\n)*?((?:\S+ ){6}\S+)", shown)[0]
        statement = {"text": "By then.", "quotes": [{"ref": ref, "quote": quote}]}
        text = json.dumps({"answered": True, "statements": [statement]})
    elif body.get("tools") and body["messages"][-1]["role"] != "tool":
        arguments = json.dumps({"question": "When is an invoice due?"})
        function = {"name": body["tools"][0]["function"]["name"], "arguments": arguments}
        text, calls = "", [{"id": "1", "type": "function", "function": function}]
    else:
        text = f"It says so in {'Invoices' if 'Invoices' in shown else 'nothing'}."
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    answer = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "stub",
        "choices": [choice],
        "usage": usage,
    }
    return JSONResponse(answer)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Return an environment with an index of the example documents and a server in OpenAI's stead."""
    home = tmp_path_factory.mktemp("examples")
    documents = ROOT / "examples" / "documents"
    with TreeIndex(home / "index.db") as index:
        for path in sorted(documents.rglob("*.*")):
            index.put(read_document(path, document_id=path.relative_to(documents).as_posix()))
    with pytest.MonkeyPatch.context() as patch, stub_openai.stub_openai() as stub:
        patch.setitem(stub_openai.BEHAVIOURS, "gpt-5-mini", assistant)
        yield {"TOCWALK_HOME": str(home), "OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": stub_openai.KEY}


@pytest.mark.parametrize("name", PRINTS)
def test_example(
    name: str, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs without an error and prints what it promises."""
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert [part for part in PRINTS[name] if part not in printed] == [], printed


def test_every_example_is_run() -> None:
    """No example is left out: here, or where a server is."""
    assert {path.stem for path in EXAMPLES} == {*PRINTS, "remote_graph"}


def test_the_page_shows_the_examples_as_they_are() -> None:
    """Each code block of docs/embedding.md is an example's code, and each example is there, under its name."""
    shown = dict(re.findall(r"\(\.\./examples/(\w+)\.py\)[^`]*```python\n(.*?)```", PAGE, re.DOTALL))
    assert PAGE.count("```python") == len(shown)
    assert shown == {path.stem: _code(path) for path in EXAMPLES}


def _code(path: Path) -> str:
    """Return an example without the docstring that says what it is."""
    text = path.read_text("utf-8")
    docstring = ast.parse(text).body[0]
    return "".join(text.splitlines(keepends=True)[docstring.end_lineno or 0 :]).lstrip("\n")
