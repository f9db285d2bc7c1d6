"""The walk as a node that shares keys with the graph around it: `question` goes in, `documents` come out."""

from typing import Any, TypedDict

from langgraph.graph import START, StateGraph

from tocwalk import build_retrieval_graph


class State(TypedDict, total=False):
    question: str
    documents: list[Any]
    answer: str


def answer(state: State) -> State:
    return {"answer": "See " + ", ".join(section["title"] for section in state["documents"])}


builder = StateGraph(State)
builder.add_node("retrieve", build_retrieval_graph(query_key="question", sections_key="documents"))
builder.add_node("answer", answer)
builder.add_edge(START, "retrieve")
builder.add_edge("retrieve", "answer")
print(builder.compile().invoke({"question": "When is an invoice due?"})["answer"])
