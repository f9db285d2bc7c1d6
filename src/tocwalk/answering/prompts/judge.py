"""The prompt of `judge`: is what was found enough, and what should be looked for next?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypedDict

from tocwalk.answering.evidence import Passage
from tocwalk.answering.prompts.passages import PASSAGES_VERSION, READING, render_passages
from tocwalk.answering.references import Reference
from tocwalk.models.asking import Prompt
from tocwalk.models.replies import as_list, as_text, object_reader, object_schema
from tocwalk.tree import one_line

__all__ = ["JUDGE_VERSION", "Verdict", "judge_prompt"]

JUDGE_VERSION = "judge-1"

_TASK = """\
Task: say whether the passages are enough to answer the question completely, and if not, what to look for next.
- "enough": true if every part of the question can be answered from the passages, or if nothing is to be gained by \
looking further. Then "follow" and "ask" are empty.
- "follow": refs of those cross-references, listed below, whose sections are needed for the answer: a definition, an \
exception, a note or table that the passages send the reader to.
- "ask": questions to look for, only if something is missing that the documents may hold elsewhere. Put them in other \
words than before: those of such a document, not those of the person who asks.
- "advice": one or two sentences to whoever writes the answer: which passages contradict each other and how, which \
version or part applies, what is missing. Empty if there is nothing to say.
Form: {"enough": true | false, "follow": ["<ref>"], "ask": ["<question>"], "advice": "<text>"}"""

_QUESTION = 2000
_ADVICE = 1000


class Verdict(TypedDict):
    """What the model found."""

    enough: bool
    follow: list[int]
    """Positions in the list of references."""
    ask: list[str]
    advice: str


def judge_prompt(
    question: str,
    passages: Sequence[Passage],
    references: Sequence[tuple[str, Reference]],
    *,
    asked: Sequence[str],
    visits: int,
) -> Prompt[Verdict]:
    """Return the prompt.

    Args:
        question: The whole question.
        passages: What was found.
        references: What the passages refer to and was not read yet, with the ref of the passage that does.
        asked: Questions that were looked for already.
        visits: What is left for asking again.
    """
    listed = [_line(number, ref, reference) for number, (ref, reference) in enumerate(references, 1)]
    parts = [
        render_passages(passages),
        _TASK,
        "\n".join(["Cross-references:", *(listed or ["(none)"])]),
        "\n".join(["Looked for already:", *(f"- {one_line(one, _QUESTION)}" for one in asked)]),
        f"Visits left for asking again: {visits}" + ("" if visits else ' ("ask" stays empty)'),
        f"Question: {question}",
    ]
    text = {"type": "string"}
    return Prompt(
        name="judge",
        version=f"{JUDGE_VERSION} {PASSAGES_VERSION}",
        instructions=READING,
        shown="\n\n".join(parts),
        schema=object_schema(
            enough={"type": "boolean"},
            follow={"type": "array", "items": text},
            ask={"type": "array", "items": text},
            advice=text,
        ),
        read=object_reader("enough", partial(_verdict, references=len(references), may_ask=visits > 0)),
    )


def _verdict(said: Mapping[str, Any], *, references: int, may_ask: bool) -> Verdict:
    names = {f"R{number}": number - 1 for number in range(1, references + 1)}
    refs = [as_text(ref, 20).strip("[] ").upper() for ref in as_list(said.get("follow"))]
    asks = [as_text(one, _QUESTION) for one in as_list(said.get("ask"))]
    return Verdict(
        enough=said["enough"] is True or str(said["enough"]).casefold() == "true",
        follow=[names[ref] for ref in dict.fromkeys(refs) if ref in names],
        ask=[one for one in asks if one] if may_ask else [],
        advice=one_line(as_text(said.get("advice"), 4 * _ADVICE), _ADVICE),
    )


def _line(number: int, ref: str, reference: Reference) -> str:
    target = reference.target
    name = one_line(f"{target.number or ''} {target.title}", 200)
    return f'[R{number}] {ref} says "{one_line(reference.mention, 240)}": section {name}'
