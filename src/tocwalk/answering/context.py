"""The settings of an answering run, those of its walks included."""

from __future__ import annotations

from pydantic import Field

from tocwalk.state import WalkContext

__all__ = ["AnswerContext"]


class AnswerContext(WalkContext):
    """Settings of an answer. Those of a walk hold for all walks of the run together, where they are budgets."""

    answer_model: str | None = Field(
        default=None,
        description="Chat model that plans, judges and writes: `openai:MODEL`. Empty: the operator's"
        " (TOCWALK_ANSWER_MODEL).",
        json_schema_extra={"langgraph_nodes": ["plan", "judge", "write"]},
    )
    max_questions: int = Field(
        default=4, ge=1, le=20, strict=True, description="Questions that one round of walks is split into at most."
    )
    max_rounds: int = Field(
        default=3, ge=1, le=20, strict=True, description="Rounds of looking: the first, and those that ask again."
    )
    max_references: int = Field(
        default=3, ge=0, le=50, strict=True, description="Cross-references followed at most in one round."
    )
    evidence_tokens: int = Field(
        default=24_000,
        ge=100,
        le=1_000_000,
        strict=True,
        description="Size of the text that one answer is written from.",
    )
    answer_timeout_s: float = Field(
        default=120.0, gt=0, le=3600, allow_inf_nan=False, description="Seconds for one call of the answering model."
    )
    writing_instructions: str = Field(
        default="",
        max_length=4000,
        description="What the writer is told beside its task: language, tone, length. The rules on quotes stay as they"
        " are.",
        json_schema_extra={"langgraph_nodes": ["write"], "langgraph_type": "prompt"},
    )
