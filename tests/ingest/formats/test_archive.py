"""Tests of what is refused before an archive is unpacked."""

from __future__ import annotations

import io
import stat
import struct
import tracemalloc
import zipfile

import pytest
from books import archive, entries

from tocwalk.errors import IngestError
from tocwalk.ingest.archive import MAX_ENTRIES, check_xml, open_archive
from tocwalk.ingest.epub import extract

BOOK = entries({"a.xhtml": "<h1>One</h1>"})


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("/etc/passwd", "points out of the archive"),
        ("../../etc/passwd", "points out of the archive"),
        ("a/../../b", "points out of the archive"),
        ("..\\b", "points out of the archive"),
        ("C:/b", "points out of the archive"),
    ],
)
def test_names_that_point_out_of_the_archive_are_refused(entry: str, says: str) -> None:
    """An absolute name, one with ".." and one with a drive refuse the whole archive."""
    with pytest.raises(IngestError, match=says) as refused:
        open_archive(archive(BOOK | {entry: "x"}), name="bad.epub")
    assert refused.value.reason == "unsupported"


def test_links_are_refused() -> None:
    """An entry that is a symbolic link refuses the archive."""
    link = zipfile.ZipInfo("OEBPS/a.xhtml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(link, "/etc/passwd")
    with pytest.raises(IngestError, match=r"'OEBPS/a\.xhtml' that is a link"):
        open_archive(packed.getvalue(), name="bad.epub")


def test_encrypted_entries_are_refused() -> None:
    """An entry behind a password refuses the archive and says so."""
    data = bytearray(archive({"secret.xml": "x"}))
    for signature, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(signature) + flags] |= 1
    with pytest.raises(IngestError, match="password"):
        open_archive(bytes(data), name="bad.docx")


def test_an_archive_with_too_many_entries_is_refused_unread() -> None:
    """More entries than the limit are counted, not listed, even if the archive says that it has one."""
    data = bytearray(archive({str(number): b"" for number in range(MAX_ENTRIES + 1)}))
    end = data.rindex(b"PK\x05\x06")
    data[end + 8 : end + 12] = struct.pack("<HH", 1, 1)
    with pytest.raises(IngestError, match=f"{MAX_ENTRIES + 1} entries") as refused:
        open_archive(bytes(data), name="many.epub")
    assert refused.value.reason == "too_large"


def test_an_entry_packed_beyond_reason_is_refused_before_it_is_unpacked() -> None:
    """A megabyte that would unpack to a gigabyte is refused without taking the memory."""
    data = archive(BOOK | {"OEBPS/a.xhtml": b" " * (64 << 20)})
    tracemalloc.start()
    try:
        with pytest.raises(IngestError, match=r"'OEBPS/a\.xhtml' that unpacks \d+ bytes to 67108864") as refused:
            extract(data, name="bomb.epub")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert refused.value.reason == "too_large"
    assert peak < len(data) + (1 << 20)


def test_entries_that_unpack_to_too_much_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum of the sizes counts, however well each entry does."""
    monkeypatch.setattr("tocwalk.ingest.archive.MAX_UNPACKED", 1000)
    with pytest.raises(IngestError, match=r"unpacks to \d+ bytes") as refused:
        open_archive(archive({"a": "x" * 600, "b": "x" * 600}), name="bomb.epub")
    assert refused.value.reason == "too_large"


def test_an_archive_inside_is_never_opened() -> None:
    """A zip file inside, whatever it would unpack to, is a file that nobody reads."""
    bomb = archive({"bomb": b" " * (32 << 20)})
    assert extract(archive(BOOK | {"OEBPS/inner.zip": bomb}), name="nested.epub").headings[0].title == "One"


def test_xml_with_too_many_elements_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements are counted in the bytes, as a tree of them would not fit into memory."""
    monkeypatch.setattr("tocwalk.ingest.archive.MAX_ELEMENTS", 1000)
    with pytest.raises(IngestError, match=r"'many\.docx' has 1001 elements in 'many\.xml'") as refused:
        check_xml(b"<a>" + b"<b></b><c/>" * 500 + b"</a>", "many.xml", name="many.docx", typed=True)
    assert refused.value.reason == "too_large"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
def test_xml_that_declares_entities_is_refused_in_any_encoding(encoding: str) -> None:
    """Entities, which expand or read other files, are refused before a parser sees them."""
    xml = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    with pytest.raises(IngestError, match="declaration '<!ENTITY'") as refused:
        check_xml(xml.encode(encoding), "a.xml", name="xxe.docx", typed=True)
    assert refused.value.reason == "unsupported"
