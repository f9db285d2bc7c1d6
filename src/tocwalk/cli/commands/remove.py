"""tocwalk remove: take a document out of the index."""

from __future__ import annotations

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import corpus_option, index_option, json_option
from tocwalk.cli.output import write_json

__all__ = ["command"]


@click.command("remove")
@click.argument("document", metavar="DOC")
@corpus_option
@index_option
@json_option
def command(*, document: str, corpus: str, location: str | None, as_json: bool) -> None:
    """Take a document out of the index.

    DOC is its id, as `tocwalk documents` lists it. Questions under way still see the document.
    """
    # An index that is not there is not made only to find nothing in it.
    open_index(location, read_only=True).close()
    with open_index(location, read_only=False) as index:
        generation = index.remove(corpus, document)
        index.collect()
    if as_json:
        write_json({"corpus": corpus, "removed": document, "index_version": generation})
    else:
        from tocwalk.cli.wording import shown

        click.echo(f"Removed {shown(document)}.")
