"""What a walk found, as `ask --json` prints it. Others rely on these names: add some, rename none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tocwalk.cli.walking import Question, Walked

__all__ = ["walked_record"]


def walked_record(question: Question, walked: Walked, *, with_text: bool) -> dict[str, Any]:
    """Return what a walk found, with what was asked of whom."""
    sections: list[dict[str, Any]] = [dict(section) for section in walked.output["sections"]]
    if not with_text:
        sections = [{key: value for key, value in section.items() if key != "text"} for section in sections]
    return {
        "query": question.query,
        "navigator": question.settings.navigator_model,
        "index_version": walked.generation,
        "corpus": question.corpus,
        "only_documents": list(question.documents) or None,
        "filters": dict(question.filters) or None,
        "settings": question.settings.model_dump(mode="json"),
        **walked.output,
        "sections": sections,
    }
