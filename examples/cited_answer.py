"""The answer graph: an answer whose every statement is proved by a quote that was looked up."""

from langchain_openai import ChatOpenAI

from tocwalk.graph import build_answer_graph

graph = build_answer_graph(model=ChatOpenAI(model="gpt-5-mini"))
answered = graph.invoke({"question": "When is an invoice due?", "visits": 10})
print(answered["answer"])
for citation in answered["citations"]:
    print(
        f"[{citation['marker']}]",
        citation["document"],
        citation["number"],
        citation["title"],
        citation["quote"],
        sep=" | ",
    )
