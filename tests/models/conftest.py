"""A model server on this machine, and the operator's settings that lead to it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from model_server import operator, running_stub, stub
from stub_openai import KEY, StubOpenAI
from tocwalk.models import providers

__all__ = ["collect_ignore", "operator", "provider", "running_stub", "stub"]

collect_ignore = [] if os.environ.get("SMALL_MODEL_GGUF") else ["test_small_model.py"]
"""A model is nothing that everybody has: where none is named its test is not collected, so that none is skipped."""


@pytest.fixture
def provider(stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lead LangChain's own package for OpenAI to the server, as a user would: by its variables."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_BASE", stub.base_url)
    providers._made.cache_clear()
    yield
    providers._made.cache_clear()
