"""Small EPUB books, made by the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def archive(entries: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file with these entries."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return packed.getvalue()


def entries(
    pages: Mapping[str, str],
    *,
    nav: str | None = None,
    ncx: str | None = None,
    spine: Sequence[str] | None = None,
    metadata: str = "<dc:title>A Book</dc:title>",
) -> dict[str, str | bytes]:
    """Return the entries of a book.

    Args:
        pages: Path below the package document -> the page's body.
        nav: The `<ol>` of its EPUB 3 table of contents.
        ncx: The `<navPoint>` elements of its EPUB 2 table of contents.
        spine: The paths in reading order, if it is another than that of `pages`.
        metadata: Dublin Core elements.
    """
    ids = {path: f"p{number}" for number, path in enumerate(pages)}
    items = [f'<item id="{ids[path]}" href="{path}" media-type="application/xhtml+xml"/>' for path in pages]
    files: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    if nav is not None:
        items.append('<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>')
        files["OEBPS/nav.xhtml"] = page(f'<nav epub:type="landmarks"><ol/></nav><nav epub:type="toc">{nav}</nav>')
    if ncx is not None:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        files["OEBPS/toc.ncx"] = (
            '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x.example/ncx-2005-1.dtd">'
            f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{ncx}</navMap></ncx>'
        )
    refs = "".join(f'<itemref idref="{ids[path]}"/>' for path in (spine or pages))
    files["OEBPS/book.opf"] = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata>'
        f'<manifest>{"".join(items)}</manifest><spine toc="ncx">{refs}</spine></package>'
    )
    return files | {f"OEBPS/{path}": page(body) for path, body in pages.items()}


def page(body: str) -> str:
    """Return an XHTML page."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>{body}</body></html>'
    )


def point(label: str, source: str, inside: str = "") -> str:
    """Return a line of an EPUB 2 table of contents."""
    return f'<navPoint><navLabel><text>{escape(label)}</text></navLabel><content src="{source}"/>{inside}</navPoint>'
