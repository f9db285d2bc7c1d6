"""What tests of the index graph share: an index, and a server whose model writes summaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from stub_summaries import SummaryServer, summary_server
from tocwalk.index import TreeIndex
from tocwalk.state.operator import OperatorSettings, Price


@pytest.fixture
def index(tmp_path: Path) -> Iterator[TreeIndex]:
    """Return an empty index."""
    with TreeIndex(tmp_path / "index.db") as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[SummaryServer]:
    """Return a server of this test's own."""
    with summary_server() as running:
        yield running


@pytest.fixture
def operator(server: SummaryServer) -> OperatorSettings:
    """Return settings under which the server is asked: a thousand tokens cost 1, those written twice as much."""
    price = Price(input=1000, output=2000)
    return OperatorSettings(
        openai_base_url=server.base_url, openai_api_key=SecretStr("sk-for-tests"), prices={"openai:writer": price}
    )
