"""A chat model that follows a script, and the small library that it is asked about."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field

__all__ = ["LEASE", "ScriptedChat", "draft", "enough", "plan_for", "said", "section", "step_of", "verdict"]

Say = str | dict[str, Any] | Callable[[str], str | dict[str, Any]]
"""What is said: text, JSON, or a function of what was shown."""

_STEPS = {
    "You prepare the search": "plan",
    "Task: say whether": "judge",
    "Task: answer the question": "write",
    "Task: the statements below": "rewrite",
}


class ScriptedChat(BaseChatModel):
    """Says, at each step, the next thing of its script for that step; the last one again and again."""

    script: dict[str, Any]
    shown: list[tuple[str, str]] = Field(default_factory=list)
    """Step and prompt of every call, in order."""
    fails: dict[str, Exception] = Field(default_factory=dict)
    """By step: raised once."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def steps(self) -> list[str]:
        """The steps that were asked, in order."""
        return [step for step, _ in self.shown]

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self._next(messages)))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        text = self._next(messages)
        for start in range(0, len(text), 20):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=text[start : start + 20]))
            if run_manager:
                run_manager.on_llm_new_token(str(chunk.message.content), chunk=chunk)
            yield chunk

    def _next(self, messages: list[BaseMessage]) -> str:
        prompt = "\n\n".join(str(message.text) for message in messages)
        step = step_of(prompt)
        self.shown.append((step, prompt))
        if step in self.fails:
            raise self.fails.pop(step)
        return said(self.script[step], self.steps.count(step) - 1, prompt)


def said(script: Say | list[Say], turn: int, prompt: str) -> str:
    """Return what a script says in its turn."""
    turns = script if isinstance(script, list) else [script]
    one = turns[min(turn, len(turns) - 1)]
    value = one(prompt) if callable(one) else one
    return value if isinstance(value, str) else json.dumps(value)


def step_of(prompt: str) -> str:
    """Return the step that a prompt belongs to."""
    return next(step for beginning, step in _STEPS.items() if beginning in prompt)


def plan_for(*questions: str, whole: str | None = None, **documents: list[str]) -> dict[str, Any]:
    """Return a plan of these questions."""
    asks = [{"question": one, "documents": documents.get(f"q{i}", [])} for i, one in enumerate(questions, 1)]
    return {"question": whole or questions[0], "questions": asks}


def verdict(*ask: str, follow: list[str] | None = None, advice: str = "") -> dict[str, Any]:
    """Return a verdict that something is missing."""
    return {"enough": False, "follow": follow or [], "ask": list(ask), "advice": advice}


enough: Mapping[str, Any] = {"enough": True, "follow": [], "ask": [], "advice": ""}


def draft(*statements: tuple[str, str, str], missing: str = "") -> dict[str, Any]:
    """Return an answer: statements as (text, ref, quote)."""
    listed = [{"text": text, "quotes": [{"ref": ref, "quote": quote}]} for text, ref, quote in statements]
    return {"answered": bool(listed), "statements": listed, "missing": missing}


def section(id_: str, title: str, text: str, **metadata: Any) -> Document:
    """Return a section, below what its id says."""
    parent = {"parent_id": id_.rpartition("/")[0]} if "/" in id_ else {}
    return Document(text, metadata={"id": id_, "title": title, "source": "tests", **parent, **metadata})


RENT = """2 Rent
Rent is due monthly, on the first work-
ing day of each month. Late rent bears interest (see Note 12) at the agreed rate.

| Floor | Rent |
|---|---|
| Ground | 1,200 |
| First | 950 |
"""

LEASE = [
    section("lease", "Lease", "Lease\nThis lease is made between the parties named below.\n", page_start=1, page_end=9),
    section(
        "lease/1", "Parties", "1 Parties\nThe landlord is Merrow Estates Ltd of Saltby.\n", number="1", page_start=1
    ),
    section("lease/2", "Rent", RENT, number="2", page_start=3, page_end=4),
    section("lease/3", "Repairs", "3 Repairs\n", number="3", page_start=5, page_end=7),
    section(
        "lease/3/1",
        "Structure",
        "3.1 Structure\nThe landlord repairs roof and outer walls at its own cost.\n",
        number="3.1",
        page_start=5,
        page_end=6,
    ),
    section(
        "lease/3/2",
        "Inside",
        "3.2 Inside\nThe tenant repairs “floors” and inner walls at the tenant’s own cost.\n",
        number="3.2",
        page_start=6,
        page_end=7,
    ),
    section(
        "lease/12",
        "Interest",
        "Note 12 Interest\nInterest on late rent runs at eight per cent a year.\n",
        number="Note 12",
        page_start=9,
    ),
]
"""A lease of seven sections, as LangChain documents."""
