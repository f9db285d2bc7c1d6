"""Finding the navigator for a model: installed ones, through the entry-point group `tocwalk.navigators`.

An entry point names a class, or any callable that returns a navigator. If it has a parameter named `operator`, it is
handed the operator's settings. It is loaded when a model is first resolved, and once.

Besides what `Navigator` asks for, a navigator may have:

- `check(model: str) -> None`: called before a walk starts, to raise a `ConfigurationError` that would else come
  with the first call: a missing key, for example. No network.
- `examples: Sequence[str]`: models it answers for, shown to people.
- `needs: str`: what must be set or installed before it can be used, shown to people; empty for nothing.
- `depends_on(request) -> Mapping | None`: all that its decision on an offer depends on, so that it can be kept and used
  again: see `tocwalk.navigators.cache`.
- `prompt_version: str`: names the words in which it asks, for the trace.
- `model: str`: its one model, by which errors call it where it was handed over in code.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from tocwalk.errors import NavigatorResolutionError, SettingsError
from tocwalk.navigators.protocol import Navigator
from tocwalk.state.operator import OperatorSettings

__all__ = ["ENTRY_POINT_GROUP", "InstalledNavigator", "NavigatorRegistry", "check_model", "navigator_of"]

ENTRY_POINT_GROUP = "tocwalk.navigators"


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledNavigator:
    """What people are told of an installed navigator."""

    name: str
    distribution: str
    examples: tuple[str, ...] = ()
    needs: str = ""
    error: str = ""
    """Why it cannot be loaded; empty if it can."""


@dataclass(frozen=True, slots=True)
class _Plugin:
    """An entry point with what came of loading it: a navigator or an error."""

    told: InstalledNavigator
    navigator: Navigator | None
    error: Exception | None

    @property
    def label(self) -> str:
        """Name and distribution, for messages."""
        return f"{self.told.name!r} of {self.told.distribution}"

    def described(self) -> str:
        """Return the label with examples, or with what is wrong."""
        if self.error:
            return f"{self.label} (cannot be loaded: {self.told.error})"
        return f"{self.label} (for example {', '.join(self.told.examples)})" if self.told.examples else self.label


class NavigatorRegistry:
    """The navigators that are installed. The order in which they are found never decides anything."""

    def __init__(self, found: Iterable[EntryPoint], *, operator: OperatorSettings | None = None) -> None:
        """Take entry points without loading them.

        Args:
            found: One per navigator; duplicates are kept and are errors where they both support a model.
            operator: Handed to navigators that ask for it, and the source of the allow-list; None: the environment's.
        """
        self.operator = operator or OperatorSettings.from_environment()
        self._found = sorted(found, key=lambda entry: (entry.name, _distribution(entry), entry.value))
        self._loaded: list[_Plugin] | None = None
        self._loading = threading.Lock()

    @classmethod
    def from_entry_points(cls, operator: OperatorSettings | None = None) -> NavigatorRegistry:
        """Return the registry of all installed distributions, this one included."""
        return cls(entry_points(group=ENTRY_POINT_GROUP), operator=operator)

    def resolve(self, model: str) -> Navigator:
        """Return the one navigator that supports `model`.

        Raises:
            SettingsError: `model` is blank.
            NavigatorResolutionError: The operator does not allow `model`; or none supports it, or several do; or
                the navigator named like the model's provider cannot be loaded.
        """
        if not model.strip():
            raise SettingsError(f"No model was named, got {model!r}: set `navigator_model` to `provider:model`.")
        if not self.operator.allows(model):
            allowed = ", ".join(self.operator.models)
            raise NavigatorResolutionError(f"The operator does not allow the model {model!r}; allowed are: {allowed}.")
        plugins = self._plugins()
        for plugin in plugins:
            if plugin.error and plugin.told.name == model.partition(":")[0]:
                raise NavigatorResolutionError(
                    f"{model!r} cannot be used: the navigator {plugin.label} cannot be loaded: {plugin.told.error}."
                ) from plugin.error
        supporting = [plugin for plugin in plugins if plugin.navigator and plugin.navigator.supports(model)]
        if len(supporting) > 1:
            names = ", ".join(plugin.label for plugin in supporting)
            raise NavigatorResolutionError(f"Several navigators support {model!r}: {names}. Uninstall all but one.")
        if not supporting or supporting[0].navigator is None:
            installed = "; ".join(plugin.described() for plugin in plugins) or "none"
            raise NavigatorResolutionError(f"No installed navigator supports {model!r}. Installed: {installed}.")
        return supporting[0].navigator

    def installed(self) -> list[InstalledNavigator]:
        """Return what people are told of the installed navigators, ordered by name."""
        return [plugin.told for plugin in self._plugins()]

    def _plugins(self) -> list[_Plugin]:
        with self._loading:
            if self._loaded is None:
                self._loaded = [self._load(entry) for entry in self._found]
            return self._loaded

    def _load(self, entry: EntryPoint) -> _Plugin:
        navigator, error = None, None
        try:
            navigator = self._navigator(entry.load())
        except Exception as caught:  # noqa: BLE001 - strangers' code; raised by `resolve` where it matters
            error = caught
        told = InstalledNavigator(
            name=entry.name,
            distribution=_distribution(entry),
            examples=tuple(getattr(navigator, "examples", ())),
            needs=str(getattr(navigator, "needs", "")),
            error=f"{type(error).__name__}: {error}" if error else "",
        )
        return _Plugin(told, navigator, error)

    def _navigator(self, factory: Callable[..., Any]) -> Navigator:
        wants_operator = "operator" in inspect.signature(factory).parameters
        navigator = factory(operator=self.operator) if wants_operator else factory()
        if not isinstance(navigator, Navigator):
            raise TypeError(f"{factory!r} returned {navigator!r}, which has no `supports` and `decide`")
        return navigator


def navigator_of(given: object) -> Navigator:
    """Return the navigator that was handed over in code: itself, or a chat model's.

    Args:
        given: A navigator, or a LangChain chat model, which is asked by `ChatNavigator`.

    Raises:
        SettingsError: It is neither.
    """
    if isinstance(given, Navigator) and not isinstance(given, type):
        return given
    from langchain_core.language_models import BaseChatModel

    if isinstance(given, BaseChatModel):
        from tocwalk.navigators.chat import ChatNavigator

        return ChatNavigator(given)
    raise SettingsError(
        f"{given!r} is not a navigator: hand over an object with `supports` and `decide`, or a LangChain chat model."
    )


def check_model(navigator: Navigator, model: str) -> None:
    """Let `navigator` say, before a walk starts, that it cannot be used as it is set up.

    Raises:
        ConfigurationError: What it says.
    """
    check = getattr(navigator, "check", None)
    if callable(check):
        check(model)


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown distribution"
