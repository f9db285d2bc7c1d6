"""Finding the navigator for a model."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, EntryPoint
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest

from tocwalk.errors import ConfigurationError, CredentialError, NavigatorResolutionError, SettingsError
from tocwalk.navigators.lexical import LexicalNavigator
from tocwalk.navigators.named import OpenAINavigator
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.navigators.registry import NavigatorRegistry, check_model
from tocwalk.state.operator import OperatorSettings

MODULE = "plugin_for_tests"


class Plain:
    """A navigator of a provider called "plain" that needs nothing."""

    examples = ("plain:one", "plain:two")

    def supports(self, model: str) -> bool:
        """Whether it is a model of this provider."""
        return model.startswith("plain:")

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Reject."""
        return Decision(action="reject")


class Demanding(Plain):
    """A navigator that wants the operator's settings."""

    needs = "a price"

    def __init__(self, operator: OperatorSettings) -> None:
        """Keep them."""
        self.operator = operator


def broken() -> Plain:
    """Fail, as a plug-in whose dependency is missing does."""
    raise ImportError("no module named 'left_pad'")


@pytest.fixture(autouse=True)
def _plugin_module() -> Iterator[None]:
    module = ModuleType(MODULE)
    module.__dict__.update(Plain=Plain, Demanding=Demanding, broken=broken, nothing=object)
    sys.modules[MODULE] = module
    yield
    del sys.modules[MODULE]


class FakeDistribution(Distribution):
    """A distribution that is nothing but a name."""

    def __init__(self, name: str) -> None:
        """Be called so."""
        self._name = name

    def read_text(self, filename: str) -> str | None:
        """Return the metadata."""
        return f"Metadata-Version: 2.1\nName: {self._name}\nVersion: 1\n" if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        """Return where nothing is."""
        return Path(str(path))


def entry(name: str, target: str, distribution: str) -> EntryPoint:
    """Return an entry point of a distribution."""
    point = EntryPoint(name=name, value=f"{MODULE}:{target}", group="tocwalk.navigators")
    vars(point)["dist"] = FakeDistribution(distribution)
    return point


def registry(*entries: EntryPoint, **settings: object) -> NavigatorRegistry:
    """Return a registry of these, under an operator with these settings."""
    return NavigatorRegistry(entries, operator=OperatorSettings.model_validate(settings))


PLAIN = entry("plain", "Plain", "plain-dist")
TWIN = entry("twin", "Plain", "twin-dist")
BROKEN = entry("sick", "broken", "sick-dist")


def test_the_built_in_navigators_are_plug_ins_too() -> None:
    """They are found through the same entry points as other people's."""
    built_in = NavigatorRegistry.from_entry_points()

    assert isinstance(built_in.resolve("lexical:outline"), LexicalNavigator)
    assert isinstance(built_in.resolve("openai:gpt-5-mini"), OpenAINavigator)
    told = {navigator.name: navigator for navigator in built_in.installed()}
    assert told["lexical"].distribution == "tocwalk"
    assert told["lexical"].examples == ("lexical:outline",)
    assert "OPENAI_API_KEY" in told["openai"].needs


def test_the_one_that_supports_a_model_is_returned_and_made_once() -> None:
    """The same navigator serves all walks of a registry."""
    found = registry(PLAIN)

    assert found.resolve("plain:one") is found.resolve("plain:two")


@pytest.mark.parametrize("model", ["", "  ", "\n"])
def test_a_blank_model_is_a_value_error(model: str) -> None:
    """It says what to set."""
    with pytest.raises(SettingsError, match="navigator_model") as caught:
        registry(PLAIN).resolve(model)
    assert isinstance(caught.value, ValueError)


def test_no_navigator_names_what_is_installed() -> None:
    """A model that nobody supports is answered with who is there."""
    with pytest.raises(NavigatorResolutionError, match=r"'plain' of plain-dist \(for example plain:one, plain:two\)"):
        registry(PLAIN).resolve("other:model")
    with pytest.raises(NavigatorResolutionError, match="Installed: none"):
        registry().resolve("other:model")


def test_several_navigators_are_named_and_order_never_decides() -> None:
    """Two that support a model are an error with the same words, however they were found."""
    messages = set[str]()
    for entries in permutations([PLAIN, TWIN, BROKEN]):
        with pytest.raises(NavigatorResolutionError, match=r"'plain' of plain-dist, 'twin' of twin-dist") as caught:
            registry(*entries).resolve("plain:one")
        messages.add(str(caught.value))

    assert len(messages) == 1


def test_the_operators_list_is_a_limit() -> None:
    """A model outside the list is refused, and the list is named."""
    limited = registry(PLAIN, models=("plain:o*", "openai:*"))

    assert limited.resolve("plain:one")
    with pytest.raises(NavigatorResolutionError, match=r"plain:o\*, openai:\*"):
        limited.resolve("plain:two")


def test_navigators_get_the_operators_settings_if_they_ask() -> None:
    """A factory with a parameter `operator` is handed the settings."""
    found = registry(entry("demanding", "Demanding", "d"), max_visits=7).resolve("plain:one")

    assert isinstance(found, Demanding)
    assert found.operator.max_visits == 7


@pytest.mark.parametrize(("target", "said"), [("broken", "left_pad"), ("nothing", "no `supports`"), ("gone", "gone")])
def test_a_broken_plug_in_hurts_only_its_own_models(target: str, said: str) -> None:
    """Others go on; a model of the broken one's name says which distribution is broken, and why."""
    found = registry(PLAIN, entry("sick", target, "sick-dist"))

    assert found.resolve("plain:one")
    with pytest.raises(NavigatorResolutionError, match="sick-dist") as caught:
        found.resolve("sick:model")
    assert said in str(caught.value)
    assert caught.value.__cause__ is not None
    assert [bool(told.error) for told in found.installed()] == [False, True]


def test_installed_navigators_are_listed_by_name() -> None:
    """The list is the same however they were found."""
    entries: Sequence[EntryPoint] = (TWIN, PLAIN)

    assert [told.name for told in registry(*entries).installed()] == ["plain", "twin"]


def test_a_check_before_the_walk_is_optional() -> None:
    """A navigator without `check` is ready; one with it may raise what would else come later."""
    check_model(Plain(), "plain:one")
    with pytest.raises(CredentialError) as caught:
        check_model(OpenAINavigator(OperatorSettings()), "openai:gpt-5-mini")
    assert isinstance(caught.value, ConfigurationError)
