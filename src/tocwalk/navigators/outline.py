"""How an offer reads: the text that a model is shown, and by whose size offers are made.

One line per candidate, indented by its ref, with what tells it apart in brackets behind it; its summary, where it
has one, on a line of its own:

    [0] Lease agreement (own text, p. 1-40)
    [1] 1 Rent (p. 1-4, 2100 tokens, +)
      [1.1] 1.1 Amount (p. 1-2, 900 tokens)
        | The rent is payable monthly in advance.
    [2] Schedules (folder)

"+" says that there is more below. Every line begins with a ref or with "|", and titles and summaries stay on one
line: nothing that a document says can pass for a line of ours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from tocwalk.navigators.protocol import OWN_BODY, Candidate
from tocwalk.tree import one_line, tokens_of_bytes

__all__ = ["outline_hash", "outline_tokens", "render_candidate", "render_outline", "summary_overhead"]

_NAME = 300
"""Characters of number and title shown at most."""
_SUMMARY = 1000
"""Characters of a summary shown at most."""


def render_candidate(candidate: Candidate) -> str:
    """Return the line of one candidate, and the line of its summary if it has one."""
    indent = "  " * candidate.ref.count(".")
    marks = ", ".join(_marks(candidate))
    line = f"{indent}[{candidate.ref}] {_name(candidate)}{f' ({marks})' if marks else ''}"
    summary = one_line(candidate.summary, _SUMMARY)
    return f"{line}\n{indent}  | {summary}" if summary else line


def summary_overhead(ref: str) -> int:
    """Return the bytes that the summary of the candidate `ref` takes in an outline besides its own."""
    return len("\n  | ") + 2 * ref.count(".")


def render_outline(candidates: Iterable[Candidate]) -> str:
    """Return the outline of an offer: its candidates' lines, in the order given."""
    return "\n".join(map(render_candidate, candidates))


def outline_hash(outline: str) -> str:
    """Return what tells an outline from others in a trace: 16 hexadecimal digits."""
    return hashlib.sha256(outline.encode()).hexdigest()[:16]


def outline_tokens(text: str) -> int:
    """Return the size of an outline, or of a part of it, in tokens."""
    return tokens_of_bytes(len(text.encode(errors="replace")))


def _name(candidate: Candidate) -> str:
    if not candidate.number:
        return one_line(candidate.title, _NAME) or "(untitled)"
    behind = ":" if candidate.kind == "group" else ""
    return one_line(f"{candidate.number}{behind} {candidate.title}", _NAME)


def _marks(candidate: Candidate) -> list[str]:
    """Return what is said about a candidate in brackets."""
    if not candidate.takeable:
        return [candidate.kind]
    own = candidate.ref == OWN_BODY
    marks = ["own text"] if own else ["document"] if candidate.kind == "document" else []
    if candidate.page_start is not None:
        one_page = candidate.page_end in (None, candidate.page_start)
        marks.append(f"p. {candidate.page_start}" if one_page else f"p. {candidate.page_start}-{candidate.page_end}")
    if candidate.tokens:
        marks.append(f"{candidate.tokens} tokens")
    if candidate.has_children and not own:
        marks.append("+")
    return marks
