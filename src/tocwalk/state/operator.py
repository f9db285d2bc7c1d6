"""What the operator decides for every walk: models, prices, credentials, ceilings. Never input, never context."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError

from tocwalk.errors import SettingsError
from tocwalk.state.context import VISITS_CEILING
from tocwalk.state.faults import faults

__all__ = ["VARIABLES", "OperatorSettings", "Price"]

_SHOWN = 200  # characters of a variable in an error


class Price(BaseModel):
    """What a model costs, in the operator's currency per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """For input tokens that the provider had cached; None: as `input`."""

    def cost(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float:
        """Return the money for these tokens; `input_tokens` includes the cached ones."""
        cached = self.input if self.cached is None else self.cached
        fresh = input_tokens - cached_tokens
        return (fresh * self.input + cached_tokens * cached + output_tokens * self.output) / 1_000_000


class OperatorSettings(BaseModel):
    """Settings of whoever runs tocwalk; `from_environment` reads them."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    models: tuple[str, ...] = Field(default=("*",), min_length=1)
    """Models that may be asked for, as glob patterns separated by commas: `openai:gpt-5*, lexical:outline`."""
    answer_model: str | None = None
    """Chat model that answers are written by where nobody names one: `openai:gpt-5-mini`."""
    max_visits: int = Field(default=VISITS_CEILING, ge=0, le=VISITS_CEILING)
    """Ceiling of the visit budget of any run."""
    openai_base_url: str | None = None
    """Where the models of `openai:` are served; empty: by OpenAI itself."""
    openai_api_key: SecretStr | None = None
    """Key for those models; any word for a server that asks for none."""
    prices: Mapping[str, Price] = Field(default_factory=dict[str, Price])
    """JSON, money per million tokens by model:
    `{"openai:gpt-5-mini": {"input": 0.25, "output": 2, "cached": 0.025}}`."""
    calls_in_flight: int = Field(default=16, ge=1, le=1000)
    """Requests to models under way at once, over all that this process does."""
    calls_per_model: int | None = Field(default=None, ge=1, le=1000)
    """Those of them to one model; empty: as many as to all."""
    decision_cache: bool = True
    """Whether decisions of models are kept on this machine, so that none is paid for twice."""
    index_roots: tuple[Path, ...] = ()
    """Folders from which the graph `index` may read files, separated like PATH; empty: none."""
    index_max_bytes: int = Field(default=64 << 20, ge=1)
    """Bytes that one run of the graph `index` may be sent."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> OperatorSettings:
        """Return the settings that the environment makes; what is not set, or blank, has its default.

        Args:
            environment: None for the process's own. Read are TOCWALK_MODELS (patterns, separated by commas),
                TOCWALK_ANSWER_MODEL, TOCWALK_MAX_VISITS, TOCWALK_OPENAI_BASE_URL (else OPENAI_BASE_URL),
                OPENAI_API_KEY, TOCWALK_CALLS_IN_FLIGHT, TOCWALK_CALLS_PER_MODEL,
                TOCWALK_DECISION_CACHE (on or off), TOCWALK_INDEX_ROOTS (folders, separated like PATH),
                TOCWALK_INDEX_MAX_BYTES and TOCWALK_PRICES (JSON:
                `{"openai:gpt-5-mini": {"input": 0.25, "output": 2, "cached": 0.025}}`).

        Raises:
            SettingsError: A variable cannot be used; the message names it.
        """
        found = os.environ if environment is None else environment
        given = {name: value.strip() for name, value in found.items() if name in VARIABLES and value.strip()}
        values: dict[str, Any] = {}
        for name, value in given.items():
            # The general variable gives way to our own.
            if name != "OPENAI_BASE_URL" or "TOCWALK_OPENAI_BASE_URL" not in given:
                values[VARIABLES[name]] = _read(name, value)
        return cls(**values)

    def allows(self, model: str) -> bool:
        """Whether the operator lets `model` be asked for."""
        return any(fnmatchcase(model, pattern) for pattern in self.models)

    def price(self, model: str) -> Price | None:
        """Return what `model` costs, or None where no price is known."""
        return self.prices.get(model)


VARIABLES: Mapping[str, str] = {
    "TOCWALK_MODELS": "models",
    "TOCWALK_ANSWER_MODEL": "answer_model",
    "TOCWALK_MAX_VISITS": "max_visits",
    "TOCWALK_OPENAI_BASE_URL": "openai_base_url",
    "OPENAI_BASE_URL": "openai_base_url",
    "OPENAI_API_KEY": "openai_api_key",
    "TOCWALK_PRICES": "prices",
    "TOCWALK_CALLS_IN_FLIGHT": "calls_in_flight",
    "TOCWALK_CALLS_PER_MODEL": "calls_per_model",
    "TOCWALK_DECISION_CACHE": "decision_cache",
    "TOCWALK_INDEX_ROOTS": "index_roots",
    "TOCWALK_INDEX_MAX_BYTES": "index_max_bytes",
}


def _read(name: str, text: str) -> Any:
    """Return the value of one variable, checked alone so that an error can name it."""
    field = OperatorSettings.model_fields[VARIABLES[name]]
    expected = f"got {text[:_SHOWN]!r}. Expected: {' '.join(str(field.description).split())}"
    adapter: TypeAdapter[Any] = TypeAdapter(field.rebuild_annotation())
    value: Any = text
    try:
        if name == "TOCWALK_MODELS":
            value = [pattern.strip() for pattern in text.split(",") if pattern.strip()]
        elif name == "TOCWALK_INDEX_ROOTS":
            value = [folder.strip() for folder in text.split(os.pathsep) if folder.strip()]
        elif name == "TOCWALK_PRICES":
            value = json.loads(text)
        return adapter.validate_python(value)
    except ValidationError as error:
        found = faults(error, values=False)
        raise SettingsError(f"The environment variable {name} cannot be used: {found}, {expected}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"The environment variable {name} must hold JSON ({error}), {expected}") from error
