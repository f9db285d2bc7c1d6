"""Tests of PDF files that cannot be read, or not well."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import BOLD, Pdf, read

from tocwalk.errors import IngestError
from tocwalk.ingest.pdf import extract, reading


def some() -> Pdf:
    """Return a file of three chapters."""
    pdf = Pdf()
    for number in range(1, 4):
        page = pdf.page()
        page.text(72, 700, f"Chapter {number} Matters", 18, BOLD)
        page.paragraph(72, 660, 6)
    return pdf


def reason_and_message(data: bytes) -> tuple[str, str]:
    """Return why a file is refused."""
    with pytest.raises(IngestError) as caught:
        extract(data, name="plan.pdf")
    return caught.value.reason, str(caught.value)


@pytest.mark.parametrize("data", [b"", b" \n\t "])
def test_an_empty_file_is_refused(data: bytes) -> None:
    """A file without bytes is said to be empty."""
    reason, message = reason_and_message(data)
    assert reason == "empty_file"
    assert "plan.pdf" in message


def test_a_scan_is_refused() -> None:
    """Pages without text are no empty success: the message names OCR as what to do next."""
    pdf = Pdf()
    pdf.page().raw("")
    pdf.page().raw("")
    reason, message = reason_and_message(pdf.build())
    assert reason == "no_text"
    assert "OCR" in message


def test_a_file_that_is_mostly_a_scan_is_read_with_a_warning() -> None:
    """Where most pages have no text, the reader is told."""
    pdf = some()
    for _ in range(7):
        pdf.page()
    warnings = read(pdf).warnings
    assert len(warnings) == 1
    assert "7 of 10 pages" in warnings[0]


def test_an_encrypted_file_is_refused() -> None:
    """A file that asks for a password is refused, and no password is guessed."""
    pdf = some()
    pdf.encrypted = True
    reason, message = reason_and_message(pdf.build())
    assert reason == "encrypted"
    assert "password" in message


@pytest.mark.parametrize("data", [b"%PDF-1.7\nnothing else", b"no PDF at all", b"%PDF-1.7\n%%EOF", b"\x00" * 5000])
def test_a_damaged_file_is_refused(data: bytes) -> None:
    """Bytes that pdfium cannot open are refused with a word on what to try."""
    reason, message = reason_and_message(data)
    assert reason == "parse_failed"
    assert "save or print it" in message


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with more pages than the limit is refused before they are read."""
    monkeypatch.setattr(reading, "MAX_PAGES", 2)
    reason, message = reason_and_message(some().build())
    assert reason == "too_large"
    assert "3 pages" in message


@given(st.integers(0, 2000), st.binary(min_size=1, max_size=40))
def test_damage_gives_a_document_or_an_error_of_ours(place: int, noise: bytes) -> None:
    """Whatever is overwritten in a file, it is read or refused, and nothing else happens."""
    data = some().build()
    place = place * len(data) // 2000
    try:
        extracted = extract(data[:place] + noise + data[place + len(noise) :], name="plan.pdf")
    except IngestError as error:
        assert error.reason in {"parse_failed", "no_text", "encrypted", "empty_file"}  # noqa: PT017
    else:
        assert extracted.pages[0].offset == 0


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_file_gives_a_document_or_an_error_of_ours(share: float) -> None:
    """A file that was cut off is read as far as it goes, or refused."""
    data = some().build()
    try:
        extract(data[: int(share * len(data))], name="plan.pdf")
    except IngestError as error:
        assert error.reason in {"parse_failed", "no_text"}  # noqa: PT017


def test_characters_without_a_meaning_are_counted() -> None:
    """Glyphs whose font does not say what they stand for are kept as U+FFFD, and counted in a warning."""
    pdf = some()
    pdf.pages[0].text(72, 400, "\x00\x00 secret \x00", 10)
    extracted = read(pdf)
    assert "secret" in extracted.text
    assert any("U+FFFD" in warning for warning in extracted.warnings)
