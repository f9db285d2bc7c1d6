"""What a model means by a ref."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from tocwalk.navigators.protocol import OWN_BODY, Candidate, Pick
from tocwalk.tree import one_line

__all__ = ["OfferedRefs"]

_AROUND = " \"'`*_“”‘’«»[](){}<>.,:;#"
_CALLED = re.compile(r"(?:ref|section|candidate|option|number|no|answer|pick)\b[\s.:#]*", re.IGNORECASE)
_REF = re.compile(r"\d+(?:\.\d+)*")
_LONGEST, _LONGEST_UNKNOWN = 400, 60


class OfferedRefs:
    """The refs of an offer, found by what a model may write for them: nearly always the ref itself."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._by_ref = {candidate.ref: candidate for candidate in candidates}

    @cached_property
    def _expanded(self) -> set[str]:
        """The refs of those whose contents are shown."""
        return {ref.rpartition(".")[0] for ref in self._by_ref}

    @cached_property
    def _by_name(self) -> defaultdict[str, set[str]]:
        """The refs by printed numbers and titles."""
        by_name: defaultdict[str, set[str]] = defaultdict(set)
        for candidate in self._by_ref.values():
            number, title = candidate.number or "", candidate.title
            for name in {_plain(number), _plain(title), _plain(f"{number} {title}")} - {""}:
                by_name[name].add(candidate.ref)
        return by_name

    def find(self, said: str) -> str | None:
        """Return the ref that is plainly meant: as offered, else by the one printed number or title it names."""
        written = one_line(said, _LONGEST)
        bare = written.strip(_AROUND)
        for ref in (written, bare):
            if ref in self._by_ref:
                return ref
        named = self._by_name.get(_plain(bare), set()) if bare else set[str]()
        if not named and (called := _CALLED.match(bare)):
            # "Section 2" may be the ref 2 or the printed number 2: plain only where they are the same candidate.
            number = bare[called.end() :].strip(_AROUND)
            named = {number} & self._by_ref.keys() | self._by_name.get(_plain(number), set())
        return next(iter(named)) if len(named) == 1 else None

    def is_ref(self, said: str) -> bool:
        """Whether this is an offered ref, or at least written like one."""
        return self.find(said) is not None or _REF.fullmatch(said.strip().strip(_AROUND)) is not None

    def pick(self, said: str, action: object = None) -> Pick:
        """Return the pick of what a model named, with its action where the candidate allows it."""
        ref = self.find(said)
        if ref is None:
            return Pick(
                ref=one_line(said, _LONGEST_UNKNOWN).strip(_AROUND) or "?",
                action="take" if action == "take" else "open",
            )
        candidate = self._by_ref[ref]
        if ref == OWN_BODY:
            return Pick(ref=ref, action="take")
        if not candidate.takeable:
            return Pick(ref=ref, action="open")
        if action in ("take", "open"):
            return Pick(ref=ref, action="take" if action == "take" else "open")
        more = candidate.has_children and ref not in self._expanded
        return Pick(ref=ref, action="open" if more else "take")


def _plain(name: str) -> str:
    return " ".join(one_line(name, _LONGEST).casefold().strip(_AROUND).split())
