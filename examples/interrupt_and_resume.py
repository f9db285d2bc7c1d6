"""Stopping inside a walk, through the graph around it: look at a decision, change it, go on."""

from typing import Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from tocwalk import build_retrieval_graph


class State(TypedDict, total=False):
    query: str
    sections: list[Any]


builder = StateGraph(State)
builder.add_node("retrieve", build_retrieval_graph(interrupt_before=["validate_choice"]))
builder.add_edge(START, "retrieve")
graph = builder.compile(checkpointer=InMemorySaver())

thread: Any = {"configurable": {"thread_id": "1"}}
graph.invoke({"query": "When is an invoice due?"}, thread)
while (stopped := graph.get_state(thread, subgraphs=True)).next:
    walk = stopped.tasks[0].state
    for id_, decision in walk.values["decisions"].items():
        print(f"{id_ or 'the corpus'}: {decision['action']} {decision.get('picks', [])}")
        first = {**decision, "picks": decision.get("picks", [])[:1]}
        graph.update_state(walk.config, {"decisions": {id_: first}}, as_node="navigator_decide")
    graph.invoke(None, thread)
print(stopped.values["sections"][0]["title"])
