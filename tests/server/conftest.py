"""A real `langgraph dev`, started once, with strict serialisation and without leave to block."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from handbook import ACME_HANDBOOK, headers_of, make_index
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from server_models import MODELS
from serving import ROOT, Server, serving

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


@pytest.fixture(scope="session")
def tenants(tmp_path_factory: pytest.TempPathFactory, models: StubOpenAI) -> Iterator[str]:
    """Return the address of a server that runs the example with users of two tenants."""
    folder = tmp_path_factory.mktemp("tenants")
    environment = {
        "TOCWALK_HOME": str(folder),
        "TOCWALK_OPENAI_BASE_URL": models.base_url,
        "OPENAI_API_KEY": KEY,
    }
    with serving(folder, environment, files=(ROOT / "examples" / "auth").glob("*.*")) as server:
        yield server.address


@pytest.fixture
async def ann(tenants: str) -> AsyncIterator[LangGraphClient]:
    """Return a client of a user of the tenant acme, whose handbook is indexed."""
    async with get_client(url=tenants, headers=headers_of("ann")) as client:
        sent: dict[str, Any] = {"texts": [{"name": "handbook.md", "text": ACME_HANDBOOK}]}
        done: Any = await client.runs.wait(None, "index", input=sent)
        assert done["documents"][0]["status"] in ("stored", "unchanged")
        yield client


@pytest.fixture
async def bob(tenants: str) -> AsyncIterator[LangGraphClient]:
    """Return a client of a user of the tenant bolt."""
    async with get_client(url=tenants, headers=headers_of("bob")) as client:
        yield client
