"""Fixtures of a server whose model writes summaries, and of the operator's settings that lead to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from stub_summaries import SummaryServer, summary_server
from tocwalk.state.operator import OperatorSettings, Price

__all__ = ["operator", "server"]


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
