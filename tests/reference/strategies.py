"""Hypothesis strategies: documents, settings and navigators of all manners."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, get_args

from hypothesis import strategies as st

from reference.trees import Forest, Node
from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import OWN_BODY, CandidateKind, Decision, Pick, Usage
from tocwalk.state import WalkContext

__all__ = ["Behaviour", "Manner", "Offered", "behaviours", "filters", "forests", "nodes", "settings"]

_FOLDERS = ("", "one/", "one/two/", "three/")
_TITLES = ("Scope", "Terms", "Terms", "Notes 2", "", "Ämter", "§ 3")
_MOST_SECTIONS = 200

_NO_TAGS: st.SearchStrategy[dict[str, Any]] = st.just(dict[str, Any]())
_TAGS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({}, optional={"tag": st.sampled_from("xy")})


class Offered(Protocol):
    """What a behaviour looks at of a candidate; the navigators' own candidates have it too."""

    @property
    def ref(self) -> str:
        """Short name within the offer."""
        ...

    @property
    def kind(self) -> CandidateKind:
        """Folder, document, section or group."""
        ...


Manner: TypeAlias = Literal["mixed", "sound", "careless", "rejecting", "failing"]
"""`sound` picks only what can be picked, `careless` also what cannot; `rejecting` and `failing` often do that."""

_Move: TypeAlias = Literal["sound", "careless", "unknown", "empty", "stop", "reject", "fail"]
_WEIGHTS: dict[Manner, dict[_Move, int]] = {
    "mixed": {"sound": 12, "careless": 3, "stop": 1, "reject": 4, "empty": 1, "fail": 1},
    "sound": {"sound": 10, "stop": 1, "reject": 1},
    "careless": {"sound": 4, "careless": 8, "unknown": 1, "reject": 1},
    "rejecting": {"sound": 12, "reject": 12, "empty": 1},
    "failing": {"sound": 8, "fail": 4},
}


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A navigator whose every answer follows from its seed, the place, the how-manieth opening and the offer.

    It picks by position in the offer, so that refs may be spelled in any way. It can stand as `decide` of the model,
    and behind any navigator that knows which place is opened.
    """

    seed: int
    manner: Manner = "mixed"

    def __call__(self, place: str, time: int, candidates: Sequence[Offered]) -> Decision:
        """Decide.

        Raises:
            NavigatorError: This navigator fails here.
        """
        shown: list[tuple[str, CandidateKind]] = [(candidate.ref, candidate.kind) for candidate in candidates]
        # Random makes the same of the same string in every process.
        chance = random.Random(f"{self.seed}|{self.manner}|{place}|{time}|{[kind for _, kind in shown]}")
        usage = Usage(calls=1, input_tokens=chance.randrange(4000), output_tokens=chance.randrange(200))
        weights = dict(_WEIGHTS[self.manner])
        if "/" not in place and time == 1:
            weights["sound"] *= 10  # A walk that ends where it begins teaches little.
        (does,) = chance.choices(list(weights), list(weights.values()))
        if does == "fail":
            raise NavigatorError(f"This navigator fails at {place!r}, opened for the {time}. time.")
        if does == "stop":
            return Decision(action="stop", usage=usage)
        if does == "reject":
            return Decision(action="reject", usage=usage)
        counts = (1, 1, 1, 2) if self.manner == "rejecting" else (1, 1, 2, 3, 5)
        count = 0 if does == "empty" else chance.choice(counts)
        pick = _careless_pick if does == "careless" else _unknown_pick if does == "unknown" else _sound_pick
        return Decision(action="pick", picks=tuple(pick(chance, shown) for _ in range(count)), usage=usage)


def nodes(most: int = _MOST_SECTIONS, *, tagged: bool = False) -> st.SearchStrategy[Node]:
    """Draw documents of at most `most` sections: chains, fans, towers of single children, and what comes.

    Args:
        most: Sections at most, the root included.
        tagged: Whether sections may have the metadata `tag`: "x" or "y".
    """
    section = st.tuples(st.booleans(), st.sampled_from(_TITLES), _TAGS if tagged else _NO_TAGS)
    sizes = st.one_of(st.integers(0, most - 1), st.integers(min(20, most - 1), most - 1))
    shapes = st.one_of(
        st.builds(_repeat, sizes, st.lists(st.integers(1, 5), min_size=1, max_size=12)),
        st.builds(_repeat, sizes, st.permutations((1, 2, 3, 4, 3, 2, 3))),
        st.builds(_repeat, sizes, st.permutations((1, 2, 3, 4, 3, 4, 5, 5, 4))),
        st.builds(_repeat, sizes, st.just([1, 2, 3, 4, 5, 5, 4, 5, 5])),
        st.builds(_repeat, sizes, st.just([1])),
        st.builds(_repeat, sizes, st.just(list(range(1, 41)))),
    )
    # Few sections are drawn and dealt out in turn, so that large documents stay cheap to draw.
    return st.builds(_grow, shapes, st.lists(section, min_size=1, max_size=12))


@st.composite
def forests(draw: st.DrawFn, most: int = _MOST_SECTIONS, *, tagged: bool = False) -> Forest:
    """Draw up to four documents in folders, `most` sections in all.

    Args:
        draw: Given by hypothesis.
        most: Sections at most, roots included; at least 4.
        tagged: Whether documents and sections may have the metadata `tag`: "x" or "y".
    """
    count = draw(st.sampled_from((1, 1, 2, 3, 4)))
    names = [f"{draw(st.sampled_from(_FOLDERS))}doc-{place}" for place in range(count)]
    return {name: draw(nodes(most // count, tagged=tagged)) for name in names}


def settings(*, offer_tokens: st.SearchStrategy[int] | None = None) -> st.SearchStrategy[WalkContext]:
    """Draw settings that let walks end in every way.

    Args:
        offer_tokens: None: always enough to show whole levels; small ones make a real window group and cut.
    """
    few = st.integers(1, 4)
    return st.builds(
        WalkContext,
        max_visits=st.sampled_from((15, 15, 15, 12, 12, 9, 9, 7, 7, 5, 5, 4, 3, 2, 1, 0)),
        max_depth=st.sampled_from((6, 6, 6, 6, 5, 5, 5, 5, 4, 4, 3, 3, 2, 1, 0, 50)),
        max_picks=few,
        parallel=few,
        offer_tokens=st.just(100_000) if offer_tokens is None else offer_tokens,
        offer_levels=st.sampled_from((1, 1, 1, 2, 2, 3, None)),
        max_results=st.sampled_from((10, 10, 3, 2, 1)),
        max_section_tokens=st.one_of(st.just(8000), st.integers(0, 60)),
        # The estimate is offer_tokens + 1000 a call: room for a few.
        max_tokens=st.sampled_from((*[None] * 8, 900_000, 600_000, 300_000)),
        backtrack=st.sampled_from((True, True, True, False)),
        on_failure=st.sampled_from(("partial", "partial", "partial", "raise")),
    )


def filters() -> st.SearchStrategy[dict[str, Any]]:
    """Draw filters on the metadata that tagged documents may have."""
    wanted: st.SearchStrategy[Any] = st.one_of(st.sampled_from("xy"), st.lists(st.sampled_from("xyz"), min_size=1))
    return st.fixed_dictionaries({}, optional={"tag": wanted, "section.tag": wanted})


def behaviours() -> st.SearchStrategy[Behaviour]:
    """Draw navigators."""
    return st.builds(Behaviour, st.integers(0, 2**32), st.sampled_from(get_args(Manner)))


def _repeat(size: int, depths: list[int]) -> list[int]:
    return [depths[position % len(depths)] for position in range(size)]


def _grow(depths: list[int], sections: list[tuple[bool, str, dict[str, Any]]]) -> Node:
    """Build a document from the depths of its sections in reading order; too deep a step is made a step of one."""
    held: list[list[Node]] = [[]]
    kinds: list[tuple[bool, str, dict[str, Any]]] = [sections[0]]

    def close(depth: int) -> None:
        while len(kinds) > depth:
            body, title, metadata = kinds.pop()
            below = tuple(held.pop())
            held[-1].append(Node(title, body, below, metadata))

    for position, depth in enumerate(depths, start=1):
        close(depth)
        kinds.append(sections[position % len(sections)])
        held.append([])
    close(1)
    body, title, metadata = kinds[0]
    return Node(title, body, tuple(held[0]), metadata)


def _sound_pick(chance: random.Random, shown: Sequence[tuple[str, CandidateKind]]) -> Pick:
    """Pick what can be picked, as it can be picked; it may still be a repetition."""
    others = [one for one in shown if one[0] != OWN_BODY]
    if not others or (len(others) < len(shown) and chance.random() < 0.1):
        return Pick(ref=OWN_BODY, action="take")
    # Rather one of the first: what comes first in an outline has more below it.
    ref, kind = others[int(len(others) * chance.random() ** 2)]
    take = kind not in ("folder", "group") and chance.random() < 0.15
    return Pick(ref=ref, action="take" if take else "open")


def _careless_pick(chance: random.Random, shown: Sequence[tuple[str, CandidateKind]]) -> Pick:
    """Pick anything in any way, now and then something that is not there."""
    if chance.random() < 0.25:
        return _unknown_pick(chance, shown)
    return Pick(ref=chance.choice(shown)[0], action=chance.choice(("open", "take")))


def _unknown_pick(chance: random.Random, shown: Sequence[tuple[str, CandidateKind]]) -> Pick:
    """Pick what was never offered, or what another offer may have had; that may be here too."""
    ref = chance.choice(("ghost", "-", "", "99", "1.9", "2.1.1", str(chance.randint(1, 30))))
    return Pick(ref=ref, action=chance.choice(("open", "take")))
