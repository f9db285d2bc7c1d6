"""A model server on this machine, and the operator's settings that lead to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stub_openai import KEY, StubOpenAI, stub_openai
from tocwalk.models import providers
from tocwalk.state.operator import OperatorSettings


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


@pytest.fixture
def provider(stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lead LangChain's own package for OpenAI to the server, as a user would: by its variables."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_BASE", stub.base_url)
    providers._made.cache_clear()
    yield
    providers._made.cache_clear()
