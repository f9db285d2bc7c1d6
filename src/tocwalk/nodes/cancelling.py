"""Cancellation: a token in the same process, or a flag in the server's store."""

from __future__ import annotations

from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tocwalk.navigators.protocol import Cancellation
from tocwalk.nodes.tenants import tenant_of

__all__ = ["CANCEL_NAMESPACE", "cancel_run", "is_cancelled", "token_of"]

CANCEL_NAMESPACE = ("tocwalk", "cancel")
"""Where in the store the flags are, keyed by run id (in process, where runs have none, by thread id).

On a server that authenticates they are below the identity of whose run it is: nobody else can end it.
"""


class _StoreClient(Protocol):
    async def put_item(self, namespace: Any, /, key: str, value: Any) -> None: ...


class _Client(Protocol):
    @property
    def store(self) -> _StoreClient: ...


async def cancel_run(client: _Client, run_id: str) -> None:
    """Ask a run on a LangGraph server to end before its next wave; what had landed is emitted.

    Unlike the server's own cancelling, which interrupts a run and returns nothing.

    Args:
        client: From `langgraph_sdk.get_client`.
        run_id: The run's id; in process the thread's.
    """
    await client.store.put_item(list(CANCEL_NAMESPACE), key=run_id, value={"cancelled": True})


def token_of(config: RunnableConfig) -> Cancellation:
    """Return the caller's token, or one that nobody cancels."""
    token = config.get("configurable", {}).get("cancellation")
    return token if isinstance(token, Cancellation) else Cancellation()


def is_cancelled(config: RunnableConfig, runtime: Runtime[Any]) -> bool:
    """Whether the caller's token or the flag in the store asks for the end."""
    if token_of(config).cancelled:
        return True
    configurable = config.get("configurable", {})
    key = configurable.get("run_id") or configurable.get("thread_id")
    if runtime.store is None or not key:
        return False
    tenant = tenant_of(config)
    namespace = (tenant, *CANCEL_NAMESPACE) if tenant else CANCEL_NAMESPACE
    if runtime.store.get(namespace, str(key)) is None:
        return False
    if not configurable.get("run_id"):
        # Read once: a flag left behind under a thread's id would end the next run before it began. One under a run's
        # own id stays, as it ends all walks of an answer that are under way.
        runtime.store.delete(namespace, str(key))
    return True
