"""A document's table of contents, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from tocwalk.cli.output import on_stdout
from tocwalk.cli.wording import counted, name_of, pages_of, shown

__all__ = ["print_outline"]

_DEEPEST_INDENT = 40


def print_outline(outline: Mapping[str, Any], *, with_ids: bool) -> None:
    """Print an outline as `contracts` makes it: the document, then one indented line for each section."""
    console = on_stdout()
    about, (_, *sections) = outline["document"], outline["sections"]
    console.print(Text(shown(about["title"]), style="bold"))
    console.print(Text(_about(outline), style="dim"))
    for warning in about["warnings"]:
        console.print(Text(f"Note: {shown(warning)}", style="yellow"))
    if sections:
        console.print()
    for section in sections:
        indent = "  " * min(section["depth"] - 1, _DEEPEST_INDENT)
        behind = [pages_of(section), shown(section["id"]) if with_ids else ""]
        line = Text(f"{indent}{name_of(section)}")
        line.append("".join(f"  {part}" for part in behind if part), style="dim")
        console.print(line)


def _about(outline: Mapping[str, Any]) -> str:
    about, sections = outline["document"], outline["sections"]
    parts = [shown(about["id"]), about["media_type"]]
    if about["pages"]:
        parts.append(counted(about["pages"], "page"))
    parts.append(counted(len(sections) - 1, "section"))
    parts.append(counted(sum(section["tokens"] for section in sections), "token"))
    return ", ".join(parts)
