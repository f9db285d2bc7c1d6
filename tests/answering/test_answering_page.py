"""docs/answering.md is true."""

from __future__ import annotations

import re
from pathlib import Path

from tocwalk.answering import AnswerContext, AnswerInput, AnswerOutput
from tocwalk.graph import answer_graph
from tocwalk.state import WalkContext

PAGE = (Path(__file__).parents[2] / "docs" / "answering.md").read_text("utf-8")


def test_the_drawing_is_the_graph_s() -> None:
    """The page's picture has the nodes and edges of the compiled graph."""
    (drawing,) = re.findall(r"```mermaid\n(.*?)```", PAGE, re.DOTALL)
    assert drawing.strip() == answer_graph.get_graph().draw_mermaid(with_styles=False).strip()


def test_every_key_is_named() -> None:
    """Inputs, outputs and settings that a walk does not have are all explained."""
    own = set(AnswerContext.model_fields) - set(WalkContext.model_fields)
    names = {*AnswerInput.model_fields, *AnswerOutput.__annotations__, *own}
    assert {name for name in names if f"`{name}`" not in PAGE} == set()
