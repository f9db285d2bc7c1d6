"""The worked examples of the rules, for whatever claims to follow them."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference.outcome import Outcome
from reference.places import Candidate
from reference.trees import Forest, Node, ids_by_titles
from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import OWN_BODY, Decision, Pick
from tocwalk.state import WalkContext

__all__ = ["Case", "Script", "check", "load"]


@dataclass(frozen=True, slots=True)
class Case:
    """One worked example: what is asked, how the navigator answers, what must come of it."""

    name: str
    forest: Forest
    settings: WalkContext
    visits: int
    cancel: bool
    only_documents: list[str] | None
    decisions: Mapping[str, Sequence[Any]]
    """By title path of the opened section ("" is the corpus), in the order in which it is opened."""
    expect: Mapping[str, Any]

    def script(self) -> Script:
        """Return a navigator that follows the case's script, for one walk."""
        return Script(self)


class Script:
    """The scripted navigator of a case, which remembers what it was asked.

    Attributes:
        offered: By place id, the ids of the candidates each time it was opened, "0" left out.
        unexpected: Openings that the case has no decision for, as (place id, how-manieth time).
    """

    def __init__(self, case: Case) -> None:
        self._ids = {"": "", **ids_by_titles(case.forest)}
        self._decisions = {self._ids[path]: (path, list(steps)) for path, steps in case.decisions.items()}
        self.offered: dict[str, list[tuple[str, ...]]] = {}
        self.unexpected: list[tuple[str, int]] = []

    def __call__(self, place: str, time: int, candidates: Sequence[Candidate]) -> Decision:
        """Return the scripted decision with the refs of this offer.

        Raises:
            NavigatorError: The script says so, or has nothing to say.
        """
        shown = {candidate.place: candidate.ref for candidate in candidates if candidate.ref != OWN_BODY}
        self.offered.setdefault(place, []).append(tuple(shown))
        path, steps = self._decisions.get(place, ("", []))
        if len(steps) < time:
            self.unexpected.append((place, time))
            raise NavigatorError(f"The script has no decision for {place!r}, opened for the {time}. time.")
        step = steps[time - 1]
        if step == "raise":
            raise NavigatorError(f"The script fails at {place!r}.")
        if isinstance(step, str):
            return Decision(action="stop" if step == "stop" else "reject")
        picks = [Pick(ref=self._ref(path, name, shown), action=action) for name, action in step["picks"]]
        return Decision(action="pick", picks=tuple(picks))

    def unused(self) -> list[tuple[str, int]]:
        """Return the scripted decisions that were never asked for, as (place id, how-manieth time)."""
        return [
            (place, time)
            for place, (_, steps) in self._decisions.items()
            for time in range(len(self.offered.get(place, ())) + 1, len(steps) + 1)
        ]

    def _ref(self, opened: str, name: str, shown: Mapping[str, str]) -> str:
        """Return the ref of the candidate at this path below what is opened; of one not offered a ref of nothing."""
        if name == OWN_BODY:
            return name
        path = f"{opened}/{name}" if opened else name
        return shown.get(self._ids.get(path, ""), f"?{name.removeprefix('?')}")


def load() -> list[Case]:
    """Return the cases of `walks.json` in the folder that TOCWALK_SHARED names; none where it is absent."""
    file = Path(os.environ.get("TOCWALK_SHARED", "../shared")) / "cases" / "walks.json"
    if not file.is_file():
        return []
    return [_case(case) for case in json.loads(file.read_text(encoding="utf-8"))]


def check(case: Case, outcome: Outcome, script: Script) -> None:
    """Assert all that a case expects of a walk, and that its script was followed to the end.

    Args:
        case: What is expected.
        outcome: Of the model, or of a graph through `compare.outcome_of`.
        script: What decided in this walk.
    """
    expect = dict(case.expect)
    ids = ids_by_titles(case.forest)
    assert script.unexpected == [], "openings that the case does not know"
    assert script.unused() == [], "decisions that were never asked for"
    assert (outcome.raises is not None) == expect.pop("raises", False)
    if "landings" in expect:
        landings = [(ids[path], reason) for path, reason in expect.pop("landings")]
        assert [(section, reason) for section, reason, _ in outcome.landings] == landings
    if "visits_used" in expect:
        used = expect.pop("visits_used")
        assert (outcome.visits_used, outcome.remaining_visits) == (used, case.visits - used)
    if "stop_reason" in expect:
        assert outcome.stop_reason == expect.pop("stop_reason")
    if "dropped" in expect:
        assert outcome.dropped == Counter(expect.pop("dropped"))
    if "failures" in expect:
        assert len(outcome.failures) == expect.pop("failures")
    for place, paths in expect.pop("offered", {}).items():
        opened = ids[place] if place else ""
        below = [ids[f"{place}/{path}" if place else path] for path in paths]
        assert list(script.offered[opened][0]) == below
    assert not expect, "expectations that nothing here checks"


def _case(case: Mapping[str, Any]) -> Case:
    known = {"name", "rules", "documents", "settings", "visits", "cancel", "only_documents", "script", "expect"}
    if unknown := case.keys() - known:
        raise ValueError(f"The case {case['name']!r} has keys that nothing here reads: {sorted(unknown)}.")
    roots = [_node(document) for document in case["documents"]]
    return Case(
        name=case["name"],
        forest={root.title: root for root in roots},
        settings=WalkContext.model_validate(case["settings"]),
        visits=case["visits"],
        cancel=case.get("cancel", False),
        only_documents=case.get("only_documents"),
        decisions=case["script"],
        expect=case["expect"],
    )


def _node(tree: Mapping[str, Any]) -> Node:
    return Node(tree["title"], tree["body"], tuple(_node(section) for section in tree["sections"]))
