FROM langchain/langgraph-api:3.11



RUN PYTHONDONTWRITEBYTECODE=1 uv pip install --system --no-cache-dir -c /api/constraints.txt mcp~=2.0

# -- Adding local package . --
ADD . /deps/tocwalk
# -- End of local package . --

# -- Installing all local dependencies --
RUN for dep in /deps/*; do             echo "Installing $dep";             if [ -d "$dep" ]; then                 echo "Installing $dep";                 (cd "$dep" && PYTHONDONTWRITEBYTECODE=1 uv pip install --system --no-cache-dir -c /api/constraints.txt -e .);             fi;         done
# -- End of local dependencies install --
ENV LANGGRAPH_HTTP='{"app": "tocwalk.adapters.mcp:app", "disable_mcp": true}'
ENV LANGSERVE_GRAPHS='{"retrieval": {"path": "/deps/tocwalk/graph.py:retrieval_graph", "description": "Walks down the tables of contents of indexed documents and returns the sections that answer a question, whole, with their pages and the trace of every step."}, "answer": {"path": "/deps/tocwalk/graph.py:answer_graph", "description": "Answers a question, or the last message of a chat, from indexed documents: every statement cites document, section and page with a quote that was looked up there. Needs a chat model: TOCWALK_ANSWER_MODEL."}, "index": {"path": "/deps/tocwalk/graph.py:index_graph", "description": "Reads documents into the index and returns their trees: files in base64 or texts that are sent with the run, or paths below the folders that the operator has opened (TOCWALK_INDEX_ROOTS)."}}'



# -- Ensure user deps didn't inadvertently overwrite langgraph-api
RUN mkdir -p /api/langgraph_api /api/langgraph_runtime /api/langgraph_license && touch /api/langgraph_api/__init__.py /api/langgraph_runtime/__init__.py /api/langgraph_license/__init__.py
RUN PYTHONDONTWRITEBYTECODE=1 uv pip install --system --no-cache-dir --no-deps -e /api
# -- End of ensuring user deps didn't inadvertently overwrite langgraph-api --
# -- Removing build deps from the final image ~<:===~~~ --
RUN pip uninstall -y pip setuptools wheel
RUN rm -rf /usr/local/lib/python*/site-packages/pip* /usr/local/lib/python*/site-packages/setuptools* /usr/local/lib/python*/site-packages/wheel* && find /usr/local/bin -name "pip*" -delete || true
RUN rm -rf /usr/lib/python*/site-packages/pip* /usr/lib/python*/site-packages/setuptools* /usr/lib/python*/site-packages/wheel* && find /usr/bin -name "pip*" -delete || true
RUN uv pip uninstall --system pip setuptools wheel && rm /usr/bin/uv /usr/bin/uvx

WORKDIR /deps/tocwalk
