"""What a caller may send: the question, its scope, its budget."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from langgraph.channels import EphemeralValue
from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

__all__ = ["FilterScalar", "FilterValue", "WalkInput"]

FilterScalar: TypeAlias = str | int | float | bool | None
"""What a filter may compare with."""


def _of_one_form(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    """Return a usable filter value; of what is none say one thing, not what is wrong with it for every type."""
    try:
        return handler(value)
    except ValidationError:
        raise ValueError("A filter is text, a number, true, false or null, or a list of these for 'one of'") from None


FilterValue: TypeAlias = Annotated[FilterScalar | list[FilterScalar], WrapValidator(_of_one_form)]
"""A value that metadata must have, or a list of which they must have one."""


class WalkInput(BaseModel):
    """A question for the documents of one corpus.

    Every key is ephemeral: it reaches the first node of the run and is gone, so that a thread used again
    starts fresh. LangGraph does not validate it; `start_walk` does.
    """

    query: Annotated[str, EphemeralValue] = Field(description="The question, in plain words.")
    corpus: Annotated[str, EphemeralValue] = Field(default="default", description="The set of documents to ask.")
    only_documents: Annotated[list[str] | None, EphemeralValue] = Field(
        default=None, description="Ids of the documents to look in; empty: all."
    )
    filters: Annotated[dict[str, FilterValue] | None, EphemeralValue] = Field(
        default=None,
        description="Metadata that must match: a value, or a list for 'one of'. A plain key is a document's and tested "
        "before the walk, a key `section.x` is a section's and tested on what landed.",
    )
    visits: Annotated[int | None, EphemeralValue] = Field(
        default=None, ge=0, description="Visit budget of this run; the setting `max_visits` is a ceiling to it."
    )
    cancel: Annotated[bool, EphemeralValue] = Field(default=False, description="True: start nothing.")
