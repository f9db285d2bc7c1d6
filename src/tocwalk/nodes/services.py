"""What the nodes work with and the state does not hold: index, navigators, the operator's settings."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tocwalk.errors import NavigatorResolutionError
from tocwalk.index.reader import TreeReader
from tocwalk.navigators.cache import cached
from tocwalk.navigators.protocol import Navigator
from tocwalk.navigators.registry import NavigatorRegistry, check_model
from tocwalk.state import DEFAULT_MODEL, Place, Request, WalkContext, WalkState
from tocwalk.state.operator import OperatorSettings
from tocwalk.walk.offer import Offer
from tocwalk.walk.view import WalkView
from tocwalk.walk.window import build_offer

__all__ = ["Services"]

_VIEWS = 8
_OFFERS = 128
_FAILURES = 1000

T = TypeVar("T")


class _Recent(Generic[T]):
    """The most recent values by key; safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get_or_make(self, key: str, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        self.put(key, value)
        return value

    def put(self, key: str, value: T) -> None:
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)

    def pop(self, key: str) -> T | None:
        with self._lock:
            return self._values.pop(key, None)


@dataclass
class Services:
    """Shared by all runs of one graph.

    Views and offers follow from what the state pins, so they may be kept: what is lost is made again.
    """

    open_index: Callable[[], TreeReader]
    """Returns the index; called at each use, so that a process may start before its index exists."""
    operator: OperatorSettings
    registry: NavigatorRegistry
    navigator: Navigator | None = None
    """Handed over in code; serves instead of the registry."""
    _views: _Recent[WalkView] = field(default_factory=lambda: _Recent[WalkView](_VIEWS))
    _offers: _Recent[Offer] = field(default_factory=lambda: _Recent[Offer](_OFFERS))
    failures: _Recent[Exception] = field(default_factory=lambda: _Recent[Exception](_FAILURES))
    """Exceptions of failed decisions, by the key in the decision, until the wave is over."""

    def resolve(self, model: str) -> Navigator:
        """Return the navigator for `model`, ready to be asked.

        Raises:
            ConfigurationError: There is none, or it cannot be used as it is set up.
        """
        navigator = self.navigator
        if navigator is None:
            navigator = self.registry.resolve(model)
        elif model != DEFAULT_MODEL and not navigator.supports(model):
            raise NavigatorResolutionError(
                f"This graph was built with {navigator!r}, which does not support {model!r}:"
                " leave `navigator_model` out, or build the graph without a navigator."
            )
        check_model(navigator, model)
        return navigator

    def navigator_for(self, model: str, user: str) -> Navigator:
        """Return the navigator for `model`, with the decisions that are kept for a user, if the operator keeps any.

        Those on documents of another tenant are never used.

        Raises:
            ConfigurationError: As `resolve`.
        """
        navigator = self.resolve(model)
        if not self.operator.decision_cache:
            return navigator
        return cached(navigator, tenant=(str(getattr(self.open_index(), "tenant", "")), user))

    def model_for(self, model: str) -> str:
        """Return what a navigator is told it was asked for, and is called in errors.

        One handed over in code is asked for by its own model, or if it has none by the name of its class.
        """
        if self.navigator is None or model != DEFAULT_MODEL:
            return model
        return str(getattr(self.navigator, "model", type(self.navigator).__name__))

    def view(self, request: Request, generation: int, settings: WalkContext) -> WalkView:
        """Return the trees as a run sees them."""
        scope = [request["corpus"], request["only_documents"], request["filters"], generation, settings.max_depth]
        return self._views.get_or_make(
            _key(scope),
            lambda: WalkView(self.open_index(), request, generation=generation, max_depth=settings.max_depth),
        )

    def view_of(self, state: WalkState) -> WalkView:
        """Return the trees as the run of this state sees them."""
        return self.view(state["request"], state["generation"], WalkContext(**state["settings"]))

    def offer(
        self, request: Request, generation: int, settings: WalkContext, place: Place, rejected: Sequence[Place]
    ) -> Offer:
        """Return the offer of an open place."""
        scope = [request["corpus"], request["only_documents"], request["filters"], generation, settings.max_depth]
        window = [settings.offer_tokens, settings.offer_levels]

        def make() -> Offer:
            view = self.view(request, generation, settings)
            return build_offer(
                view,
                view.item(place),
                rejected=rejected,
                tokens=settings.offer_tokens,
                levels=settings.offer_levels,
            )

        return self._offers.get_or_make(_key([scope, window, place["id"], [r["id"] for r in rejected]]), make)

    def offer_of(self, state: WalkState, id_: str, rejected: Sequence[Place] | None = None) -> Offer:
        """Return the offer of an open place of this state."""
        without = state["rejected"].get(id_, []) if rejected is None else rejected
        place = state["seen"][id_]["place"]
        return self.offer(state["request"], state["generation"], WalkContext(**state["settings"]), place, without)


def _key(values: Any) -> str:
    return json.dumps(values, sort_keys=True)
