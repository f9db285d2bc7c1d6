"""The graphs of a user's tenant. The tenant is the authenticated user's: no input, context or config can name one."""

from functools import lru_cache

from langgraph_sdk.runtime import ServerRuntime

from tocwalk.adapters.mcp import mcp_app
from tocwalk.graph import WalkGraph, build_answer_graph, build_index_graph, build_retrieval_graph
from tocwalk.graph.opening import reader


@lru_cache(maxsize=100)
def of_tenant(tenant: str) -> dict[str, WalkGraph]:
    return {
        "retrieval": build_retrieval_graph(tenant=tenant),
        "answer": build_answer_graph(tenant=tenant),
        "index": build_index_graph(tenant=tenant),
    }


def retrieval(runtime: ServerRuntime) -> WalkGraph:
    return of_tenant(runtime.ensure_user()["tenant"])["retrieval"]


def answer(runtime: ServerRuntime) -> WalkGraph:
    return of_tenant(runtime.ensure_user()["tenant"])["answer"]


def index(runtime: ServerRuntime) -> WalkGraph:
    return of_tenant(runtime.ensure_user()["tenant"])["index"]


tools = mcp_app(lambda user: reader(None, tenant=user["tenant"])())
