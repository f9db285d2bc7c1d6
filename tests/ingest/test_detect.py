"""Types of files, by their content."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from tocwalk.errors import IngestError
from tocwalk.ingest.detect import detect
from tocwalk.ingest.encoding import decode
from tocwalk.ingest.formats import ASCIIDOC, DOCX, EPUB, HTML, MARKDOWN, PDF, PLAIN, READERS, RST, reader_for

RST_TEXT = b"Title\n=====\n\n.. note::\n\n   Text.\n\n.. _label:\n\nSee :ref:`label`.\n"
ASCIIDOC_TEXT = b"= Title\n:toc:\n\n== First\n\nText.\n\n----\ncode\n----\n"
MARKDOWN_TEXT = b"# Title\n\n## First\n\nText.\n"


def zipped(*names: str, first: tuple[str, str] | None = None) -> bytes:
    """Return an archive of small members, `first` being the first."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        if first:
            archive.writestr(*first)
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"%PDF-1.7\n...", "a.md", PDF),
        (b"\xef\xbb\xbf  %PDF-1.7\n...", "a", PDF),
        (b"junk\n%PDF-1.4\n1 0 obj\nendobj\n", "a.txt", PDF),
        (zipped("[Content_Types].xml", "word/document.xml"), "a.zip", DOCX),
        (zipped("META-INF/container.xml", first=("mimetype", "application/epub+zip")), "a.docx", EPUB),
        (zipped("META-INF/container.xml", "content.opf"), "a", EPUB),
        (b"<!DOCTYPE html><p>x", "a.md", HTML),
        (b"<?xml version='1.0'?>\n<!-- c -->\n<html xmlns='x'>", "a.txt", HTML),
        (b"<h1>Title</h1>\n<p>x</p>", "a.html", HTML),
        (b"<h1>Title</h1>\n\n# B\n", "a.md", MARKDOWN),
        (MARKDOWN_TEXT, "a.md", MARKDOWN),
        (MARKDOWN_TEXT, "a.txt", MARKDOWN),
        (MARKDOWN_TEXT, "README", MARKDOWN),
        (RST_TEXT, "a.txt", RST),
        (RST_TEXT, "a.md", RST),
        (b"Title\n=====\n\ntext\n", "a.rst", RST),
        (b"Title\n=====\n\ntext\n", "a.md", MARKDOWN),
        (b"Title\n=====\n\ntext\n", "a.txt", PLAIN),
        (ASCIIDOC_TEXT, "a.txt", ASCIIDOC),
        (b"= Title\n\ntext\n", "a.adoc", ASCIIDOC),
        (b"# comment\nkey = 1\n# comment\nkey = 2\n", "a.conf", PLAIN),
        (b"Plain text.\n```\n# A\n\n# B\n\n```\n", "a.txt", PLAIN),
        ("Über\n".encode("utf-16"), "a.txt", PLAIN),
        ("Straße\n".encode("latin-1"), "a", PLAIN),
        (
            b"A text with one NUL\x00 in it, and a hundred more characters of text around it, so that it is text.",
            "a",
            PLAIN,
        ),
        (b"# A\0b\n\ntext", "a.md", MARKDOWN),
        (b"# A\0b\n\nte\0xt", "a.md", MARKDOWN),
    ],
)
def test_content_decides(data: bytes, name: str, expected: str) -> None:
    """The type is what the content shows; the extension counts only between text formats that do not show."""
    assert detect(data, name=name) == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b" \r\n\t\n", "empty_file"),
        (b"\xef\xbb\xbf\n", "empty_file"),
        (random.Random(1).randbytes(5000), "unsupported"),
        (b"\x00" * 500 + b"text", "unsupported"),
        (b"\x00\x01\x02ab", "unsupported"),
        (b"\x07\x00\x01\x02\x03" + b"text" * 20, "unsupported"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 100, "unsupported"),
        (b"\xd0\xcf\x11\xe0" + b"x" * 100, "unsupported"),
        (b"{\\rtf1 text}", "unsupported"),
        (b"\x1f\x8b\x08" + b"x" * 100, "unsupported"),
        (zipped("xl/workbook.xml", "[Content_Types].xml"), "unsupported"),
    ],
)
def test_a_binary_or_empty_file_is_refused_whatever_its_name(data: bytes, reason: str) -> None:
    """A file that is nothing we read is refused with a reason, called .md or not."""
    with pytest.raises(IngestError) as caught:
        detect(data, name="notes.md")
    assert caught.value.reason == reason
    assert "'notes.md'" in str(caught.value)


def test_every_type_has_a_reader_that_can_be_imported() -> None:
    """The table of readers names functions that are there."""
    for media_type in READERS:
        assert callable(reader_for(media_type))


def test_a_type_without_reader_is_refused() -> None:
    """An unknown media type is an error that lists the known ones."""
    with pytest.raises(IngestError, match="text/markdown"):
        reader_for("image/png")


@pytest.mark.parametrize("part", ["<!-- c -->", ":a", " ", "<?x", "= ", "[a", "`", "#", "# a\n"])
def test_hostile_text_has_a_type_at_once(part: str) -> None:
    """Very many beginnings of what is looked for are passed over once."""
    assert detect((part * 30_000 + "\ntext\n").encode(), name="a.md") == MARKDOWN


@pytest.mark.parametrize("text", [b"Hi\0", b"\0a\0b", b"# A\0\n", b"a\0b\0c"])
def test_a_few_nuls_are_damage(text: bytes) -> None:
    """A text of a few characters is not UTF-16 because of a NUL or two in every other place."""
    assert decode(text) == (text.decode(), [])
