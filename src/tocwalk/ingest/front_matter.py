"""Front matter: the block of metadata before a Markdown document's text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time
from typing import cast

from tocwalk.tree import JsonScalar

__all__ = ["FrontMatter", "front_matter_end", "read_front_matter"]

_FIRST_LINES = re.compile(r"(?:[ \t]*\n|#.*\n)*[\"']?\w[\w .\-]{0,80}[\"']?(?:[:=][ \t]|[:=]$)", re.MULTILINE)
_END = {
    "---": re.compile(r"^(?:(?:---|\.\.\.)[ \t]*(?:\n|\Z)|(?=--- \w))", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE),
}
"""A line "--- abstract" or the like ends the front matter of a kramdown-rfc document, which has no line "---" then."""

_LONGEST = 1 << 18
_LARGEST = 1 << 63


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What stands before a document's text."""

    end: int = 0
    """Offset behind the closing line; 0 where there is no front matter."""
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """The scalars of its top level; dates as ISO 8601 text, numbers that no JSON or database holds as text too."""
    warnings: tuple[str, ...] = ()

    @property
    def title(self) -> str | None:
        """The document's title, if the metadata give one."""
        title = self.metadata.get("title")
        return None if title is None else str(title)


def front_matter_end(text: str) -> int:
    """Return the offset behind a document's front matter, 0 if it has none."""
    opening, _, rest = text[:_LONGEST].partition("\n")
    end = _END.get(opening.rstrip())
    if end is None or not _FIRST_LINES.match(rest):
        return 0
    closing = end.search(text, len(opening) + 1, _LONGEST)
    return closing.end() if closing else 0


def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a document: YAML between "---", or TOML between "+++"."""
    end = front_matter_end(text)
    if end == 0:
        return FrontMatter()
    opening, _, rest = text[:end].partition("\n")
    block = re.sub(r"\n(?:---|\.\.\.|\+\+\+)[ \t]*\n?\Z", "\n", "\n" + rest)
    values = _toml(block) if opening.startswith("+") else _yaml(block)
    try:
        if values is not None:
            return FrontMatter(end=end, metadata=dict(_scalars(values)))
    except ValueError:  # a whole number of thousands of digits, which Python does not write
        pass
    return FrontMatter(end=end, warnings=("The front matter cannot be read; its metadata are left out.",))


def _yaml(block: str) -> Mapping[object, object] | None:
    import yaml  # type: ignore[import-untyped]

    try:
        values = yaml.safe_load(block.replace("\x00", "\N{REPLACEMENT CHARACTER}"))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return cast(Mapping[object, object], values) if isinstance(values, dict) else None


def _toml(block: str) -> Mapping[str, object] | None:
    import tomllib

    try:
        return tomllib.loads(block)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _scalars(values: Mapping[object, object] | Mapping[str, object]) -> list[tuple[str, JsonScalar]]:
    scalars: list[tuple[str, JsonScalar]] = []
    for key, value in values.items():
        if isinstance(value, date | time):
            scalars.append((str(key), value.isoformat()))
        elif isinstance(value, int | float) and not _is_storable(value):
            scalars.append((str(key), str(value)))
        elif isinstance(value, str | int | float | bool) or value is None:
            scalars.append((str(key), value))
    return scalars


def _is_storable(number: float) -> bool:
    """Whether a number is finite and, if whole, within 64 bits."""
    return math.isfinite(number) if isinstance(number, float) else -_LARGEST <= number < _LARGEST
