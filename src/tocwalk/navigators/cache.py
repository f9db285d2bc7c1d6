"""The decision cache: what a navigator has decided once costs nothing the second time.

It sits around a navigator, inside the time of one decision: a visit stays a visit, and only decisions that could be
followed are kept, never failures.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from weakref import WeakValueDictionary

from tocwalk.models.usage import Usage
from tocwalk.navigators.protocol import OWN_BODY, Decision, Navigator, NavigatorRequest
from tocwalk.navigators.received import usable_decision

if TYPE_CHECKING:
    from tocwalk.navigators.decision_store import DecisionStore

__all__ = ["CachedNavigator", "Repeatable", "cached", "decision_key"]

_FORMAT = 1  # of keys and of what is kept under them


@runtime_checkable
class Repeatable(Navigator, Protocol):
    """A navigator that says what its decisions depend on."""

    async def depends_on(self, request: NavigatorRequest) -> Mapping[str, Any] | None:
        """Return all that the decision on an offer depends on, as JSON values.

        The visits left are not part of it. None: the decision must not be kept.
        """
        ...


def cached(navigator: Navigator, *, tenant: Sequence[str]) -> Navigator:
    """Return the navigator with the cache of this machine around it, if it says what its decisions depend on.

    Args:
        navigator: Who judges.
        tenant: Whose decisions, by as many names as tell them apart: those of other tenants are never used.
    """
    return CachedNavigator(navigator, tenant=tenant) if isinstance(navigator, Repeatable) else navigator


class CachedNavigator:
    """Asks a navigator only what it has not decided before.

    Of equal requests that come at the same time on one event loop, the navigator is asked one; where that fails, the
    next.
    """

    def __init__(
        self, navigator: Repeatable, *, tenant: Sequence[str], store: Callable[[], DecisionStore | None] | None = None
    ) -> None:
        """Take whom to ask, for whom, and what returns the store; None: that of this machine."""
        self._navigator = navigator
        self._tenant = tenant
        self._open = store or _store_at_home

    def __repr__(self) -> str:
        return f"CachedNavigator({self._navigator!r})"

    def supports(self, model: str) -> bool:
        """Whether the navigator supports `model`."""
        return self._navigator.supports(model)

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Return the decision that is kept, else the navigator's; see `Navigator.decide`."""
        depends_on = await self._navigator.depends_on(request)
        if depends_on is None:
            return await self._navigator.decide(request)
        key = decision_key(depends_on, self._tenant)
        async with _turn(key):
            # Files and the first import of a database block.
            kept = await asyncio.to_thread(self._kept, key)
            if kept is not None and _can_be_followed(kept, request):
                return replace(kept, usage=Usage(cached_decisions=1))
            # Before it is kept: it may be strangers' code that decides.
            decision = usable_decision(await self._navigator.decide(request), request.model)
            if _can_be_followed(decision, request):
                await asyncio.to_thread(self._keep, key, decision)
            return decision

    def _kept(self, key: str) -> Decision | None:
        store = self._open()
        return store.get(key) if store else None

    def _keep(self, key: str, decision: Decision) -> None:
        if store := self._open():
            store.put(key, decision)


def decision_key(depends_on: Mapping[str, Any], tenant: Sequence[str]) -> str:
    """Return the key of a decision: a hash, from which neither question nor document can be read back.

    Args:
        depends_on: Of `Repeatable.depends_on`.
        tenant: Whose decision.
    """
    return hashlib.sha256(json.dumps([_FORMAT, [*tenant], depends_on], sort_keys=True).encode()).hexdigest()


_turns: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Lock] = WeakValueDictionary()


def _turn(key: str) -> asyncio.Lock:
    """Return the lock of a key on the running event loop; it is gone with the last who holds it."""
    return _turns.setdefault((asyncio.get_running_loop(), key), asyncio.Lock())


def _can_be_followed(decision: Decision, request: NavigatorRequest) -> bool:
    """Whether a decision picks what was offered, and all of it in a way that is possible."""
    if decision.action != "pick":
        return True
    actions = {c.ref: _actions(c.takeable, c.ref != OWN_BODY) for c in request.candidates}
    return bool(decision.picks) and all(pick.action in actions.get(pick.ref, ()) for pick in decision.picks)


def _actions(takeable: bool, openable: bool) -> tuple[str, ...]:
    return ("take",) * takeable + ("open",) * openable


def _store_at_home() -> DecisionStore | None:
    from tocwalk.navigators.decision_store import store_at_home

    return store_at_home()
