"""The settings of a walk, per assistant or per call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tocwalk.errors import SettingsError
from tocwalk.state.faults import faults

__all__ = ["DEFAULT_MODEL", "VISITS_CEILING", "WalkContext", "settings_error"]

DEFAULT_MODEL = "lexical:outline"
"""The embedded navigator: offline, deterministic, free. It does not reason."""

VISITS_CEILING = 1000
"""No setting allows more visits in one run."""


class WalkContext(BaseModel):
    """Settings of a walk. Every one has a default; a LangGraph server shows them as a form."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    navigator_model: str = Field(
        default=DEFAULT_MODEL,
        description="Who judges: `provider:model`, like `openai:gpt-5-mini`. `lexical:outline` is offline and free.",
        json_schema_extra={"langgraph_nodes": ["navigator_decide"]},
    )
    max_visits: int = Field(
        default=15, ge=0, le=VISITS_CEILING, strict=True, description="Most offers opened in a run, across all paths."
    )
    max_depth: int = Field(
        default=6, ge=0, le=1000, strict=True, description="Deepest level looked at on any path; a document is 0."
    )
    max_picks: int = Field(
        default=3, ge=1, le=100, strict=True, description="`open` picks followed per decision; `take` is not limited."
    )
    parallel: int = Field(default=4, ge=1, le=64, strict=True, description="Navigator calls in flight at once.")
    offer_tokens: int = Field(
        default=6000, ge=100, le=1_000_000, strict=True, description="Size of the outline in one offer, in tokens."
    )
    offer_levels: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        strict=True,
        description="Levels shown at most in one offer; empty: as many as fit.",
    )
    max_results: int = Field(default=10, ge=1, le=1000, strict=True, description="Sections returned at most.")
    max_section_tokens: int = Field(
        default=8000,
        ge=0,
        le=1_000_000_000,
        strict=True,
        description="A section with subsections comes with all their text up to this size, else with their titles.",
    )
    max_tokens: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000_000,
        strict=True,
        description="Most model tokens spent in a run, input and output together; empty: no limit.",
    )
    max_cost: float | None = Field(
        default=None,
        ge=0,
        strict=True,
        allow_inf_nan=False,
        description="Most money spent in a run; needs the model's prices. Empty: no limit.",
    )
    backtrack: bool = Field(
        default=True, strict=True, description="A rejected section gives the one it was picked from another try."
    )
    on_failure: Literal["raise", "partial"] = Field(
        default="raise",
        description="When a navigator gives no decision: `raise` the error, or land where the path stands and go on.",
    )
    decide_timeout_s: float = Field(
        default=60.0, gt=0, le=3600, allow_inf_nan=False, description="Seconds for one decision, retries included."
    )
    step: bool = Field(
        default=False,
        description="Interrupt the run after each wave of decisions, for a person to approve or edit them. Needs a"
        " checkpointer.",
    )

    @classmethod
    def of(cls, context: object) -> Self:
        """Return the settings in `context`, whatever a graph was handed.

        Args:
            context: None, these settings, or a parent graph's own context (a mapping or an object), of which
                the keys that are settings of a walk are taken and all others left alone.

        Raises:
            SettingsError: A setting is of the wrong type or out of bounds.
        """
        if context is None:
            return cls()
        if type(context) is cls:
            return context
        if not isinstance(context, Mapping) and type(context).__module__ == "builtins":
            raise SettingsError(f"Settings of the walk come as a mapping or a `WalkContext`, got {context!r}.")
        if isinstance(context, Mapping):
            values: dict[str, Any] = {name: context[name] for name in cls.model_fields if name in context}
        else:
            values = {name: getattr(context, name) for name in cls.model_fields if hasattr(context, name)}
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise settings_error(error) from error


def settings_error(error: ValidationError) -> SettingsError:
    """Return what pydantic found wrong with settings as one sentence for a user."""
    return SettingsError(f"The settings cannot be used: {faults(error)}. Look at their names and bounds.")
