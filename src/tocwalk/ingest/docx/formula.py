"""Word's formulas on one line: fractions with "/", powers with "^", indices with "_"."""

from __future__ import annotations

from tocwalk.ingest.docx.xml import Element, find, name_of

__all__ = ["on_one_line"]


def on_one_line(element: Element | None) -> str:
    """Return the formula in an element as text."""
    if element is None:
        return ""
    name = name_of(element)
    if name == "m:t":
        return element.text or ""
    if name == "m:f":
        return f"{_operand(element, 'm:num')}/{_operand(element, 'm:den')}"
    if name in {"m:sSup", "m:sSub", "m:sSubSup"}:
        below, above = _operand(element, "m:sub"), _operand(element, "m:sup")
        return _operand(element, "m:e") + (f"_{below}" if below else "") + (f"^{above}" if above else "")
    if name == "m:rad":
        return f"{on_one_line(find(element, 'm:deg'))}√{_operand(element, 'm:e')}"
    return "".join(on_one_line(child) for child in element)


def _operand(element: Element, name: str) -> str:
    text = on_one_line(find(element, name)).strip()
    return text if text.isalnum() or not text else f"({text})"
