"""navigator_decide: ask the navigator about one offer. Deadline and retries are inside."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer
from langgraph.runtime import get_runtime

from tocwalk.errors import ConfigurationError, GenerationCollectedError, NavigatorError
from tocwalk.models.cancellation import CallCancelled
from tocwalk.models.usage import Ledger
from tocwalk.navigators.protocol import Cancellation, Decision, Navigator, NavigatorRequest
from tocwalk.navigators.retry import decide_within
from tocwalk.nodes.background import in_background
from tocwalk.nodes.cancelling import cancellation_of_calls
from tocwalk.nodes.services import Services
from tocwalk.nodes.telling import label_calls, log_step, milliseconds
from tocwalk.nodes.tenants import tenant_of
from tocwalk.state import DecisionRecord, PickRecord, UsageRecord, WalkContext
from tocwalk.walk.offer import Offer

__all__ = ["CONFIGURATION", "INDEX_CHANGED", "navigator_decide"]

CONFIGURATION = "configuration"
"""Reason of an error that no failure policy survives."""

INDEX_CHANGED = "index_changed"
"""Reason of a decision that was never asked for, because its offer is gone."""


def navigator_decide(services: Services) -> RunnableLambda[dict[str, Any], dict[str, Any]]:
    """Return the node. Its result goes to its own key of `decisions`.

    A failure is a decision too, so that the wave's other calls can end; the exception waits in this process for
    `validate_choice` to raise it or not.
    """

    async def decide(task: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        begun = time.perf_counter()
        record = await _ask(services, task, config)
        ms = milliseconds(begun)
        get_stream_writer()({"event": "decision", "id": task["id"], "decision": record["action"], "ms": ms})
        _log(task["id"], record, ms)
        return {"decisions": {task["id"]: record}}

    def decide_blocking(task: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        return in_background(decide(task, config))

    return RunnableLambda(decide_blocking, afunc=decide, name="navigator_decide")


def _log(id_: str, record: DecisionRecord, ms: float) -> None:
    if record["action"] == "error":
        log_step("walk", "decision_failed", level=logging.WARNING, section=id_, reason=record.get("reason"), ms=ms)
        return
    usage = record.get("usage", UsageRecord())
    log_step(
        "walk",
        "decided",
        section=id_,
        action=record["action"],
        picks=len(record.get("picks", [])),
        ms=ms,
        model_calls=usage.get("calls", 0),
        input_tokens=usage.get("input_tokens", 0),
        output_tokens=usage.get("output_tokens", 0),
    )


async def _ask(services: Services, task: dict[str, Any], config: RunnableConfig) -> DecisionRecord:
    settings = WalkContext(**task["settings"])
    ledger = Ledger()
    try:
        # Reads of the index and first imports of a provider block: never on the event loop.
        document, offer, navigator = await asyncio.to_thread(_prepare, services, task, settings, tenant_of(config))
        label_calls(corpus=task["request"]["corpus"], document=document, section=task["id"])
        async with cancellation_of_calls(config, get_runtime(WalkContext)) as cancellation:
            model = services.model_for(settings.navigator_model)
            request = _request(offer, task, model, cancellation=cancellation, ledger=ledger)
            decision = await decide_within(navigator, request, timeout_s=settings.decide_timeout_s)
    except GenerationCollectedError as error:
        return DecisionRecord(action="error", reason=INDEX_CHANGED, detail=str(error))
    except CallCancelled:
        return DecisionRecord(action="cancelled", usage=ledger.total.record())
    except ConfigurationError as error:
        return _failed(services, error, CONFIGURATION, ledger)
    except NavigatorError as error:
        return _failed(services, error, error.reason, ledger)
    return record_of(decision)


def _prepare(
    services: Services, task: dict[str, Any], settings: WalkContext, tenant: str
) -> tuple[str, Offer, Navigator]:
    """Return the id of the document, "" above documents, the offer, and who judges it."""
    view = services.view(task["request"], task["generation"], settings)
    offer = services.offer(task["request"], task["generation"], settings, task["place"], task["rejected"])
    return view.catalog.document_of(task["place"]), offer, services.navigator_for(settings.navigator_model, tenant)


def _request(
    offer: Offer, task: dict[str, Any], model: str, *, cancellation: Cancellation, ledger: Ledger
) -> NavigatorRequest:
    return NavigatorRequest(
        query=task["request"]["query"],
        model=model,
        current=offer.current,
        path=offer.path,
        candidates=offer.candidates,
        remaining_visits=task["remaining_visits"],
        cancellation=cancellation,
        place=task["id"],
        ledger=ledger,
    )


def record_of(decision: Decision) -> DecisionRecord:
    """Return a decision as the state keeps it."""
    return DecisionRecord(
        action=decision.action,
        picks=[PickRecord(ref=pick.ref, action=pick.action) for pick in decision.picks],
        reasoning=decision.reasoning[:500],
        usage=decision.usage.record(),
    )


def _failed(services: Services, error: Exception, reason: str, ledger: Ledger) -> DecisionRecord:
    key = uuid.uuid4().hex
    services.failures.put(key, error)
    return DecisionRecord(
        action="error", reason=reason, detail=str(error)[:1000], error_key=key, usage=ledger.total.record()
    )
