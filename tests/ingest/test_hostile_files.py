"""Files made to do harm: each fails alone, with a reason, and the next one is read."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tocwalk.errors import IngestError
from tocwalk.index import TreeIndex
from tocwalk.ingest import PARSER_VERSION, Limits, ParserPool, read_document

MIB = 1 << 20
LIMITS = Limits(memory_bytes=768 * MIB, cpu_seconds=20, wall_seconds=60)


@pytest.fixture(scope="module", name="pool")
def _pool() -> Iterator[ParserPool]:
    """Return one worker."""
    with ParserPool(limits=LIMITS) as pool:
        yield pool


def pdf(content: bytes, filters: str = "", *, kids: str = "3 0 R") -> bytes:
    """Return a file of one page with this content stream; without a table of offsets, which readers then rebuild."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        + f"2 0 obj<</Type/Pages/Kids[{kids}]/Count 1/Parent 2 0 R>>endobj\n".encode()
        + b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R"
        b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
        + f"4 0 obj<</Length {len(content)}{filters}>>stream\n".encode()
        + content
        + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    )


def packed(data: bytes, *, times: int) -> bytes:
    """Compress so many times."""
    for _ in range(times):
        data = zlib.compress(data, 9)
    return data


def zipped(**entries: bytes) -> bytes:
    """Return an archive that looks like a Word file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for name, content in {"document": b"<a/>", **entries}.items():
            archive.writestr(f"word/{name}.xml", content)
    return file.getvalue()


FILES: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    "flate": (lambda: pdf(packed(b"(x) Tj " * 90_000_000, times=1), "/Filter/FlateDecode"), {"memory_limit"}),
    "double flate": (
        lambda: pdf(packed(b" " * (1000 * MIB), times=2), "/Filter[/FlateDecode/FlateDecode]"),
        {"memory_limit"},
    ),
    "circle of pages": (lambda: pdf(b"", kids="2 0 R"), {"parse_failed", "no_text"}),
    "zip bomb": (lambda: zipped(document=b"<w:p/>" * 30_000_000), {"too_large"}),
    "zip in zip": (lambda: zipped(inner=zipped(inner=zipped())), {"parse_failed"}),
    "entities": (
        lambda: zipped(document=b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><a>&b;</a>'),
        {"unsupported"},
    ),
    "deep page": (lambda: b"<!doctype html><h1>A</h1>" + b"<div>" * 500_000, {"too_large"}),
    "nothing": (lambda: b"", {"empty_file"}),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_fails_alone(name: str, tmp_path: Path, pool: ParserPool) -> None:
    """It ends with a reason, whether its reader refuses it or its process dies, and the same worker pool goes on."""
    make, reasons = FILES[name]
    (tmp_path / "hostile").write_bytes(make())
    (tmp_path / "good.md").write_text("# Good\n\nText.\n", encoding="utf-8")
    with pytest.raises(IngestError, match="hostile") as caught:
        pool.read(tmp_path / "hostile", document_id="x")
    assert caught.value.reason in reasons
    assert pool.read(tmp_path / "good.md", document_id="x").title == "Good"


def test_what_was_read_before_stays(tmp_path: Path) -> None:
    """A file that was damaged after it was indexed leaves the tree in the index that it had."""
    path = tmp_path / "a.md"
    path.write_text("# Good\n\nText.\n", encoding="utf-8")
    with TreeIndex(tmp_path / "index.db") as index:
        index.put(read_document(path, document_id="a"), parser_version=PARSER_VERSION)
        path.write_bytes(bytes(range(256)) * 9)
        with pytest.raises(IngestError, match="binary"):
            read_document(path, document_id="a")
        assert [entry.head.title for entry in index.outline("default", "a")] == ["Good", "Good"]
