"""The walk as a tool of an agent, which decides itself when to look something up."""

from langchain.agents import create_agent

from tocwalk import retrieval_graph
from tocwalk.adapters import section_tool

agent = create_agent(
    "openai:gpt-5-mini",
    tools=[section_tool(retrieval_graph, settings={"max_results": 3})],
    system_prompt="Answer from the documents alone. Cite document, section and pages.",
)
answered = agent.invoke({"messages": [{"role": "user", "content": "When is an invoice due?"}]})
print(answered["messages"][-1].text)
