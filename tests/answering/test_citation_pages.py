"""The pages of citations."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

from tocwalk.answering.evidence import Outlines, Passage, gather
from tocwalk.answering.quotes import QuotedText
from tocwalk.answering.state import Found
from tocwalk.index import TreeIndex
from tocwalk.ingest import read_document
from tocwalk.ingest.extracted import Extracted, Heading, PageStart
from tocwalk.ingest.structure import build_document
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.nodes.emit_landed import landed_section
from tocwalk.tree import Document

PAGES = [
    "Terms of the lease of the house at the mill\n\n",  # the title page, then a blank one
    "",
    "1. Payment\n\nRent is due on the first day\n",
    "of each month and never later than that.\n\n1.1 Interest\n\n",
    "Late rent bears interest at the agreed rate of the bank.\n",
]


@pytest.fixture
def terms() -> Document:
    """Return a document of five pages, the second of them blank, of which is known where each begins."""
    text = "".join(PAGES)
    starts = [PageStart(offset=len("".join(PAGES[:i])), number=i + 1, label=f"A{i + 1}") for i in range(len(PAGES))]
    headings = [
        Heading(start=text.index(whole), end=text.index(whole) + len(whole), level=level, title=title, number=number)
        for whole, level, number, title in (("1. Payment", 1, "1", "Payment"), ("1.1 Interest", 2, "1.1", "Interest"))
    ]
    extracted = Extracted(
        text=text, headings=tuple(headings), media_type="text/plain", title="Terms", pages=tuple(starts)
    )
    return build_document(extracted, document_id="terms", source="terms", sha256="0")


def passages_of(document: Document, folder: Path) -> list[Passage]:
    """Return all sections of a document as passages."""
    with TreeIndex(folder / "index.db") as index:
        index.put(document)
        generation, outlines = index.generation("default"), Outlines(index, "default")
        sections = [
            landed_section(index, "default", generation, head, reason="LEAF", text_scope="own")
            for head in outlines.of(generation, document.id)
        ]
        found = Found(
            question="?",
            generation=generation,
            sections=sections,
            stop_reason="LEAF",
            trace=[],
            usage=NOTHING_SPENT,
            failures=[],
        )
        return list(gather(outlines, {"q1": found}, max_tokens=10**9).passages)


def pages_of(quote: str, passage: Passage) -> tuple[int | None, int | None]:
    """Return the first and last page of a quote."""
    finding = QuotedText(passage.text).find(quote)
    source = passage.source_of(finding.start, finding.end)
    assert source["label_start"] == f"A{source['page_start']}"
    assert source["label_end"] == f"A{source['page_end']}"
    return source["page_start"], source["page_end"]


@pytest.mark.parametrize(
    ("quote", "pages"),
    [
        ("the lease of the house at the mill", (1, 1)),
        ("Rent is due on the first day", (3, 3)),
        ("on the first day of each month", (3, 4)),
        ("and never later than that", (4, 4)),
        ("Late rent bears interest at the agreed rate", (5, 5)),
        ("Interest Late rent bears interest at", (4, 5)),
    ],
)
def test_a_quote_is_on_the_page_where_it_stands(
    terms: Document, tmp_path: Path, quote: str, pages: tuple[int, int]
) -> None:
    """Across page breaks, before subsections and around blank pages, a quote has its own pages and their labels."""
    (passage,) = (one for one in passages_of(terms, tmp_path) if not QuotedText(one.text).find(quote).problem)
    assert pages_of(quote, passage) == pages


def squeezed(text: str) -> str:
    """Return the letters and digits of a text alone."""
    return re.sub(r"[\W_]+", "", text)


@pytest.mark.parametrize("name", ["nist-sp800-171r2.pdf", "fedramp-oscal-guide.pdf"])
def test_quotes_from_real_files_are_on_their_pages(shared: Path, tmp_path: Path, name: str) -> None:
    """Sentences of a file are found on the pages that their citations name, as another reader gives these pages."""
    file = shared / "docs" / name
    printed = [squeezed(page.get_textpage().get_text_bounded()) for page in pypdfium2.PdfDocument(file)]
    missing, looked_at = [], 0
    for passage in passages_of(read_document(file, document_id="x"), tmp_path):
        for sentence in re.findall(r"(?<=\. )[A-Z][a-z]+(?: [a-z]+,?){8,14}(?= )", passage.text):
            finding = QuotedText(passage.text).find(sentence)
            assert not finding.problem
            source = passage.source_of(finding.start, finding.end)
            assert source["page_start"] is not None
            assert source["page_end"] is not None
            looked_at += 1
            if squeezed(sentence) not in "".join(printed[source["page_start"] - 1 : source["page_end"]]):
                missing.append((sentence, source["page_start"], source["page_end"]))
    assert looked_at > 50
    assert len(missing) <= looked_at // 100, missing  # footers that stand between two pages
