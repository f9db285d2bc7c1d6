"""The type of a file, by its content; its extension decides only where the content cannot tell."""

from __future__ import annotations

import re
from pathlib import PurePath

from tocwalk.errors import IngestError
from tocwalk.ingest.data_files import data_kind, is_table
from tocwalk.ingest.encoding import decode
from tocwalk.ingest.formats import ASCIIDOC, DOCX, EPUB, HTML, MARKDOWN, PDF, PLAIN, RST
from tocwalk.ingest.front_matter import front_matter_end

__all__ = ["detect"]

_EXTENSIONS = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".mdown": MARKDOWN, ".mkd": MARKDOWN, ".mdx": MARKDOWN, ".qmd": MARKDOWN,
    ".rst": RST, ".rest": RST,
    ".adoc": ASCIIDOC, ".asciidoc": ASCIIDOC, ".asc": ASCIIDOC,
    ".html": HTML, ".htm": HTML, ".xhtml": HTML,
}  # fmt: skip

_UNREADABLE = (
    (b"\xd0\xcf\x11\xe0", "an old Microsoft Office file (.doc, .xls, .ppt): save it as .docx or PDF"),
    (b"{\\rtf", "Rich Text: save it as .docx or PDF"),
    (b"%!PS", "PostScript: convert it to PDF"),
    (b"\x89PNG", "an image: tocwalk reads no scans"),
    (b"\xff\xd8\xff", "an image: tocwalk reads no scans"),
    (b"GIF8", "an image: tocwalk reads no scans"),
    (b"II*\x00", "an image: tocwalk reads no scans"),
    (b"MM\x00*", "an image: tocwalk reads no scans"),
    (b"\x1f\x8b", "a compressed file: unpack it first"),
    (b"BZh", "a compressed file: unpack it first"),
    (b"\xfd7zXZ", "a compressed file: unpack it first"),
    (b"7z\xbc\xaf", "a compressed file: unpack it first"),
    (b"Rar!", "a compressed file: unpack it first"),
    (b"(\xb5/\xfd", "a compressed file: unpack it first"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
)

_SAMPLE = 1 << 16
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_DIRECTORY = 1 << 20
_CONTROL_SHARE = 0.02
"""Text has next to no control characters; of random bytes every ninth is one."""
_STRAY_CONTROLS = 4
_STRAY_SHARE = 0.2
"""Damage of a few characters leaves a short text a text, unless these are much of it."""
_WITHOUT_CONTROLS = dict.fromkeys(
    code for code in range(128) if not chr(code).isprintable() and chr(code) not in "\t\n\v\f\r\b\x1a\x1b"
)
_CERTAIN = 2
_BLANK = b" \t\n\v\f\r\xef\xbb\xbf\xff\xfe\x00"

_HTML = re.compile(r"(?>\s+|<!--.*?-->|<\?.*?\?>)*+<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_HTML_TAG = re.compile(r"<(?:p|div|h[1-6]|ul|ol|table|section|article|br)\b[^<>]*>", re.IGNORECASE)
_FENCED = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_ATX = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_ATX_ALONE = re.compile(r"(?:\A|(?<=\n\n))#{1,6}[ \t]+\S.*\n(?=[ \t]*(?:\n|\Z))")
_RST_MARK = re.compile(r"^\.\. (?:[\w:-]+::|_[^:\n]+:)|(?<!`):[a-z][a-z:]{0,40}:`[^`\n]+`", re.MULTILINE)
_ASCIIDOC_TITLE = re.compile(r"^={1,6} [^=\s](?:.*[^=\s])?$", re.MULTILINE)
_ASCIIDOC_MARK = re.compile(
    r"^(?::!?[\w-]+!?:(?: .*)?|\[[\w,=\"%.# -]+\]|-{4,}|\.{4}|\|===|(?:include|image)::\S+|//.*)$", re.MULTILINE
)


def detect(data: bytes, *, name: str) -> str:
    """Return the media type of a file.

    Args:
        data: The whole file.
        name: Its name. The extension decides between text formats whose content does not; it never makes text of
            something binary.

    Raises:
        IngestError: `empty_file` if there is nothing but blanks, `unsupported` if it is nothing that can be read.
    """
    if not data.strip(_BLANK):
        raise IngestError(f"{name!r} is empty: there is nothing to read in it.", reason="empty_file")
    if _is_pdf(data):
        return PDF
    if data.startswith(_ZIP):
        return _detect_zip(data, name)
    for mark, what in _UNREADABLE:
        if data.startswith(mark):
            raise IngestError(f"{name!r} is {what}.", reason="unsupported")
    text, _ = decode(data[:_SAMPLE])
    if _is_binary(text):
        raise IngestError(
            f"{name!r} is binary, and of no format that is read: PDF, DOCX, EPUB, HTML, Markdown, RST, AsciiDoc, text.",
            reason="unsupported",
        )
    media_type = _detect_text(text, _EXTENSIONS.get(PurePath(name).suffix.lower(), PLAIN))
    kind = data_kind(text, read=lambda: decode(data)[0]) if media_type != HTML else None
    if kind is None and media_type == PLAIN and is_table(text, name=name):
        kind = "a table of values (CSV)"
    if kind is not None:
        raise IngestError(
            f"{name!r} is data, {kind}, and no document. Turn what is to be read of it into Markdown or HTML.",
            reason="unsupported",
        )
    return media_type


def _is_binary(text: str) -> bool:
    controls = len(text) - len(text.translate(_WITHOUT_CONTROLS))
    return controls > max(_CONTROL_SHARE * len(text), min(_STRAY_CONTROLS, _STRAY_SHARE * len(text)))


def _is_pdf(data: bytes) -> bool:
    """A header may stand behind other bytes, within the first kilobyte; readers accept it there."""
    return data.lstrip(_BLANK).startswith(b"%PDF-") or (b"%PDF-" in data[:1024] and b"endobj" in data)


def _detect_zip(data: bytes, name: str) -> str:
    """Look at the member names only, in the directory at the end: nothing is unpacked here."""
    if b"mimetypeapplication/epub+zip" in data[:256]:
        return EPUB
    directory = data[-_ZIP_DIRECTORY:]
    if b"word/document" in directory and b"[Content_Types].xml" in directory:
        return DOCX
    if b"META-INF/container.xml" in directory:
        return EPUB
    raise IngestError(
        f"{name!r} is a ZIP archive, but neither DOCX nor EPUB; unpack it, or save it as .docx or PDF.",
        reason="unsupported",
    )


def _detect_text(text: str, expected: str) -> str:
    """Follow the extension unless the content bears the marks of another format and none of the expected one."""
    if _HTML.match(text):
        return HTML
    if expected == HTML:
        return HTML if _HTML_TAG.search(text) else PLAIN
    body = _FENCED.sub("", text[front_matter_end(text) :])
    found = _marked(body)
    if expected == MARKDOWN:
        return MARKDOWN if found is None or _ATX.search(body) else found
    if expected == ASCIIDOC:
        return ASCIIDOC if _ASCIIDOC_TITLE.search(body) or found is None else found
    return found or expected


def _marked(body: str) -> str | None:
    """Return the format that the text's own marks show beyond doubt, if there is one."""
    atx, atx_alone = len(_ATX.findall(body)), len(_ATX_ALONE.findall(body))
    rst = len(_RST_MARK.findall(body))
    titles, marks = len(_ASCIIDOC_TITLE.findall(body)), len(_ASCIIDOC_MARK.findall(body))
    shown = {
        MARKDOWN: atx_alone >= _CERTAIN and atx_alone * 2 >= atx and not rst,
        RST: rst >= _CERTAIN and not atx_alone,
        ASCIIDOC: titles >= _CERTAIN and marks >= 1 and not atx_alone and not rst,
    }
    certain = [media_type for media_type, is_shown in shown.items() if is_shown]
    return certain[0] if len(certain) == 1 else None
