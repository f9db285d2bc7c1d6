"""A model server on this machine, and the operator's settings that lead to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reference.asking import small_index
from stub_openai import KEY, StubOpenAI, stub_openai
from tocwalk.state.operator import OperatorSettings

__all__ = ["small_index"]


@pytest.fixture(scope="session")
def _stub() -> Iterator[StubOpenAI]:
    with stub_openai() as running:
        yield running


@pytest.fixture
def stub(_stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> StubOpenAI:
    """Return the server, as if new, of whose models nothing has been learned yet."""
    _stub.forget()
    monkeypatch.setattr("tocwalk.models.resolving._known", {})
    return _stub


@pytest.fixture
def operator(stub: StubOpenAI) -> OperatorSettings:
    """Return settings that lead to the server, with its key."""
    return OperatorSettings.from_environment({"TOCWALK_OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": KEY})
