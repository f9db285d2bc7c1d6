"""Navigators that call no model: for tests of walks, graphs and whatever is built on them."""

from __future__ import annotations

import inspect
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import OWN_BODY, Candidate, Decision, NavigatorRequest, Pick

__all__ = ["FunctionNavigator", "RandomNavigator", "ScriptedNavigator", "Step"]

Step: TypeAlias = Decision | Exception
"""One turn of a script: a decision to give, or an exception to raise."""


class ScriptedNavigator:
    """Gives the decisions of a script, and remembers what it was asked.

    A script is a sequence of steps, given in the order in which offers arrive; or, for walks with several calls at
    once, a mapping from what is opened to the steps for it, in the order in which it is opened again. What is opened
    is named by the titles that lead to it, joined by "/": "" is the corpus, "Lease/1 Rent" a section with its number,
    "Lease/1 Rent[12-40]" a group of its children.

    A pick may name a candidate by its ref, or by the titles below what is opened, joined by "/" ("Schedules/Repairs");
    a name that means nothing, or several, is given as it is, so that scripts can pick what was not offered.

    Attributes:
        model: What it supports.
        requests: What it was asked, in order of arrival.
    """

    def __init__(self, script: Sequence[Step] | Mapping[str, Sequence[Step]], *, model: str = "test:scripted") -> None:
        self.model = model
        self.requests: list[NavigatorRequest] = []
        self._in_order: deque[Step] | None = None
        self._by_place: dict[str, deque[Step]] = {}
        if isinstance(script, Mapping):
            self._by_place = {place: deque(steps) for place, steps in script.items()}
        else:
            self._in_order = deque(script)

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Take the next step of the script.

        Raises:
            NavigatorError: The script has no step left for this offer.
        """
        self.requests.append(request)
        place = _place(request)
        steps = self._by_place.get(place) if self._in_order is None else self._in_order
        if not steps:
            raise NavigatorError(f"The script has no step left for {place!r} (request {len(self.requests)}).")
        step = steps.popleft()
        if isinstance(step, Exception):
            raise step
        return replace(step, picks=tuple(replace(p, ref=_ref(p.ref, request.candidates)) for p in step.picks))


class FunctionNavigator:
    """Asks a function, plain or async, for every decision."""

    def __init__(
        self, function: Callable[[NavigatorRequest], Decision | Awaitable[Decision]], *, model: str = "test:function"
    ) -> None:
        self.model = model
        self._function = function

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Return what the function returns."""
        decision = self._function(request)
        return await decision if inspect.isawaitable(decision) else decision


class RandomNavigator:
    """Decides at random but by the rules: only what is offered, only what can be done with it.

    The same seed, question and offer give the same decision, in whatever order offers arrive.
    """

    def __init__(self, seed: int = 0, *, model: str = "test:random") -> None:
        self.model = model
        self._seed = seed

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Pick one to three candidates in seven of ten cases, else reject or, more rarely, stop."""
        chance = random_for(self._seed, request)
        action = chance.choices(("pick", "reject", "stop"), weights=(7, 2, 1))[0]
        if action != "pick" or not request.candidates:
            return Decision(action="stop" if action == "stop" else "reject")
        chosen = chance.sample(request.candidates, min(chance.randint(1, 3), len(request.candidates)))
        return Decision(action="pick", picks=tuple(_random_pick(chance, candidate) for candidate in chosen))


def random_for(seed: int, request: NavigatorRequest) -> random.Random:
    """Return a source of chance that depends on the seed, the question and the offer, and on nothing else."""
    offer = [(candidate.ref, candidate.number, candidate.title) for candidate in request.candidates]
    return random.Random(repr((seed, request.query, _place(request), offer)))  # noqa: S311 - a test's chance


def _random_pick(chance: random.Random, candidate: Candidate) -> Pick:
    if candidate.takeable and candidate.openable:
        return Pick(ref=candidate.ref, action=chance.choice(("open", "take")))
    return Pick(ref=candidate.ref, action="take" if candidate.ref == OWN_BODY else "open")


def _place(request: NavigatorRequest) -> str:
    """Name what is opened by the titles that lead to it."""
    path = "/".join(request.path)
    return f"{path}[{request.current.number}]" if request.current.kind == "group" else path


def _ref(name: str, candidates: Sequence[Candidate]) -> str:
    """Return the ref of the candidate named by its ref or its titles, or the name itself."""
    titles = {candidate.ref: candidate.title for candidate in candidates}
    if name in titles:
        return name
    found = [ref for ref in titles if "/".join(_titles(ref, titles)) == name]
    return found[0] if len(found) == 1 else name


def _titles(ref: str, titles: Mapping[str, str]) -> list[str]:
    parts = ref.split(".")
    return [titles.get(".".join(parts[:n]), "") for n in range(1, len(parts) + 1)]
