"""Cancellation: a token in the same process, or a flag in the server's store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tocwalk.navigators.protocol import Cancellation
from tocwalk.nodes.tenants import tenant_of

__all__ = ["CANCEL_NAMESPACE", "cancel_run", "cancellation_of_calls", "is_cancelled", "take_flag", "token_of"]

_LOOK_S = 1.0  # how often the store is looked at while a model is asked

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
    """Ask a run on a LangGraph server to end; what had landed is emitted, and calls in flight are aborted.

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
    """Whether the caller's token or the flag in the store, see `take_flag`, asks for the end. Blocks."""
    return token_of(config).cancelled or take_flag(config, runtime)


def take_flag(config: RunnableConfig, runtime: Runtime[Any]) -> bool:
    """Return whether the flag is in the store, and take it away where it would outlive the run. Blocks.

    Left behind under a thread's id it would end the next run before it began. One under a run's own id stays, as it
    ends all walks of an answer that are under way.
    """
    if not _is_flagged(config, runtime):
        return False
    if runtime.store is not None and not config.get("configurable", {}).get("run_id"):
        runtime.store.delete(*_place_of_flag(config))
    return True


@asynccontextmanager
async def cancellation_of_calls(config: RunnableConfig, runtime: Runtime[Any]) -> AsyncGenerator[Cancellation]:
    """Return a token for calls of models, cancelled with the caller's token or, a second later at most, by the flag.

    The flag stays for `is_cancelled` to be found by.
    """
    token = _Either(token_of(config))
    watching = asyncio.create_task(_watch(token, config, runtime))
    try:
        yield token
    finally:
        watching.cancel()


class _Either(Cancellation):
    """Cancelled itself, or with another."""

    def __init__(self, other: Cancellation) -> None:
        super().__init__()
        self._other = other

    @property
    def cancelled(self) -> bool:
        return super().cancelled or self._other.cancelled


async def _watch(token: Cancellation, config: RunnableConfig, runtime: Runtime[Any]) -> None:
    while runtime.store is not None and not token.cancelled:
        await asyncio.sleep(_LOOK_S)
        if await asyncio.to_thread(_is_flagged, config, runtime):
            token.cancel()


def _is_flagged(config: RunnableConfig, runtime: Runtime[Any]) -> bool:
    """Whether the flag is in the store. Blocks."""
    namespace, key = _place_of_flag(config)
    return runtime.store is not None and bool(key) and runtime.store.get(namespace, key) is not None


def _place_of_flag(config: RunnableConfig) -> tuple[tuple[str, ...], str]:
    """Return namespace and key; "" where neither run nor thread has an id."""
    configurable = config.get("configurable", {})
    tenant = tenant_of(config)
    key = configurable.get("run_id") or configurable.get("thread_id") or ""
    return (tenant, *CANCEL_NAMESPACE) if tenant else CANCEL_NAMESPACE, str(key)
