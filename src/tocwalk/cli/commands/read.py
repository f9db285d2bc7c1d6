"""tocwalk read: the text of a section."""

from __future__ import annotations

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import corpus_option, index_option, json_option
from tocwalk.cli.output import on_stdout, print_text, write_json

__all__ = ["command"]


@click.command("read")
@click.argument("section", metavar="SECTION")
@click.option("--subtree", is_flag=True, help="Print the text of all sections below it, too.")
@corpus_option
@index_option
@json_option
def command(*, section: str, subtree: bool, corpus: str, location: str | None, as_json: bool) -> None:
    """Print the text of a section.

    SECTION is its id, as `tocwalk ask` and `tocwalk outline --ids` show it.
    """
    with open_index(location, read_only=True) as index:
        head = index.find(corpus, section)
        text = index.read(corpus, section, subtree=subtree)
    if as_json:
        from tocwalk.indexing.records import section_record

        write_json(section_record(head, text=text, text_scope="subtree" if subtree else "own"))
        return
    print_text(on_stdout(), text)
    if head.children and not (head.has_body or subtree):
        from tocwalk.cli.wording import counted

        click.echo(f"No text of its own, but {counted(head.children, 'subsection')}: --subtree prints all.", err=True)
