"""A model server on this machine, and the operator's settings that lead to it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from stub_openai import KEY, StubOpenAI, stub_openai
from tocwalk.models import providers
from tocwalk.state.operator import OperatorSettings

collect_ignore = [] if os.environ.get("SMALL_MODEL_GGUF") else ["test_small_model.py"]
"""A model is nothing that everybody has: where none is named its test is not collected, so that none is skipped."""


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
