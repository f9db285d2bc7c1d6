"""The walk called inside a node of a graph whose state has nothing in common with it."""

from typing import TypedDict

from langgraph.graph import START, StateGraph

from tocwalk import retrieval_graph


class Claim(TypedDict, total=False):
    topic: str
    budget: int
    evidence: list[str]


def look_up(claim: Claim) -> Claim:
    found = retrieval_graph.invoke({"query": claim["topic"], "visits": claim["budget"]}, context={"max_results": 3})
    return {
        "evidence": [" > ".join(section["path"]) for section in found["sections"]],
        "budget": found["remaining_visits"],
    }


builder = StateGraph(Claim)
builder.add_node("look_up", look_up)
builder.add_edge(START, "look_up")
claim = builder.compile().invoke({"topic": "When is an invoice due?", "budget": 6})
print(*claim["evidence"], f"{claim['budget']} visits left", sep="\n")
