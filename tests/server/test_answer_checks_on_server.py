"""Over a real server: what a check does to an answer, and an answer stepped through, forked and edited."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from answer_models import ANSWER_MODELS, FORGED, SICK, hangs_at
from langgraph_sdk.client import LangGraphClient

from stub_openai import BEHAVIOURS, StubOpenAI
from tocwalk.nodes import cancel_run

POLICY = f"# Policy\n\n## Purpose\n\nWhy we have rules.\n\n## Sick leave\n\n{SICK}, and no more than that.\n"
QUESTION: dict[str, Any] = {"question": "How much sick leave is there?", "corpus": "checked"}


@pytest.fixture(autouse=True)
async def _policy(client: LangGraphClient, models: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve the models of these tests, and a corpus of one policy."""
    models.forget()
    for name, behaviour in ANSWER_MODELS.items():
        monkeypatch.setitem(BEHAVIOURS, name, behaviour)
    sent: dict[str, Any] = {"texts": [{"name": "policy.md", "text": POLICY}], "corpus": "checked"}
    await client.runs.wait(None, "index", input=sent)


async def streamed(client: LangGraphClient, model: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Return the tokens of a run, its events and its output."""
    tokens, events, values = "", list[Any](), dict[str, Any]()
    stream = client.runs.stream(
        None,
        "answer",
        input=QUESTION,
        context={"answer_model": f"openai:{model}"},
        stream_mode=["custom", "messages-tuple", "values"],
        stream_subgraphs=True,
    )
    async for part in stream:
        if part.event.startswith("messages"):
            tokens += str(part.data[0]["content"])
        elif part.event.startswith("custom"):
            events.append(part.data)
        elif part.event == "values":
            values = part.data
    return tokens, events, values


async def test_what_is_not_proved_is_written_again(client: LangGraphClient, models: StubOpenAI) -> None:
    """One statement is written anew, once, and both stand in the answer with what proves them."""
    tokens, events, output = await streamed(client, "mends")
    assert FORGED in tokens
    assert output["answer"] == "Fifteen days. [1] Each of them paid. [1]"
    assert output["dropped"] == []
    assert [event["event"] for event in events][-3:] == ["write", "rewrite", "check"]
    assert events[-1]["answer"] == output["answer"]
    assert models.calls("mends") == 4


async def test_what_is_still_not_proved_is_dropped_and_reported(client: LangGraphClient, models: StubOpenAI) -> None:
    """After one second try the statement is left out, and the output and the last event say so."""
    _, events, output = await streamed(client, "insists")
    assert output["answer"] == "Fifteen days. [1]"
    assert [(one["text"], one["quotes"][0]["quote"]) for one in output["dropped"]] == [("Fifty, truly.", FORGED)]
    assert (events[-1]["kept"], events[-1]["dropped"]) == (1, 1)
    assert models.calls("insists") == 4


async def test_no_answer_comes_with_what_was_looked_at(client: LangGraphClient) -> None:
    """That the documents do not answer is a normal result of a run: with sections, what is missing, and a trace."""
    tokens, events, output = await streamed(client, "abstains")
    assert '"answered": false' in tokens
    assert output["answer"].startswith("The documents do not answer this. Looked at: ")
    assert "Policy > Sick leave" in output["answer"]
    assert output["missing"] == "The policy does not say it."
    assert output["answered"] is False
    assert {"offer", "decision", "walk", "judge", "write", "check"} <= {event["event"] for event in events}
    assert output["sections"]


@pytest.fixture
async def thread(client: LangGraphClient) -> str:
    """Return a new thread."""
    return (await client.threads.create())["thread_id"]


async def stepped(client: LangGraphClient, thread: str, given: Any, **options: Any) -> list[str]:
    """Run to the end with a stop before every node, and return before which it stopped."""
    context = {"answer_model": "openai:insists"}
    passed: list[str] = []
    while given is not None or (await client.threads.get_state(thread))["next"]:
        await client.runs.wait(thread, "answer", input=given, context=context, interrupt_before="*", **options)
        given, options = None, {}
        passed += (await client.threads.get_state(thread))["next"]
    return passed


STEPS = ["plan", "judge", "write", "rewrite"]
ENDS = {"plan": "The question was cancelled. No section on it was found.", "rewrite": "Fifteen days. [1]"}


@pytest.mark.parametrize("step", STEPS)
async def test_the_flag_in_the_store_ends_an_answer(
    client: LangGraphClient, thread: str, models: StubOpenAI, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """`cancel_run` while the model answers at any step: the call is dropped, and the run ends as a result."""
    monkeypatch.setitem(BEHAVIOURS, "hangs", hangs_at(step))
    run = await client.runs.create(thread, "answer", input=QUESTION, context={"answer_model": "openai:hangs"})
    assert await asyncio.to_thread(models.arrived.wait, 60)
    await cancel_run(client, run["run_id"])
    assert await asyncio.to_thread(models.abandoned.wait, 60)
    output: Any = await client.runs.join(thread, run["run_id"])
    assert (await client.threads.get(thread))["status"] == "idle"
    assert models.calls("hangs") == output["usage"]["model_calls"] == STEPS.index(step) + 1
    assert output["answer"] == ENDS.get(step, "The question was cancelled. Found so far: Policy > Policy > Sick leave.")


async def values_of(client: LangGraphClient, thread: str) -> dict[str, Any]:
    """Return the state of a thread."""
    state: Any = await client.threads.get_state(thread)
    return dict(state["values"])


async def history_of(client: LangGraphClient, thread: str) -> list[Any]:
    """Return all states of a thread, the last first."""
    return list(await client.threads.get_history(thread, limit=50))


async def test_a_run_stops_before_every_node(client: LangGraphClient, thread: str, models: StubOpenAI) -> None:
    """Each step can be looked at before it is taken, and the stepped answer is that of a run without stops."""
    passed = await stepped(client, thread, QUESTION)
    assert passed == ["plan", "retrieve", "judge", "write", "check_citations", "write", "check_citations"]
    assert models.calls("insists") == 4
    values = await values_of(client, thread)
    whole: Any = await client.runs.wait(None, "answer", input=QUESTION, context={"answer_model": "openai:insists"})
    assert {key: values[key] for key in whole if key != "messages"} == {
        key: whole[key] for key in whole if key != "messages"
    }


async def test_the_past_is_edited_and_goes_on_from_there(client: LangGraphClient, thread: str) -> None:
    """What was written is replaced at an earlier step: the check judges the new words, no model writes again."""
    await stepped(client, thread, QUESTION)
    before = next(
        past
        for past in await history_of(client, thread)
        if past["next"] == ["check_citations"] and not past["values"]["rewritten"]
    )
    ref = before["values"]["statements"][0]["quotes"][0]["ref"]
    edited = {"statements": [{"text": "So it says.", "quotes": [{"ref": ref, "quote": SICK}]}]}
    fork: Any = await client.threads.update_state(thread, edited, as_node="write", checkpoint=before["checkpoint"])
    output: Any = await client.runs.wait(thread, "answer", input=None, checkpoint=fork["checkpoint"])
    assert output["answer"] == "So it says. [1]"
    answers = {past["values"].get("answer") for past in await history_of(client, thread)}
    assert {"Fifteen days. [1]", "So it says. [1]"} <= answers


async def test_an_earlier_step_is_taken_again(client: LangGraphClient, thread: str, models: StubOpenAI) -> None:
    """Begun again before the judge, what was found is kept: no walk is repeated and no visit counted twice."""
    await stepped(client, thread, QUESTION)
    first = await values_of(client, thread)
    before = next(past for past in await history_of(client, thread) if past["next"] == ["judge"])
    models.forget()
    output: Any = await client.runs.wait(thread, "answer", input=None, checkpoint=before["checkpoint"])
    assert output["answer"] == first["answer"]
    assert output["usage"]["visits"] == first["usage"]["visits"]
    assert models.calls("insists") == 3


async def test_the_choices_of_a_walk_inside_are_edited(client: LangGraphClient, thread: str) -> None:
    """With `step` the walk inside an answer stops for a person, who rejects what was picked: nothing is found."""
    context: dict[str, Any] = {"answer_model": "openai:insists", "step": True, "max_rounds": 1}
    stopped: Any = await client.runs.wait(thread, "answer", input=QUESTION, context=context)
    (asked,) = stopped["__interrupt__"]
    reject = {id_: {"action": "reject"} for id_ in asked["value"]["decisions"]}
    output: Any = await client.runs.wait(thread, "answer", command={"resume": reject})
    assert output["answer"] == "The documents do not answer this. No section on it was found."
