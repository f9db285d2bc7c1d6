"""tocwalk remove: take documents out of the index."""

from __future__ import annotations

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import corpus_option, index_option, json_option
from tocwalk.cli.output import write_json

__all__ = ["command"]


@click.command("remove")
@click.argument("documents", nargs=-1, required=True, metavar="DOC...")
@corpus_option
@index_option
@json_option
def command(*, documents: tuple[str, ...], corpus: str, location: str | None, as_json: bool) -> None:
    """Take documents out of the index.

    A DOC is an id, as `tocwalk documents` lists it; if one of them is not there, none is removed. Questions under way
    still see the documents.
    """
    removed = list(dict.fromkeys(documents))
    # An index that is not there is not made only to find nothing in it.
    with open_index(location, read_only=True) as index:
        for document_id in removed:
            index.document(corpus, document_id)
    with open_index(location, read_only=False) as index:
        generation = [index.remove(corpus, document_id) for document_id in removed][-1]
        index.collect()
    if as_json:
        write_json({"corpus": corpus, "removed": removed, "index_version": generation})
    else:
        from tocwalk.cli.wording import shown

        click.echo(f"Removed {', '.join(map(shown, removed))}.")
