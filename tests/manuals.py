"""Documents whose sections are too long to be their own summaries, so that a model is needed for each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

__all__ = ["manual_text", "write_manuals"]


def manual_text(rules: Mapping[str, str], *, title: str = "Manual") -> str:
    """Return a text with a section for each rule: its name, and who says all of its sentences."""
    sections = (
        f"## Rule {name}\n\n" + " ".join(f"{who} says sentence {n}." for n in range(60)) for name, who in rules.items()
    )
    return f"# {title}\n\n" + "\n\n".join(sections)


def write_manuals(folder: Path, *, documents: int, rules: int) -> None:
    """Make a folder with documents of so many rules, no two of which say the same."""
    folder.mkdir()
    for number in range(documents):
        text = manual_text({str(rule): f"Rule {number}-{rule}" for rule in range(rules)}, title=f"Manual {number}")
        (folder / f"{number}.md").write_text(text)
