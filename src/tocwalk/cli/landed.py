"""What a walk found, for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from tocwalk.cli.output import print_text
from tocwalk.cli.walking import Walked
from tocwalk.cli.wording import counted, pages_of, shown
from tocwalk.state import LandedSection, StopReason, TextScope, UsageTotals

__all__ = ["cost_line", "print_walked"]

_WHY_LANDED: dict[StopReason, str] = {
    "LEAF": "no subsections",
    "NAVIGATOR_STOP": "chosen by the navigator",
    "MAX_DEPTH": "the deepest level looked at",
    "BUDGET_EXHAUSTED": "cut short: the budget ended here",
    "UNKNOWN_NODE": "cut short: the navigator named nothing that was offered",
    "NAVIGATOR_ERROR": "cut short: the navigator gave no decision here",
}

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

_EVEN_WITH_SECTIONS: frozenset[StopReason] = frozenset(
    {"BUDGET_EXHAUSTED", "CANCELLED", "INDEX_CHANGED", "RECURSION_GUARD"}
)
"""Reasons worth a sentence although sections were found: there might be more."""

_HOW_MUCH: dict[TextScope, str] = {
    "own": "",
    "subtree": "with all that is below it",
    "own+titles": "its own text and the titles below it",
}


def print_walked(console: Console, walked: Walked, *, with_text: bool) -> None:
    """Print the landed sections, why the walk ended, and what it cost."""
    output = walked.output
    for section in output["sections"]:
        _print_section(console, section, with_text=with_text)
    reason = output["stop_reason"]
    if not output["sections"]:
        ended = _WHY_ENDED.get(reason, "What was found is left out by --filter.")
        console.print(Text(f"Nothing landed. {ended}"))
    elif reason in _EVEN_WITH_SECTIONS:
        console.print(Text(_WHY_ENDED[reason], style="yellow"))
    for failure in output["failures"]:
        console.print(Text(shown(f"Survived at {failure['section']}: {failure['detail']}"), style="yellow"))
    console.print(Text(cost_line(output["usage"], walked.seconds), style="dim"))


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
    if usage["cost"] is not None:
        parts.append(f"cost {usage['cost']:.4f}")
    return ", ".join([*parts, f"{seconds:.1f} s"])


def _print_section(console: Console, section: LandedSection, *, with_text: bool) -> None:
    console.print(_branch(section["path"]))
    about = [pages_of(section), _WHY_LANDED[section["stop_reason"]], _HOW_MUCH[section["text_scope"]]]
    console.print(Text(", ".join(part for part in about if part), style="green"))
    console.print(Text(shown(section["id"]), style="dim"))
    if with_text:
        console.print()
        print_text(console, section["text"])
    console.print()


def _branch(path: Sequence[str]) -> Tree:
    """Return a path as a tree of one branch, the section itself in bold."""
    *above, landed = [shown(title) for title in path]
    names = [*(Text(name) for name in above), Text(landed, style="bold")]
    tree = Tree(names[0], guide_style="dim")
    branch = tree
    for name in names[1:]:
        branch = branch.add(name)
    return tree
