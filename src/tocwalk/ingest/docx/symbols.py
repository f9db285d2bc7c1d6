"""Characters of symbol fonts, whose code points mean nothing outside of the font."""

from __future__ import annotations

__all__ = ["SYMBOL_FONTS", "readable"]

SYMBOL_FONTS = {"symbol", "webdings", "wingdings", "wingdings 2", "wingdings 3"}

_PRIVATE = 0xF000
_BYTE = 0xFF
_SYMBOL = {
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    0xA3: "≤", 0xAC: "←", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
    0xBB: "≈", 0xCE: "∈", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD6: "√", 0xDE: "⇒", 0xE5: "Σ", 0xA5: "∞",
}  # fmt: skip
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0x9F: "•", 0xA7: "▪",
    0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_UNKNOWN = "•"
"""For a sign that is not listed: that there is one is mostly what counts, as in the cells of a table."""


def readable(text: str, font: str) -> str:
    """Return text set in a symbol font in Unicode's own characters."""
    table = _SYMBOL if font == "symbol" else _WINGDINGS
    return "".join(_character(character, table, font) for character in text)


def _character(character: str, table: dict[int, str], font: str) -> str:
    code = ord(character)
    if code >= _PRIVATE:
        code -= _PRIVATE
    if code > _BYTE or character.isspace() or code == ord(" "):
        return character if ord(character) < _PRIVATE else " "
    plain = chr(code) if font == "symbol" and chr(code).isascii() else _UNKNOWN
    return table.get(code, plain)
