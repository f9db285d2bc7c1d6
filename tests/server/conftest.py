"""A real `langgraph dev`, started once, with strict serialisation and without leave to block."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from handbook import make_index
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from server_models import MODELS
from serving import Server, serving

from stub_openai import BEHAVIOURS, KEY, StubOpenAI, stub_openai


@pytest.fixture(scope="session")
def models() -> Iterator[StubOpenAI]:
    """Return the server whose models the server's graphs ask."""
    with pytest.MonkeyPatch.context() as patch, stub_openai() as stub:
        for name, behaviour in MODELS.items():
            patch.setitem(BEHAVIOURS, name, behaviour)
        yield stub


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory, models: StubOpenAI) -> Iterator[Server]:
    """Return a server that serves `langgraph.json` over an index of one handbook."""
    folder = tmp_path_factory.mktemp("server")
    make_index(folder)
    opened = folder / "opened"
    opened.mkdir()
    environment = {
        "TOCWALK_INDEX": str(folder / "index.db"),
        "TOCWALK_INDEX_ROOTS": str(opened),
        "TOCWALK_INDEX_MAX_BYTES": "100000",
        "TOCWALK_OPENAI_BASE_URL": models.base_url,
        "TOCWALK_DECISION_CACHE": "off",
        "OPENAI_API_KEY": KEY,
        "LANGGRAPH_STRICT_MSGPACK": "true",
    }
    with serving(folder, environment) as server:
        yield server


@pytest.fixture
def server(running: Server) -> str:
    """Return the address of the server."""
    return running.address


@pytest.fixture
async def client(server: str) -> AsyncIterator[LangGraphClient]:
    """Return a client of the server."""
    async with get_client(url=server) as opened:
        yield opened
