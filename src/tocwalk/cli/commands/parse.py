"""tocwalk parse: what becomes of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tocwalk.cli.options import json_option, summaries_option
from tocwalk.cli.output import write_json

if TYPE_CHECKING:
    from tocwalk.ingest.parse import Summaries

__all__ = ["command"]


@click.command("parse")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--ids", "with_ids", is_flag=True, help="Show the sections' ids.")
@summaries_option
@json_option
def command(*, file: Path, with_ids: bool, summaries: Summaries, as_json: bool) -> None:
    """Show what becomes of a file, without an index.

    Prints the table of contents that was found; with --json the sections with their texts, in reading order.
    """
    from tocwalk.cli.parsing import parse_alone
    from tocwalk.indexing.records import outline_of_document

    outline = outline_of_document(parse_alone(file, summaries=summaries), with_text=True)
    if as_json:
        write_json(outline)
    else:
        from tocwalk.cli.outlines import print_outline

        print_outline(outline, with_ids=with_ids)
