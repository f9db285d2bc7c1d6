"""Fixtures of a model server on this machine, and of the operator's settings that lead to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stub_openai import KEY, StubOpenAI, stub_openai
from tocwalk.state.operator import OperatorSettings

__all__ = ["operator", "running_stub", "stub"]


@pytest.fixture(scope="session")
def running_stub() -> Iterator[StubOpenAI]:
    """Return the server, as other tests have left it."""
    with stub_openai() as running:
        yield running


@pytest.fixture
def stub(running_stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> StubOpenAI:
    """Return the server, as if new, of whose models nothing has been learned yet."""
    running_stub.forget()
    monkeypatch.setattr("tocwalk.models.resolving._known", {})
    return running_stub


@pytest.fixture
def operator(stub: StubOpenAI) -> OperatorSettings:
    """Return settings that lead to the server, with its key."""
    return OperatorSettings.from_environment({"TOCWALK_OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": KEY})
