"""What the operator sets through the environment."""

from __future__ import annotations

import pytest

from tocwalk.errors import SettingsError
from tocwalk.state.operator import VARIABLES, OperatorSettings, Price


def test_nothing_set_is_all_defaults() -> None:
    """Without variables, or with blank ones, every model is allowed and nothing has a price."""
    settings = OperatorSettings.from_environment({"TOCWALK_MODELS": " ", "OPENAI_API_KEY": ""})

    assert settings == OperatorSettings()
    assert settings.allows("anything:at-all")
    assert settings.price("openai:gpt-5-mini") is None
    assert settings.max_visits == 1000


def test_every_variable_is_read() -> None:
    """Each variable reaches its setting."""
    settings = OperatorSettings.from_environment(
        {
            "TOCWALK_MODELS": "openai:gpt-5*, lexical:outline,",
            "TOCWALK_MAX_VISITS": "40",
            "TOCWALK_OPENAI_BASE_URL": "http://localhost:8000/v1",
            "OPENAI_BASE_URL": "http://elsewhere/v1",
            "OPENAI_API_KEY": "sk-1",
            "TOCWALK_PRICES": '{"openai:gpt-5-mini": {"input": 0.25, "output": 2, "cached": 0.025}}',
            "TOCWALK_CALLS_IN_FLIGHT": "3",
            "HOME": "/somewhere",
        }
    )

    assert settings.models == ("openai:gpt-5*", "lexical:outline")
    assert settings.max_visits == 40
    assert settings.openai_base_url == "http://localhost:8000/v1"
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "sk-1"
    assert settings.price("openai:gpt-5-mini") == Price(input=0.25, output=2, cached=0.025)
    assert settings.calls_in_flight == 3


def test_the_general_address_serves_where_ours_is_not_set() -> None:
    """OPENAI_BASE_URL is used as other tools use it."""
    assert OperatorSettings.from_environment({"OPENAI_BASE_URL": "http://a/v1"}).openai_base_url == "http://a/v1"


def test_the_key_is_not_shown() -> None:
    """Printing the settings does not print the key."""
    assert "sk-secret" not in repr(OperatorSettings.from_environment({"OPENAI_API_KEY": "sk-secret"}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOCWALK_MAX_VISITS", "1001"),
        ("TOCWALK_MAX_VISITS", "-1"),
        ("TOCWALK_MAX_VISITS", "many"),
        ("TOCWALK_CALLS_IN_FLIGHT", "0"),
        ("TOCWALK_MODELS", ","),
        ("TOCWALK_PRICES", "{"),
        ("TOCWALK_PRICES", "[]"),
        ("TOCWALK_PRICES", '{"openai:gpt-5-mini": 3}'),
        ("TOCWALK_PRICES", '{"openai:gpt-5-mini": {"input": 1}}'),
        ("TOCWALK_PRICES", '{"openai:gpt-5-mini": {"input": -1, "output": 1}}'),
        ("TOCWALK_PRICES", '{"openai:gpt-5-mini": {"input": NaN, "output": 1}}'),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(name: str, value: str) -> None:
    """The error names the variable and its value, and says what it should hold."""
    with pytest.raises(SettingsError, match=name) as caught:
        OperatorSettings.from_environment({name: value})
    assert f"got {value!r}. Expected: {_description(name)}" in str(caught.value)


def _description(name: str) -> str:
    return " ".join(str(OperatorSettings.model_fields[VARIABLES[name]].description).split())


def test_prices_nested_without_end_are_named() -> None:
    """JSON too deep to be read is a wrong setting, told in a line."""
    with pytest.raises(SettingsError, match="TOCWALK_PRICES") as caught:
        OperatorSettings.from_environment({"TOCWALK_PRICES": '{"a":' * 50_000})
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("model", "allowed"),
    [("openai:gpt-5-mini", True), ("openai:gpt-4", False), ("OPENAI:gpt-5-mini", False), ("lexical:outline", True)],
)
def test_patterns_allow_models(model: str, allowed: bool) -> None:
    """A pattern is matched whole and by case."""
    assert OperatorSettings(models=("openai:gpt-5*", "lexical:outline")).allows(model) is allowed


def test_money_is_counted_by_the_million() -> None:
    """Cached tokens cost their own price where there is one, else what others cost."""
    assert Price(input=2, output=10, cached=0.5).cost(1_000_000, 100_000, 400_000) == pytest.approx(1.2 + 0.2 + 1.0)
    assert Price(input=2, output=10).cost(1_000_000, 0, 400_000) == pytest.approx(2.0)
