"""Documents as trees: pure values that know nothing of files, databases or graphs."""

from tocwalk.tree.counted import counted
from tocwalk.tree.document import Document
from tocwalk.tree.safe_text import clip, clip_bytes, one_line
from tocwalk.tree.section import JsonScalar, Section, SectionHead, tokens_of_bytes

__all__ = [
    "Document",
    "JsonScalar",
    "Section",
    "SectionHead",
    "clip",
    "clip_bytes",
    "counted",
    "one_line",
    "tokens_of_bytes",
]
