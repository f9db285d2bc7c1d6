"""A walk inside a graph with a checkpointer: what failed goes on from there, and pays for nothing twice."""

from typing import Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from tocwalk import Decision, NavigatorRequest, WalkContext, build_retrieval_graph
from tocwalk.errors import NavigatorError
from tocwalk.navigators.lexical import LexicalNavigator
from tocwalk.testing import FunctionNavigator


class State(TypedDict, total=False):
    query: str
    sections: list[Any]


calls = 0


async def judge(request: NavigatorRequest) -> Decision:
    """Judge as the embedded navigator does, but fail at the second call, as a provider may."""
    global calls
    calls += 1
    if calls == 2:
        raise NavigatorError("The provider is down.", reason="refused")
    return await LexicalNavigator().decide(request)


builder = StateGraph(State, WalkContext)
builder.add_node("retrieve", build_retrieval_graph(navigator=FunctionNavigator(judge)))
builder.add_edge(START, "retrieve")
graph = builder.compile(checkpointer=InMemorySaver())

thread: Any = {"configurable": {"thread_id": "1"}}
try:
    graph.invoke({"query": "When is an invoice due?"}, thread, context=WalkContext(offer_levels=1))
except NavigatorError as error:
    print(f"After {calls} calls: {error}")
found = graph.invoke(None, thread)  # with the settings that the walk began with
print(f"After {calls} calls: {found['sections'][0]['title']}")
