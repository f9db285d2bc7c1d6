"""A compiled graph whose recursion limit is never too small for a walk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, ValidationError

from tocwalk.errors import InputError
from tocwalk.state import VISITS_CEILING
from tocwalk.state.context import settings_error
from tocwalk.tree import clip

__all__ = ["STEPS_LIMIT", "WalkGraph", "compiled"]

STEPS_LIMIT = 6 * VISITS_CEILING + 16
"""Super-steps of the longest walk: one visit a wave, each with a second asking, and what begins and ends it."""

_SHOWN = 200  # characters of a wrong input in an error: it may be a whole document


class WalkGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """Raises the recursion limit where it comes in too small: from a parent, `.batch`, a tool or a lambda.

    The budget of visits is what bounds a walk; a limit of 25 super-steps would cut it after the fifth visit.
    """

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:  # noqa: A002 - the base's name
        """Stream a run; see `CompiledStateGraph.stream`.

        Raises:
            InputError: The input is a bare text, number or list.
            SettingsError: The context holds what is no setting, or one out of bounds.
        """
        return super().stream(self._keyed(input), _raised(config), **self._checked(kwargs))

    def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Any]:  # noqa: A002 - the base's name
        """Stream a run; see `CompiledStateGraph.astream` and `stream`."""
        return super().astream(self._keyed(input), _raised(config), **self._checked(kwargs))

    def _keyed(self, given: Any) -> Any:
        """Return the input of a run, unless it is one value without its key: LangGraph would tell of its own parts."""
        if isinstance(given, str | int | float | list | tuple):
            keys = ", ".join(self.get_input_jsonschema()["properties"])
            raise InputError(f"The input of a run is an object with keys ({keys}), got {clip(f'{given!r}', _SHOWN)}.")
        return given

    def _checked(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options of a run with its settings made, so that a wrong one is named in our words."""
        context, schema = options.get("context"), self.builder.context_schema
        if not isinstance(context, dict) or not (isinstance(schema, type) and issubclass(schema, BaseModel)):
            return options
        try:
            return {**options, "context": schema.model_validate(context)}
        except ValidationError as error:
            raise settings_error(error) from error


def compiled(builder: StateGraph[Any, Any, Any, Any], **options: Any) -> WalkGraph:
    """Return the graph of a builder, compiled with these options."""
    graph: Any = builder.compile(**options)
    # `compile` offers no way to name the class of what it returns.
    graph.__class__ = WalkGraph
    return cast("WalkGraph", graph)


def _raised(config: RunnableConfig | None) -> RunnableConfig:
    given = RunnableConfig() if config is None else config
    return {**given, "recursion_limit": max(given.get("recursion_limit", 0), STEPS_LIMIT)}
