"""A document's table of contents, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from tocwalk.cli.output import on_stdout, print_hanging
from tocwalk.cli.wording import counted, in_full, name_of, pages_of, shown

__all__ = ["print_outline"]

_DEEPEST_INDENT = 40
_HANG = 4
"""Columns by which the continuation of a line stands further in than its beginning."""


def print_outline(outline: Mapping[str, Any], *, with_ids: bool) -> None:
    """Print an outline as `contracts` makes it: the document, then one indented line for each section."""
    console = on_stdout()
    about, (_, *sections) = outline["document"], outline["sections"]
    console.print(Text(shown(about["title"]), style="bold"))
    console.print(Text(_about(about), style="dim"))
    for warning in about["warnings"]:
        console.print(Text(f"Note: {shown(warning)}", style="yellow"))
    if sections:
        console.print()
    for section in sections:
        _print_section(console, section, with_id=with_ids)


def _print_section(console: Console, section: Mapping[str, Any], *, with_id: bool) -> None:
    start = " " * 2 * min(section["depth"] - 1, _DEEPEST_INDENT)
    hang = " " * _HANG + start
    line = Text(name_of(section))
    if pages := pages_of(section):
        line.append(f"  {pages}", style="dim")
    id_ = Text(f"  {in_full(section['id'])}" if with_id else "", style="dim")
    if len(start) + line.cell_len + id_.cell_len <= console.width:
        console.print(Text(start).append_text(line).append_text(id_))
        return
    print_hanging(console, line, start=start, hang=len(hang))
    if with_id:  # on a line of its own, not wrapped by us, so that a terminal copies it as one
        console.print(Text(hang + id_.plain.lstrip(), style="dim"), soft_wrap=True)


def _about(document: Mapping[str, Any]) -> str:
    parts = [shown(document["id"]), document["media_type"]]
    if document["pages"]:
        parts.append(counted(document["pages"], "page"))
    return ", ".join([*parts, counted(document["sections"], "section"), counted(document["tokens"], "token")])
