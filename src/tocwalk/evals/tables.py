"""An evaluation as Markdown, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tocwalk.evals.choices import level_order
from tocwalk.evals.report import Report
from tocwalk.evals.running import NAVIGATOR
from tocwalk.evals.scoring import Summary
from tocwalk.tree import one_line

__all__ = ["evaluation_tables"]

_COLUMNS: Mapping[str, str] = {
    "section_recall": "recall",
    "section_recall_itself": "itself",
    "section_precision": "precision",
    "page_recall": "page recall",
    "exact": "exact",
    "first_landing": "first",
    "abstention_right": "abstains rightly",
    "abstention_wrong": "wrongly",
    "token_density": "tokens / gold",
    "page_density": "pages / gold",
    "choice_accuracy": "choices",
    "visits": "visits",
    "calls": "calls",
    "offer_tokens": "outline tokens",
    "input_tokens": "tokens in",
    "cached_tokens": "cached",
    "cost": "cost",
    "seconds": "seconds",
    "failed": "failed",
}
"""What the first table shows, and under which heading."""

_WITH_INTERVAL = frozenset({"section_recall", "section_precision", "exact"})
_ONLY_WHERE_ANY = frozenset({"calls", "input_tokens", "cached_tokens", "cost", "failed", "page_recall", "page_density"})
"""Left out where no system has anything but nothing."""
_WHOLE = frozenset({"offer_tokens", "input_tokens", "cached_tokens"})
_DECIMALS = {"cost": 4, "seconds": 3}


def evaluation_tables(report: Report) -> str:
    """Return the tables: all systems, recall by kind of case, choices by level, reasons of the end."""
    plan = report.evaluation.plan
    how = "over all documents as one corpus" if plan.corpus_wide else "each of its document alone"
    cases = len(report.evaluation.questions)
    head = (
        f"{cases} {'case' if cases == 1 else 'cases'}, asked {how}; navigator {_cell(plan.settings.navigator_model)}."
        " In brackets: 95 % intervals."
    )
    tables = [_systems(report), _by_kind(report), _choices(report), _stop_reasons(report)]
    return "\n\n".join([head, *(table for table in tables if table)])


def _systems(report: Report) -> str:
    summaries = report.summaries.values()
    shown = [
        name for name in _COLUMNS if name not in _ONLY_WHERE_ANY or any(summary.values[name] for summary in summaries)
    ]
    return _table(
        ["", *(_COLUMNS[name] for name in shown)],
        ([_name(report, system), *(_value(one, name) for name in shown)] for system, one in report.summaries.items()),
    )


def _by_kind(report: Report) -> str:
    kinds = report.by_kind[NAVIGATOR]
    answerable = [kind for kind, summary in kinds.items() if summary.values["section_recall"] is not None]
    return _table(
        ["recall by kind", *(f"{_cell(kind)} ({kinds[kind].cases})" for kind in answerable)],
        (
            [_name(report, system), *(_number(by_kind[kind].values["section_recall"]) for kind in answerable)]
            for system, by_kind in report.by_kind.items()
        ),
    )


def _choices(report: Report) -> str:
    return _counted(report, "right choices by level", lambda summary: summary.choices, _number)


def _stop_reasons(report: Report) -> str:
    return _counted(
        report, "walks ended with", lambda summary: summary.stop_reasons, lambda count: str(int(count or 0))
    )


def _counted(
    report: Report,
    title: str,
    values_of: Callable[[Summary], Mapping[str, float | None]],
    shown: Callable[[float | None], str],
) -> str:
    """Return a table with a column for every key that any system has; systems without any are left out."""
    rows = {system: values_of(summary) for system, summary in report.summaries.items()}
    keys = sorted({key for row in rows.values() for key in row}, key=level_order)
    return _table(
        [title, *keys],
        ([_name(report, system), *(shown(row.get(key)) for key in keys)] for system, row in rows.items() if row),
    )


def _name(report: Report, system: str) -> str:
    model = report.evaluation.plan.settings.navigator_model
    return f"**{_cell(model)}**" if system == NAVIGATOR else _cell(system)


def _value(summary: Summary, name: str) -> str:
    value = summary.values[name]
    if value is None:
        return ""
    if name in _WHOLE:
        return f"{value:,.0f}"
    text = f"{value:.{_DECIMALS.get(name, 2)}f}"
    if name in _WITH_INTERVAL and name in summary.intervals:
        low, high = summary.intervals[name]
        return f"{text} [{low:.2f}, {high:.2f}]"
    return text


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, all columns but the first aligned to the right; "" where there is no column."""
    if len(header) == 1:
        return ""
    rule = ["---", *("---:" for _ in header[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))


def _cell(text: str) -> str:
    return one_line(text, 80).replace("\\", "\\\\").replace("|", "\\|")
