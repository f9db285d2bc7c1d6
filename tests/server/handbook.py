"""The documents that servers of tests are asked about, and who asks."""

from __future__ import annotations

from pathlib import Path

from reference.trees import Node, to_documents
from tocwalk.index import TreeIndex

__all__ = ["ACME_HANDBOOK", "headers_of", "make_index"]

ACME_HANDBOOK = "# Acme handbook\n\n## Sick leave\n\nTen days at Acme.\n\n## Pay\n\nMonthly.\n"
"""What only users of the tenant acme may find."""


def make_index(folder: Path) -> None:
    """Index a handbook whose titles alone tell where an answer is."""
    leave = Node("Leave", sections=(Node("Annual leave"), Node("Sick leave"), Node("Parental leave")))
    pay = Node("Pay", sections=(Node("Overtime rates"), Node("Pension")))
    handbook = Node("Staff handbook", sections=(Node("Purpose"), leave, pay))
    with TreeIndex(folder / "index.db") as index:
        for document in to_documents({"handbook": handbook}):
            index.put(document, parser_version="1", summaries="none")


def headers_of(user: str) -> dict[str, str]:
    """Return what a user of examples/auth sends with each request."""
    return {"Authorization": f"Bearer key-of-{user}"}
