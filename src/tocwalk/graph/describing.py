"""What each node does, in a sentence: drawings of the graphs carry it, for Studio and for pages like it."""

from __future__ import annotations

__all__ = ["described"]

_NODES = {
    "start_walk": "Checks question and settings, and pins what must not change on the way.",
    "budget_check": "The gate before money is spent: ends the walk, or takes the next wave.",
    "present_children": "Builds the offers: as much of the outline below each opened section as fits.",
    "navigator_decide": "Asks the navigator about one offer.",
    "validate_choice": "Checks every pick against its offer, and opens or lands it.",
    "emit_landed": "Reads the text of what landed, and writes the result.",
    "plan": "Puts the question in full words, splits it if it needs it, chooses documents.",
    "retrieve": "One walk for one question.",
    "follow": "Reads the section that a cross-reference leads to.",
    "judge": "Is this enough? If not: what else to ask, and which references to follow.",
    "write": "Writes the answer as statements with quotes; once more what was not proved.",
    "check_citations": "Looks every quote up in the section it names.",
    "index_documents": "Reads what came, each document for itself, and stores its tree.",
    "outline_documents": "Returns the trees of what was stored.",
}


def described(node: str) -> dict[str, str]:
    """Return the metadata of a node."""
    return {"description": _NODES[node]}
