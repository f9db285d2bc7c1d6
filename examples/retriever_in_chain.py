"""The walk as a LangChain retriever in a chain."""

from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_openai import ChatOpenAI

from tocwalk import retrieval_graph
from tocwalk.adapters import SectionRetriever


def as_text(documents: list[Document]) -> str:
    return "\n\n".join(f"[{' > '.join(one.metadata['path'])}]\n{one.page_content}" for one in documents)


retriever = SectionRetriever(graph=retrieval_graph, settings={"max_results": 3})
prompt = ChatPromptTemplate.from_template("Answer from these sections:\n{sections}\n\nQuestion: {question}")
chain = {"sections": retriever | as_text, "question": RunnablePassthrough()} | prompt | ChatOpenAI(model="gpt-5-mini")
print(chain.invoke("When is an invoice due?").text)
