"""Several walks at once with `Send`, on one budget of visits."""

import operator
from typing import Annotated, Any, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.types import Send

from tocwalk import retrieval_graph


class State(TypedDict, total=False):
    questions: list[str]
    visits: int
    found: Annotated[list[dict[str, Any]], operator.add]


def fan_out(state: State) -> list[Send]:
    share = state["visits"] // len(state["questions"])
    return [Send("walk", {"query": question, "visits": share}) for question in state["questions"]]


def walk(request: dict[str, Any]) -> State:
    found = retrieval_graph.invoke(request)
    return {
        "found": [{"question": request["query"], "sections": found["sections"], "visits": found["usage"]["visits"]}]
    }


builder = StateGraph(State)
builder.add_node("walk", walk)
builder.add_conditional_edges(START, fan_out, ["walk"])
questions = ["When is an invoice due?", "What interest does late payment bear?"]
for one in builder.compile().invoke({"questions": questions, "visits": 10})["found"]:
    print(one["question"], one["sections"][0]["title"], f"{one['visits']} visits", sep=" | ")
