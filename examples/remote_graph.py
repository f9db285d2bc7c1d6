"""The walk on a LangGraph server, used as if it were here. Start one with `make serve`."""

import os

from langgraph.pregel.remote import RemoteGraph

from tocwalk.adapters import SectionRetriever

server = os.environ.get("TOCWALK_SERVER", "http://127.0.0.1:2024")
graph = RemoteGraph("retrieval", url=server)
for event in graph.stream({"query": "How much sick leave may I take?"}, stream_mode="custom"):
    print(event["event"], event.get("id", ""))
for document in SectionRetriever(graph=graph).invoke("How much sick leave may I take?"):
    print(" > ".join(document.metadata["path"]))
