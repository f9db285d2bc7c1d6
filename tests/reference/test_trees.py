from __future__ import annotations

from hypothesis import given

from reference.strategies import forests
from reference.trees import Forest, Node, ids_by_number, to_documents


@given(forests(tagged=True))
def test_to_documents(forest: Forest) -> None:
    """Drawn documents are whole trees of at most 200 sections, and numbers tell all sections apart."""
    documents = to_documents(forest)
    for document in documents:
        document.check()
    sections = [section for document in documents for section in document.sections]
    assert len(sections) <= 200
    assert {section.number: section.id for section in sections} == ids_by_number(forest)
    assert len({section.id for section in sections}) == len(ids_by_number(forest)) == len(sections)


def test_text_and_ids() -> None:
    """A section's text is its heading and, with a body, a line of its own; equal titles give different ids."""
    forest = {"a/d": Node("D", body=False, sections=(Node("A"), Node("A", sections=(Node(""),)), Node("A-2")))}
    (document,) = to_documents(forest)
    assert [section.id for section in document.sections] == ["a/d", "a/d/a", "a/d/a-2", "a/d/a-2/section", "a/d/a-2-2"]
    assert document.text == (
        "D\nA\ntext of a/d/a\nA\ntext of a/d/a-2\n\ntext of a/d/a-2/section\nA-2\ntext of a/d/a-2-2\n"
    )
    assert [section.body for section in document.sections[:2]] == ["", "text of a/d/a\n"]
