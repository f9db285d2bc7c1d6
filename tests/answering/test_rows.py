"""Rows of tables, as each format of documents gives them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from tocwalk.answering.rows import table_rows
from tocwalk.ingest import read_document

ROWS = ["Floor", "Rent"], ["Ground floor", "1,200"], ["Attic", "950"]


def _markdown() -> bytes:
    return b"# Lease\n\n| Floor | Rent |\n|---|---:|\n| Ground floor | 1,200 |\n| Attic | 950 |\n\nRent | is due.\n"


def _markdown_without_outer_bars() -> bytes:
    return b"# Lease\n\nFloor | Rent\n--- | ---\nGround floor | 1,200\nAttic | 950\n"


def _html() -> bytes:
    cells = "".join(f"<tr><td>{floor}</td><td>{rent}</td></tr>" for floor, rent in ROWS)
    return f"<html><body><h1>Lease</h1><table>{cells}</table><p>Rent is due.</p></body></html>".encode()


def _html_of_unequal_rows() -> bytes:
    return _html().replace(b"</td></tr></table>", b"</td><td></td></tr></table>")


def _word(folder: Path) -> bytes:
    document = docx.Document()
    document.add_heading("Lease", 1)
    table = document.add_table(len(ROWS), 2)
    for cells, row in zip(ROWS, table.rows, strict=True):
        for text, cell in zip(cells, row.cells, strict=True):
            cell.text = text
    document.save(str(folder / "made.docx"))
    return (folder / "made.docx").read_bytes()


def _simple_rst() -> bytes:
    border = "============  ====="
    head, *rows = (f"{floor:12}  {rent}" for floor, rent in ROWS)
    return "\n".join(["Lease", "=====", "", border, head, border, *rows, border, ""]).encode()


def _grid_rst() -> bytes:
    border = "+--------------+-------+"
    rows = f"\n{border}\n".join(f"| {floor:12} | {rent:5} |" for floor, rent in ROWS)
    return f"Lease\n=====\n\n{border}\n{rows}\n{border}\n".encode()


def _asciidoc() -> bytes:
    rows = "\n".join(f"|{floor} |{rent}" for floor, rent in ROWS)
    return f"= Lease\n\n== Rent\n\n|===\n{rows}\n|===\n".encode()


def _plain() -> bytes:
    rows = "\n".join(f"   {floor:12}   {rent:>5}" for floor, rent in ROWS)
    return f"1. Lease\n\n{rows}\n\n2. End\n\n   It ends here.\n".encode()


def _plain_with_tabs() -> bytes:
    return b"1. Lease\n\nFloor\tRent\nGround floor\t1,200\nAttic\t950\n\n2. End\n\nIt ends here.\n"


MADE: dict[str, Callable[[], bytes]] = {
    "lease.md": _markdown,
    "bare.md": _markdown_without_outer_bars,
    "lease.html": _html,
    "unequal.html": _html_of_unequal_rows,
    "simple.rst": _simple_rst,
    "grid.rst": _grid_rst,
    "lease.adoc": _asciidoc,
    "lease.txt": _plain,
    "tabs.txt": _plain_with_tabs,
}


def rows_of(text: str) -> list[list[str]]:
    """Return the words of each row."""
    return [text[start:end].replace("|", " ").split() for start, end in table_rows(text)]


@pytest.mark.parametrize("name", [*MADE, "lease.docx"])
def test_the_rows_of_every_format_are_known(name: str, tmp_path: Path) -> None:
    """Whatever a document was read from, the rows of its table are rows, its rules and its prose are none."""
    file = tmp_path / name
    file.write_bytes(_word(tmp_path) if name == "lease.docx" else MADE[name]())
    text = "".join(section.text for section in read_document(file, document_id="lease").sections)
    assert rows_of(text) == [" ".join(cells).split() for cells in ROWS]


PRINTED = """\
                                 Number     Share of
Category                         of cases   all cases

Deposit error resolution               19        12.5
Fraud                                  25        16.4
Inaccurate
   credit reporting                    27        17.8
"""


def test_columns_of_a_printed_page_make_rows() -> None:
    """In a table that was laid out from a PDF file, cells stand below each other; a part of a label is no row."""
    assert [" ".join(row) for row in rows_of(PRINTED)] == [
        "Number Share of",
        "Category of cases all cases",
        "Deposit error resolution 19 12.5",
        "Fraud 25 16.4",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The rent  is due.\n",
        "All of it was paid in May.  Rent is due.\nNone was paid later in all.  It is gone.\n",
        "1.  The tenant pays.\n2.  The landlord repairs.\n3.  Both sign.\n",
        "a)  to pay\nb)  to repair\n",
        "-   pay rent\n-   repair it\n",
        "2  Rent\n\n3  Repairs\n",
        "Rent | due\n\nRepairs | due\n",
        "cat rents | sort\n",
        "|---|---|\n|---|---|\n",
        "| Ground | |\n| First | |\n",
        "The  rent of the\nground floor   is due\n",
        "\tindented\n\tlines\n",
    ],
)
def test_prose_lists_and_headings_are_no_tables(text: str) -> None:
    """Two blanks behind a sentence or an item's number, a bar, or an indent make no row."""
    assert rows_of(text) == []
