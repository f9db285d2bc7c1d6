"""The prompts of `write`: the answer, statement by statement with its quotes, and a second try for some of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from tocwalk.answering.evidence import Passage
from tocwalk.answering.prompts.passages import PASSAGES_VERSION, READING, render_passages
from tocwalk.answering.state import DroppedStatement, Quote, Statement
from tocwalk.models.asking import Prompt
from tocwalk.models.replies import UnreadableReplyError, as_list, as_object, as_text, object_reader, object_schema
from tocwalk.tree import one_line

__all__ = ["WRITE_VERSION", "Draft", "rewrite_prompt", "write_prompt"]

WRITE_VERSION = "write-2"

_QUOTING = """\
- Each statement carries at least one quote that proves all it says, with the ref of the passage it is from. Copy the \
quote out of the passage character by character: at least five words in a row, nothing left out, no "...", nothing \
changed. Of a table quote one whole row as it stands. A program looks each quote up in its passage, and a statement \
whose quote is not there is thrown away.
- A statement that needs two passages has a quote from each."""

_TASK = f"""\
Task: answer the question from the passages.
- "statements": the answer as one to eight statements in the order in which they are to be read, each one or two plain \
sentences, in the language of the question. The first answers the question directly. No refs, page numbers or \
quotation in "text": they are added.
{_QUOTING}
- If passages contradict each other, say so and state both.
- Remarks of a first reader may stand before the question. They may be wrong: what the passages say counts.
- If the passages do not answer the question, "answered" is false and "statements" is empty. That is a good answer \
too: never answer a question that was not asked. If they answer a part of it, answer that part.
- "missing": what of the question the passages leave open, in one sentence; empty if nothing.
Form: {{"answered": true | false, "statements": [{{"text": "<sentence>", "quotes": [{{"ref": "<ref>", \
"quote": "<words of the passage>"}}]}}], "missing": "<text>"}}"""

_AGAIN = f"""\
Task: the statements below were written as parts of an answer, but their quotes do not prove them. Write each anew, so \
that a quote proves it, or leave it out if no passage does.
{_QUOTING}
- "number" is that of the statement it replaces.
Form: {{"statements": [{{"number": 1, "text": "<sentence>", "quotes": [{{"ref": "<ref>", "quote": "<words of the \
passage>"}}]}}]}}"""

_MOST_STATEMENTS = 30
_MOST_QUOTES = 10
_MARKER = re.compile(r"\s*\[\s*S?\d+(?:\s*[,;\u2013-]\s*S?\d+)*\s*\]")
_TEXT, _QUOTE, _MISSING = 2000, 4000, 500


class Draft(TypedDict):
    """An answer before its quotes are checked."""

    statements: list[Statement]
    surplus: list[DroppedStatement]
    """Statements beyond the most that are looked at."""
    missing: str


def write_prompt(question: str, passages: Sequence[Passage], *, advice: str, wishes: str = "") -> Prompt[Draft]:
    """Return the prompt for the answer.

    Args:
        question: The whole question.
        passages: What was found.
        advice: What the judge remarks.
        wishes: The setting `writing_instructions`.
    """

    def read(said: Mapping[str, Any]) -> Draft:
        listed = [] if said.get("answered") is False else as_list(said["statements"])
        statements = [one for one in map(_statement, listed) if one["text"]]
        problem = f"an answer has at most {_MOST_STATEMENTS} statements"
        return Draft(
            statements=statements[:_MOST_STATEMENTS],
            surplus=[
                DroppedStatement(text=one["text"], quotes=one["quotes"], problem=problem)
                for one in statements[_MOST_STATEMENTS:]
            ],
            missing=one_line(as_text(said.get("missing"), 4 * _MISSING), _MISSING),
        )

    told = [f"Remarks of a first reader: {advice}" if advice else "", _wished(wishes)]
    parts = [render_passages(passages), _TASK, *told, f"Question: {question}"]
    return Prompt(
        name="write",
        version=f"{WRITE_VERSION} {PASSAGES_VERSION}",
        instructions=READING,
        shown="\n\n".join(part for part in parts if part),
        schema=object_schema(
            answered={"type": "boolean"},
            statements={"type": "array", "items": object_schema(text={"type": "string"}, quotes=_quotes(passages))},
            missing={"type": "string"},
        ),
        read=object_reader("statements", read),
        streamed=True,
    )


def rewrite_prompt(
    question: str, passages: Sequence[Passage], unproved: Mapping[int, Statement], *, wishes: str = ""
) -> Prompt[dict[int, Statement]]:
    """Return the prompt for another try at some statements.

    Args:
        question: The whole question.
        passages: What was found.
        unproved: The statements by their positions in the answer, each with its `problem`.
        wishes: The setting `writing_instructions`.
    """
    positions = dict(enumerate(unproved, 1))

    def read(said: Mapping[str, Any]) -> dict[int, Statement]:
        replaced: dict[int, Statement] = {}
        for one in as_list(said["statements"]):
            if (fields := as_object(one)) is None:
                raise UnreadableReplyError('each of "statements" must be an object')
            number = as_text(fields.get("number"), 10)
            if number.isdecimal() and int(number) in positions and _plain(fields.get("text")):
                replaced[positions[int(number)]] = _statement(fields)
        return replaced

    listed = [
        "\n".join([f"{number}. {unproved[position]['text']}", *_shown_quotes(unproved[position])])
        for number, position in positions.items()
    ]
    told = ["\n".join(["Statements:", *listed]), _wished(wishes)]
    parts = [render_passages(passages), _AGAIN, *told, f"Question: {question}"]
    item = object_schema(number={"type": "integer"}, text={"type": "string"}, quotes=_quotes(passages))
    return Prompt(
        name="rewrite",
        version=f"{WRITE_VERSION} {PASSAGES_VERSION}",
        instructions=READING,
        shown="\n\n".join(part for part in parts if part),
        schema=object_schema(statements={"type": "array", "items": item}),
        read=object_reader("statements", read),
    )


def _wished(wishes: str) -> str:
    return f"How it is to be written, where that keeps to all of the above: {wishes.strip()}" if wishes.strip() else ""


def _quotes(passages: Sequence[Passage]) -> dict[str, Any]:
    ref = {"type": "string", "enum": [passage.ref for passage in passages]}
    return {"type": "array", "items": object_schema(ref=ref, quote={"type": "string"})}


def _shown_quotes(statement: Statement) -> list[str]:
    quotes = [f"   {quote['ref']}: {one_line(quote['quote'], 400)}" for quote in statement["quotes"]]
    return [*quotes, f"   Problem: {statement.get('problem', '')}"]


def _statement(said: object) -> Statement:
    """Return a statement as the model put it; its quotes may stand beside its text too."""
    fields = as_object(said)
    if fields is None:
        return Statement(text=_plain(said), quotes=[])
    listed = as_list(fields.get("quotes")) or ([fields] if "quote" in fields else [])
    quotes = [_quote(one) for one in map(as_object, listed[:_MOST_QUOTES]) if one is not None]
    return Statement(text=_plain(fields.get("text")), quotes=quotes)


def _plain(said: object) -> str:
    """Return a statement's text without markers: those of the answer are set by who has checked the quotes."""
    return " ".join(_MARKER.sub("", one_line(as_text(said, _TEXT), _TEXT)).split())


def _quote(said: Mapping[str, Any]) -> Quote:
    return Quote(ref=as_text(said.get("ref"), 20).strip("[] ").upper(), quote=as_text(said.get("quote"), _QUOTE))
