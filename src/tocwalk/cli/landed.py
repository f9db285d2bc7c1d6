"""What a walk found, for people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from tocwalk.cli.output import print_hanging, print_text
from tocwalk.cli.walking import Walked
from tocwalk.cli.wording import counted, in_full, name_of, pages_of, shown
from tocwalk.state import LandedSection, StopReason, UsageTotals

__all__ = ["cost_line", "print_walked"]

_WIDEST = 80
"""Columns at the end of which pages stand, and of the rule between sections; fewer in a narrower terminal."""

_WHY_LANDED: dict[StopReason, str] = {
    "MAX_DEPTH": "the deepest level looked at: --depth sets it",
    "BUDGET_EXHAUSTED": "cut short: the budget ended here",
    "UNKNOWN_NODE": "cut short: the navigator named nothing that was offered",
    "NAVIGATOR_ERROR": "cut short: the navigator gave no decision here",
}
"""Reasons that a reader should know; the others mean that the section was chosen."""

_TITLES_ONLY = "too long to come whole: its own text and the titles below it"

_WHY_ENDED: dict[StopReason, str] = {
    "BUDGET_EXHAUSTED": "The budget ended before the walk did: --visits, --max-tokens and --max-cost set it.",
    "CANCELLED": "Stopped before the end.",
    "INDEX_CHANGED": "The index changed under the walk; ask again.",
    "RECURSION_GUARD": "The graph had too few steps left.",
    "NAVIGATOR_REJECT": "The navigator found nothing that answers the question.",
    "NAVIGATOR_ERROR": "The navigator gave no decision.",
    "UNKNOWN_NODE": "The navigator named nothing that was offered.",
    "NOTHING_IN_SCOPE": "No document matches: look at --corpus, --document and --filter.",
}

_OFFLINE_REJECTED = (
    "lexical:outline compares the question with titles and summaries alone: ask in the words of the headings, which"
    " `tocwalk outline DOC` shows, or a model that reasons with --navigator."
)

_EVEN_WITH_SECTIONS: frozenset[StopReason] = frozenset(
    {"BUDGET_EXHAUSTED", "CANCELLED", "INDEX_CHANGED", "RECURSION_GUARD"}
)
"""Reasons worth a sentence although sections were found: there might be more."""


def print_walked(
    console: Console, walked: Walked, *, navigator: str, with_text: bool, read_command: str, replayed: bool = False
) -> None:
    """Print the landed sections, why the walk ended, and what it cost.

    Args:
        console: Where to.
        walked: What came of the question.
        navigator: The model that judged.
        with_text: Print the sections' texts, too.
        read_command: Prints a section again when its id is added; "" where nothing can.
        replayed: Whether the walk was a recorded one, whose cost is not spent again.
    """
    output = walked.output
    indent = len(str(len(output["sections"]))) + 2
    for number, section in enumerate(output["sections"], start=1):
        if number > 1:
            _print_rule(console)
        _print_head(console, section, f"{number:<{indent}}")
        if with_text:
            console.print()
            print_text(console, section["text"])
            console.print()
        if read_command:
            # Not wrapped by us, so that a terminal copies it as one line.
            console.print(Text(" " * indent + _read_again(section, read_command), style="dim"), soft_wrap=True)
    if output["sections"]:
        console.print()
    _print_end(console, walked, navigator=navigator, replayed=replayed)


def cost_line(usage: UsageTotals, seconds: float) -> str:
    """Return what a walk cost: "2 visits, 2 model calls, 4,210 tokens in and 85 out, cost 0.0013, 1.2 s"."""
    parts = [counted(usage["visits"], "visit")]
    if usage["model_calls"]:
        cached = f" ({usage['cached_tokens']:,} cached)" if usage["cached_tokens"] else ""
        about = "about " if usage["estimated"] else ""
        parts.append(counted(usage["model_calls"], "model call"))
        parts.append(f"{about}{usage['input_tokens']:,} tokens in{cached} and {usage['output_tokens']:,} out")
    else:
        parts.append("no model call")
    if usage["cached_decisions"]:
        parts.append(f"{counted(usage['cached_decisions'], 'decision')} kept from before")
    if usage["cost"] is not None:
        parts.append(f"cost {usage['cost']:.4f}")
    return ", ".join([*parts, f"{seconds:.1f} s"])


def _print_end(console: Console, walked: Walked, *, navigator: str, replayed: bool) -> None:
    output, reason = walked.output, walked.output["stop_reason"]
    if not output["sections"]:
        ended = _WHY_ENDED.get(reason, "What was found is left out by --filter.")
        console.print(Text(f"Nothing landed. {ended}"))
        if reason == "NAVIGATOR_REJECT" and navigator.startswith("lexical:"):
            console.print(Text(_OFFLINE_REJECTED, style="yellow"))
    elif reason in _EVEN_WITH_SECTIONS:
        console.print(Text(_WHY_ENDED[reason], style="yellow"))
    for failure in output["failures"]:
        console.print(Text(shown(f"Survived at {failure['section']}: {failure['detail']}"), style="yellow"))
    found = counted(len(output["sections"]), "section")
    cost = "replayed: no model was asked" if replayed else cost_line(output["usage"], walked.seconds)
    console.print(Text(f"{found}, {cost}", style="dim"))


def _print_head(console: Console, section: LandedSection, start: str) -> None:
    """Print what a section is called, its pages, where it stands, and what is amiss with it."""
    hang = len(start)
    headline = Text(name_of(section), style="bold")
    if pages := pages_of(section):
        free = min(console.width, _WIDEST) - hang - headline.cell_len - len(pages) if console.is_terminal else 0
        headline.append(" " * max(free, 2) + pages, style="not bold")
    print_hanging(console, headline, start=start, hang=hang)
    arrow = " > " if console.options.ascii_only else " › "
    print_hanging(console, Text(arrow.join(_above(section)), style="dim"), start=" " * hang, hang=hang)
    why = [_WHY_LANDED.get(section["stop_reason"], ""), _TITLES_ONLY if section["text_scope"] == "own+titles" else ""]
    if note := "; ".join(part for part in why if part):
        print_hanging(console, Text(note, style="yellow"), start=" " * hang, hang=hang)


def _print_rule(console: Console) -> None:
    dash = "-" if console.options.ascii_only else "─"
    console.print()
    console.print(Text(dash * min(console.width, _WIDEST), style="dim"))
    console.print()


def _above(section: LandedSection) -> Iterator[str]:
    """Yield what a section stands in: folders, file, the document's title if that says more, sections."""
    *folders, file = section["document"].split("/")
    yield from (shown(name) for name in (*folders, file) if name)
    title, *headings = section["path"][-section["depth"] - 1 :]
    if headings and _letters(title) not in (_letters(headings[0]), _letters(file.rpartition(".")[0] or file)):
        yield shown(title)
    yield from map(shown, headings[:-1])


def _letters(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))


def _read_again(section: LandedSection, command: str) -> str:
    how = "read it whole with" if section["text_scope"] == "own+titles" else "read again with"
    subtree = "" if section["text_scope"] == "own" else " --subtree"
    return f"{how}: {command}{subtree} {shlex.quote(in_full(section['id']))}"
