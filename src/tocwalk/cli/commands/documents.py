"""tocwalk documents: what is in the index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import corpus_option, index_option, json_option
from tocwalk.cli.output import on_stdout, write_json

if TYPE_CHECKING:
    from tocwalk.index import DocumentRow

__all__ = ["command"]


@click.command("documents")
@corpus_option
@index_option
@json_option
def command(*, corpus: str, location: str | None, as_json: bool) -> None:
    """List the documents in the index."""
    with open_index(location, read_only=True) as index:
        rows = index.documents(corpus)
    if as_json:
        from tocwalk.cli.contracts import document_record

        write_json({"corpus": corpus, "documents": [document_record(row) for row in rows]})
    elif rows:
        _print(rows)
    else:
        click.echo(f"No documents in corpus {corpus!r}: `tocwalk index PATH` reads some.")


def _print(rows: Iterable[DocumentRow]) -> None:
    from rich.text import Text

    from tocwalk.cli.wording import counted, shown

    console = on_stdout()
    for row in rows:
        pages = [counted(row.pages, "page")] if row.pages else []
        size = [*pages, counted(row.sections - 1, "section"), counted(row.tokens, "token")]
        line = Text(shown(row.id), style="bold")
        line.append(f"  {shown(row.title)}", style="not bold")
        line.append(f"  {', '.join(size)}", style="not bold dim")
        console.print(line)
