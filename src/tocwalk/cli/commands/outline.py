"""tocwalk outline: the table of contents of a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import corpus_option, index_option, json_option
from tocwalk.cli.output import write_json
from tocwalk.errors import NotFoundError

__all__ = ["command"]


@click.command("outline")
@click.argument("document", metavar="DOC")
@click.option("--in", "as_file", is_flag=True, help="DOC is a file: parse it, whatever the index holds.")
@click.option("--ids", "with_ids", is_flag=True, help="Show the sections' ids.")
@corpus_option
@index_option
@json_option
def command(*, document: str, as_file: bool, with_ids: bool, corpus: str, location: str | None, as_json: bool) -> None:
    """Show the table of contents of a document.

    DOC is the id of a document in the index, as `tocwalk documents` lists it, or the path of a file.
    """
    outline = _of_file(document) if as_file else _of_index_or_file(document, corpus, location)
    if as_json:
        write_json(outline)
    else:
        from tocwalk.cli.outlines import print_outline

        print_outline(outline, with_ids=with_ids)


def _of_index_or_file(document: str, corpus: str, location: str | None) -> dict[str, Any]:
    from tocwalk.indexing.records import outline_of_index

    try:
        with open_index(location, read_only=True) as index:
            return outline_of_index(index.document(corpus, document), index.outline(corpus, document))
    except NotFoundError:
        if not Path(document).is_file():
            raise
        return _of_file(document)


def _of_file(path: str) -> dict[str, Any]:
    from tocwalk.cli.parsing import parse_alone
    from tocwalk.indexing.records import outline_of_document

    return outline_of_document(parse_alone(Path(path), summaries="lead"), with_text=False)
