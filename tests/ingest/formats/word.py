"""Small Word files, written in the format's own XML by the tests."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from books import archive
from outlines import tree

from tocwalk.ingest.docx import extract
from tocwalk.tree import Document

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
HEADINGS = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/><w:basedOn w:val="Normal"/></w:style>'
    for n in (1, 2, 3)
)
STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    f'<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>{HEADINGS}'
)


def run(text: str, look: str = "") -> str:
    """Return a run; `look` are the elements of its properties ("<w:b/>")."""
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def p(*parts: str, style: str = "", properties: str = "") -> str:
    """Return a paragraph of runs; a part that is no XML becomes a plain run."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    runs = "".join(part if part.startswith("<") else run(part) for part in parts)
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{runs}</w:p>"


def table(*rows: str) -> str:
    """Return a table of rows."""
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def row(*cells: str) -> str:
    """Return a row of cells; a cell that is no XML becomes one with a paragraph."""
    return f"<w:tr>{''.join(each if each.startswith('<w:tc') else cell(p(each)) for each in cells)}</w:tr>"


def cell(content: str, properties: str = "") -> str:
    """Return a cell."""
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def in_list(number: int, level: int = 0) -> str:
    """Return the property of a paragraph in a list."""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'


def word(body: str, *, styles: str = STYLES, parts: Mapping[str, str] | None = None) -> bytes:
    """Return a Word file.

    Args:
        body: Its paragraphs and tables.
        styles: Its styles.
        parts: Name of another part ("numbering", "footnotes", "header1") -> what is inside its root element.
    """
    return archive(word_entries(body, styles=styles, parts=parts))


def word_entries(body: str, *, styles: str = STYLES, parts: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the entries of a Word file, as `word`."""
    inside = {"styles": styles, **(parts or {})}
    kinds = {name: name.rstrip("0123456789") for name in inside}
    roots = {"header": "hdr", "footer": "ftr"}
    content_types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_MAIN}.{kind}+xml"/>' for name, kind in kinds.items()
    )
    relationships = "".join(
        f'<Relationship Id="r{name}" Type="{_OFFICE}/{kind}" Target="{name}.xml"/>' for name, kind in kinds.items()
    )
    return {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_MAIN}.document.main+xml"/>{content_types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_RELATIONSHIPS}">'
        f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELATIONSHIPS}">{relationships}</Relationships>',
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
    } | {
        f"word/{name}.xml": f"<w:{roots.get(kind, kind)} {W}>{inside[name]}</w:{roots.get(kind, kind)}>"
        for name, kind in kinds.items()
    }


def level(number: int, text: str, numbers: str = "decimal", *, start: int = 1, more: str = "") -> str:
    """Return a level of a list; `more` are elements that come before the text."""
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="{start}"/><w:numFmt w:val="{numbers}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def lists(*abstract: str, numbers: str = "") -> str:
    """Return numbering definitions: abstract lists 1, 2, ..., each with a list of the same number, and more lists."""
    return (
        "".join(
            f'<w:abstractNum w:abstractNumId="{n}">{levels}</w:abstractNum>'
            for n, levels in enumerate(abstract, start=1)
        )
        + "".join(
            f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n, _ in enumerate(abstract, start=1)
        )
        + numbers
    )


def read(content: str, **parts: str) -> Document:
    """Return the tree of a Word file with this body."""
    styles = parts.pop("styles", STYLES)
    return tree(extract, word(content, styles=styles, parts=parts))
