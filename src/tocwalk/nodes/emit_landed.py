"""emit_landed: read the text of what landed and write the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tocwalk.errors import GenerationCollectedError, NavigatorError
from tocwalk.index.reader import TreeReader
from tocwalk.nodes.services import Services
from tocwalk.nodes.telling import log_step
from tocwalk.state import Failure, FilterScalar, LandedSection, Landing, StopReason, TextScope, Update, WalkState
from tocwalk.tree import SectionHead, tokens_of_bytes
from tocwalk.walk.emission import order_landings, remove_contained, text_scope, walk_stop_reason

__all__ = ["emit_landed", "landed_section"]


def emit_landed(services: Services) -> Callable[[WalkState], Update]:
    """Return the node.

    Raises:
        NavigatorError: A decision failed and nothing else landed.
    """

    def emit_landed(state: WalkState) -> Update:
        _raise_if_only_failed(state)
        emission = _Emission(services.open_index(), state)
        found = emission.found(order_landings(state["landed"]))
        matching, unmatched = _split(found, state["request"]["filters"])
        kept, contained = remove_contained([(landing, scope) for landing, scope, _ in matching])
        heads = {id(landing): head for landing, _, head in matching}
        most = state["settings"]["max_results"]
        sections = emission.sections((landing, scope, heads[id(landing)]) for landing, scope in kept[:most])
        beyond = [_drop(landing, "max_results") for landing, _ in kept[most:]]
        trace = [*state["trace"], *unmatched, *contained, *beyond]
        first = sections[0]["stop_reason"] if sections else None
        stop_reason = walk_stop_reason(trace, first)
        failures = [*state["failures"], *emission.failures]
        _log_end(state, stop_reason, sections=len(sections), failures=len(failures))
        return Update(sections=sections, stop_reason=stop_reason, trace=trace, failures=failures)

    return emit_landed


def _log_end(state: WalkState, stop_reason: StopReason, *, sections: int, failures: int) -> None:
    usage = state["usage"]
    log_step(
        "walk",
        "walk_ended",
        stop_reason=stop_reason,
        sections=sections,
        failures=failures,
        visits=usage["visits"],
        model_calls=usage["model_calls"],
        input_tokens=usage["input_tokens"],
        output_tokens=usage["output_tokens"],
        cost=usage["cost"],
    )


class _Emission:
    """Reads of what landed; what can no longer be read becomes a failure."""

    def __init__(self, reader: TreeReader, state: WalkState) -> None:
        self.reader = reader
        self.corpus = state["request"]["corpus"]
        self.generation = state["generation"]
        self.max_section_tokens: int = state["settings"]["max_section_tokens"]
        self.failures: list[Failure] = []

    def found(self, landings: list[Landing]) -> list[tuple[Landing, TextScope, SectionHead]]:
        """Return the landings that are still there, with how much text they come with."""
        found: list[tuple[Landing, TextScope, SectionHead]] = []
        for landing, head in zip(landings, self._heads(landings), strict=True):
            if head is None:
                continue
            scope: TextScope = text_scope(
                own=landing["own"],
                leaf=head.children == 0,
                subtree_tokens=tokens_of_bytes(head.subtree_bytes),
                max_section_tokens=self.max_section_tokens,
            )
            found.append((landing, scope, head))
        return found

    def _heads(self, landings: list[Landing]) -> list[SectionHead | None]:
        """Return the head of each landing, None where it is gone: in one read, unless some are."""
        try:
            return list(self.reader.sections(self.corpus, self.generation, [_key(landing) for landing in landings]))
        except GenerationCollectedError:
            return [self._head(landing) for landing in landings]

    def _head(self, landing: Landing) -> SectionHead | None:
        try:
            return self.reader.sections(self.corpus, self.generation, [_key(landing)])[0]
        except GenerationCollectedError as error:
            self._gone(landing, error)
            return None

    def sections(self, found: Iterable[tuple[Landing, TextScope, SectionHead]]) -> list[LandedSection]:
        """Return the results."""
        results: list[LandedSection] = []
        for landing, scope, head in found:
            try:
                results.append(self._section(landing, scope, head))
            except GenerationCollectedError as error:
                self._gone(landing, error)
        return results

    def _gone(self, landing: Landing, error: GenerationCollectedError) -> None:
        self.failures.append(
            Failure(step="emit_landed", section=landing["place"]["id"], reason="text_gone", detail=str(error))
        )

    def _section(self, landing: Landing, scope: TextScope, head: SectionHead) -> LandedSection:
        return landed_section(
            self.reader, self.corpus, self.generation, head, reason=landing["reason"], text_scope=scope
        )


def landed_section(
    reader: TreeReader,
    corpus: str,
    generation: int,
    head: SectionHead,
    *,
    reason: StopReason,
    text_scope: TextScope,
) -> LandedSection:
    """Return a section as it is handed out: whole, with where it stands.

    Raises:
        GenerationCollectedError: It is no longer there.
    """
    heads = reader.ancestors(corpus, generation, head.key)
    folders = [part for part in head.document.split("/")[:-1] if part]
    text = reader.text(corpus, generation, head.key, subtree=text_scope == "subtree")
    if text_scope == "own+titles":
        text = f"{text.rstrip()}\n\n{_titles(head, reader.below(corpus, generation, head.key))}"
    return LandedSection(
        id=head.id,
        document=head.document,
        number=head.number,
        title=head.title,
        path=[*folders, *(above.name for above in heads)],
        depth=head.depth,
        page_start=head.page_start,
        page_end=head.page_end,
        label_start=head.label_start,
        label_end=head.label_end,
        stop_reason=reason,
        score=1.0,
        text=text,
        text_scope=text_scope,
        metadata=dict(head.metadata),
        source=head.source,
    )


def _titles(head: SectionHead, below: Iterable[SectionHead]) -> str:
    return "".join(f"{'  ' * (one.depth - head.depth - 1)}- {one.name}\n" for one in below)


def _raise_if_only_failed(state: WalkState) -> None:
    """Raise when a decision failed and no path landed for another reason.

    Raises:
        NavigatorError: Naming the first failure.
    """
    if not state["failures"] or any(landing["reason"] != "NAVIGATOR_ERROR" for landing in state["landed"]):
        return
    first = state["failures"][0]
    where = repr(first["section"]) if first["section"] else f"the corpus {state['request']['corpus']!r}"
    raise NavigatorError(
        f"The navigator gave no decision on {where} ({first['reason']}: {first['detail'].rstrip('.')}), and nothing"
        " else landed: ask again, or look at the provider.",
        reason=first["reason"],
        usage=state["usage"],
    )


def _split(
    found: list[tuple[Landing, TextScope, SectionHead]], filters: dict[str, list[FilterScalar]]
) -> tuple[list[tuple[Landing, TextScope, SectionHead]], list[dict[str, Any]]]:
    """Split by the filters on section metadata: those that match, and the trace entries of the others.

    Filters come before containment: a section that is not returned must not hide one that is.
    """
    wanted = {key.removeprefix("section."): value for key, value in filters.items() if key.startswith("section.")}
    matching = [entry for entry in found if _matches(entry[2], wanted)]
    dropped = [_drop(landing, "filtered") for landing, _, head in found if not _matches(head, wanted)]
    return matching, dropped


def _matches(head: SectionHead, wanted: dict[str, list[FilterScalar]]) -> bool:
    """Whether the section has, for every key, one of the values; a key it does not have matches nothing."""
    return all(
        key in head.metadata and any(_same(head.metadata[key], value) for value in one_of)
        for key, one_of in wanted.items()
    )


def _same(left: object, right: object) -> bool:
    """Whether two metadata values are equal; true is not 1, and 1 is not "1"."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _key(landing: Landing) -> tuple[int, int]:
    return landing["place"]["tree"], landing["place"]["span"][1]


def _drop(landing: Landing, reason: str) -> dict[str, Any]:
    return {"event": "drop", "id": landing["place"]["id"], "reason": reason}
