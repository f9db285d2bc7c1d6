"""Whose run it is."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig

__all__ = ["tenant_of"]


def tenant_of(config: RunnableConfig) -> str:
    """Return the identity of the user that a LangGraph server has authenticated; "" where nobody was.

    The server sets the key itself and refuses requests that hold it; in process the caller may set it.
    """
    return str(config.get("configurable", {}).get("langgraph_auth_user_id") or "")
