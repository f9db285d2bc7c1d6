"""A person approves each choice of the navigator, or makes another: the setting `step`."""

from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tocwalk import build_retrieval_graph


def ask_a_person(id_: str, shown: dict[str, Any]) -> dict[str, Any] | None:
    """Return another decision, or None to approve. Here: of the corpus's documents only the first is looked at."""
    print(f"{shown['title']}: {shown['decision']['action']} {shown['decision'].get('picks', [])}")
    return None if id_ else {"action": "pick", "picks": shown["decision"]["picks"][:1]}


graph = build_retrieval_graph(checkpointer=InMemorySaver())
thread: Any = {"configurable": {"thread_id": "1"}}
output = graph.invoke({"query": "When is an invoice due?"}, thread, context={"step": True})
while "__interrupt__" in output:
    asked = output["__interrupt__"][0].value["decisions"]
    edited = {id_: other for id_, shown in asked.items() if (other := ask_a_person(id_, shown))}
    output = graph.invoke(Command(resume=edited or True), thread)
print(output["sections"][0]["title"])
