"""Other names for the question and the sections, so that the walk shares them with the graph around it.

The channels themselves are renamed, so the graph stays what it is: one level, every node in its drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_type_hints

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from pydantic import BaseModel, create_model
from typing_extensions import TypedDict

from tocwalk.errors import SettingsError
from tocwalk.nodes.start_walk import StartInput
from tocwalk.state import Update, WalkContext, WalkInput, WalkOutput, WalkState

__all__ = ["Names"]

_Start: TypeAlias = Callable[[Any, RunnableConfig, Runtime[WalkContext]], Update]
_Emit: TypeAlias = Callable[[Any], Update]


@dataclass(frozen=True, slots=True)
class Names:
    """How the question and the sections are called outside.

    Raises:
        SettingsError: A name is blank, or another key of the walk's state has it.
    """

    query: str = "query"
    sections: str = "sections"

    def __post_init__(self) -> None:
        taken = {*WalkInput.model_fields, *get_type_hints(WalkState)} - {"query", "sections"}
        for option, name in (("query_key", self.query), ("sections_key", self.sections)):
            if not name.strip() or name in taken:
                raise SettingsError(f"{option}={name!r} cannot be used: it is blank, or a key of the walk itself.")
        if self.query == self.sections:
            raise SettingsError(f"query_key and sections_key are both {self.query!r}: they must differ.")

    @property
    def changed(self) -> Mapping[str, str]:
        """Those that are not the walk's own, by the walk's own."""
        pairs = {"query": self.query, "sections": self.sections}
        return {own: name for own, name in pairs.items() if own != name}

    def schema(self, own: type[Any]) -> Any:
        """Return one of the walk's schemas under these names: the class itself if nothing is changed."""
        hints = get_type_hints(own, include_extras=True)
        if not self.changed.keys() & hints.keys():
            return own
        if issubclass(own, BaseModel):
            fields: dict[str, Any] = {
                self._outside(name): (hints[name], field) for name, field in own.model_fields.items()
            }
            return create_model(own.__name__, __doc__=own.__doc__, **fields)
        total: bool = getattr(own, "__total__", True)
        # A `TypedDict` that is made at run time has a type that no checker knows.
        make: Any = TypedDict
        return make(own.__name__, {self._outside(name): hint for name, hint in hints.items()}, total=total)

    def start(self, node: _Start) -> tuple[Any, Any]:
        """Return `start_walk` under these names, and the schema of what it reads."""

        def start_walk(state: dict[str, Any], config: RunnableConfig, runtime: Runtime[WalkContext]) -> Update:
            return self._update(node(self._inside(state), config, runtime))

        return (start_walk if self.changed else node), self.schema(StartInput)

    def emit(self, node: _Emit) -> _Emit:
        """Return `emit_landed` under these names."""

        def emit_landed(state: dict[str, Any]) -> Update:
            return self._update(node(state))

        return emit_landed if self.changed else node

    def schemas(self) -> tuple[Any, Any, Any]:
        """Return the schemas of state, input and output."""
        return self.schema(WalkState), self.schema(WalkInput), self.schema(WalkOutput)

    def _outside(self, name: str) -> str:
        return self.changed.get(name, name)

    def _inside(self, values: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: key for key, name in self.changed.items()}
        return {own.get(name, name): value for name, value in values.items()}

    def _update(self, update: Update) -> Update:
        return {self._outside(name): value for name, value in update.items()}
