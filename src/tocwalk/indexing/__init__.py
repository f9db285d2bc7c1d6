"""From files to trees in the index: the `Indexer`, what it is given and returns, and the steps of the graph `index`.

The command and the graph share the first; only the second needs LangGraph. Nothing is imported here, so that whoever
wants the one does not wait for the other.
"""

__all__: list[str] = []
