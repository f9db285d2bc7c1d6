"""START -> start_walk: check what was asked, pin what must not change, settle the start."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from langchain_core.runnables import RunnableConfig
from langgraph.channels import EphemeralValue
from langgraph.runtime import Runtime
from pydantic import ValidationError
from typing_extensions import TypedDict

from tocwalk.errors import InputError, SettingsError
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.navigators.protocol import Navigator
from tocwalk.nodes.services import Services
from tocwalk.nodes.telling import log_step
from tocwalk.state import VISITS_CEILING, Request, StopReason, Update, WalkContext, WalkInput
from tocwalk.state.faults import faults
from tocwalk.walk.progress import Progress

__all__ = ["StartInput", "check_walk", "start_walk"]


_LONGEST_QUESTION = 20_000
_MOST_FILTERS = 64
_MOST_FILTER_VALUES = 10_000


class StartInput(TypedDict, total=False):
    """The input as it comes, before it is checked: `WalkInput` says what it should be."""

    query: Annotated[Any, EphemeralValue]
    corpus: Annotated[Any, EphemeralValue]
    only_documents: Annotated[Any, EphemeralValue]
    filters: Annotated[Any, EphemeralValue]
    visits: Annotated[Any, EphemeralValue]
    cancel: Annotated[Any, EphemeralValue]


def start_walk(services: Services) -> Callable[[StartInput, RunnableConfig, Runtime[WalkContext]], Update]:
    """Return the node. Every key of the run is set anew, so that a thread used again starts fresh."""

    def start_walk(state: StartInput, config: RunnableConfig, runtime: Runtime[WalkContext]) -> Update:
        settings = WalkContext.of(runtime.context)
        given, navigator = check_walk(services, state, settings, config)
        request = _request(given, settings, ceiling=services.operator.max_visits)
        generation = services.open_index().generation(request["corpus"])
        view = services.view(request, generation, settings)
        progress = Progress()
        settled: dict[str, Any] = {}
        if not view.catalog.empty:
            item, reason = view.settle(view.catalog.corpus)
            settled = {"id": item.id, "title": item.place["title"]} | ({"ended": reason} if reason else {})
            _begin(progress, item.place, reason)
        version = getattr(navigator, "prompt_version", "")
        start = {"event": "start", "generation": generation, "documents": view.catalog.documents, **settled}
        start |= {"prompt": version} if version else {}
        progress.trace.insert(0, start)
        _log_start(request, settings, start)
        return Update(
            request=request,
            settings=settings.model_dump(mode="json"),
            generation=generation,
            remaining_visits=request["visits"],
            cancelled=given.cancel,
            index_changed=False,
            wave=[],
            reasked=False,
            offers={},
            decisions=None,  # the reducer's word for "empty"
            usage={**NOTHING_SPENT, "steps": []},
            failures=[],
            sections=[],
            stop_reason=None,
            **progress.update(),
        )

    return start_walk


def check_walk(
    services: Services, state: StartInput, settings: WalkContext, config: RunnableConfig
) -> tuple[WalkInput, Navigator]:
    """Check what a walk is asked and how it is set up, before anything is read or spent.

    Returns:
        The input, and who will judge.

    Raises:
        InputError: Naming the key.
        ConfigurationError: There is no navigator, or it cannot be asked as things are set up.
    """
    given = _checked(state)
    _check_steps(settings, config)
    navigator = services.resolve(settings.navigator_model)
    _check_budget(services, settings)
    return given, navigator


def _log_start(request: Request, settings: WalkContext, start: dict[str, Any]) -> None:
    log_step(
        "walk",
        "walk_started",
        corpus=request["corpus"],
        generation=start["generation"],
        documents=start["documents"],
        navigator_model=settings.navigator_model,
        visits=request["visits"],
    )


def _begin(progress: Progress, place: Any, reason: StopReason | None) -> None:
    if reason is None:
        progress.open(place, [], None)
    else:
        progress.land(place, [], reason)


def _checked(state: StartInput) -> WalkInput:
    """Check the input.

    Raises:
        InputError: Naming the key.
    """
    try:
        given = WalkInput.model_validate(dict(state), strict=True)
    except ValidationError as error:
        raise InputError(f"The input cannot be used: {faults(error)}.") from error
    if not given.query.strip():
        raise InputError(f"The question is blank, got query={given.query!r}: ask something.")
    if len(given.query) > _LONGEST_QUESTION:
        raise InputError(f"The question has {len(given.query)} characters; {_LONGEST_QUESTION} are the most.")
    values = [
        one for value in (given.filters or {}).values() for one in (value if isinstance(value, list) else [value])
    ]
    if len(given.filters or {}) > _MOST_FILTERS or len(values) > _MOST_FILTER_VALUES:
        raise InputError(
            f"There are {len(given.filters or {})} filters with {len(values)} values;"
            f" {_MOST_FILTERS} with {_MOST_FILTER_VALUES} are the most."
        )
    if any(isinstance(value, float) and not math.isfinite(value) for value in values):
        raise InputError(f"A filter cannot compare with infinity or nan, got {given.filters!r}.")
    return given


def _check_steps(settings: WalkContext, config: RunnableConfig) -> None:
    """Refuse to stop for a person where nothing could go on from there.

    Raises:
        SettingsError: `step` is set, but the run is on no thread.
    """
    if settings.step and not config.get("configurable", {}).get("thread_id"):
        raise SettingsError(
            f"step={settings.step!r} needs a thread to resume on: compile with a checkpointer, and give a `thread_id`."
        )


def _check_budget(services: Services, settings: WalkContext) -> None:
    """Refuse a money budget that could not be kept.

    Raises:
        SettingsError: `max_cost` is set for a model whose price is not known.
    """
    model = settings.navigator_model
    if settings.max_cost is not None and not model.startswith("lexical:") and services.operator.price(model) is None:
        raise SettingsError(
            f"max_cost={settings.max_cost!r} needs the price of {model!r}: set TOCWALK_PRICES, or use max_tokens."
        )


def _request(given: WalkInput, settings: WalkContext, *, ceiling: int) -> Request:
    visits = min(settings.max_visits, ceiling, VISITS_CEILING)
    if given.visits is not None:
        visits = min(visits, given.visits)
    return Request(
        query=given.query,
        corpus=given.corpus,
        only_documents=given.only_documents or None,
        filters={key: value if isinstance(value, list) else [value] for key, value in (given.filters or {}).items()},
        visits=visits,
    )
