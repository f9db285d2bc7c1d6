"""Whether a model can judge, told before any document is read."""

from __future__ import annotations

from tocwalk.errors import NavigatorResolutionError
from tocwalk.navigators.registry import NavigatorRegistry, check_model
from tocwalk.state.operator import OperatorSettings

__all__ = ["check_judge"]


def check_judge(model: str) -> None:
    """Return if a navigator can judge with `model`.

    Raises:
        ConfigurationError: None can; for a model without provider the message says which providers know such.
    """
    registry = NavigatorRegistry.from_entry_points(OperatorSettings.from_environment())
    try:
        navigator = registry.resolve(model)
    except NavigatorResolutionError as error:
        if examples := _examples(registry, model.strip(": ")):
            raise NavigatorResolutionError(
                f"{model!r} names a provider but no model: name one too, like {examples[0]!r}."
            ) from error
        likely = [] if ":" in model else _with_provider(registry, model.strip())
        if not likely:
            raise
        raise NavigatorResolutionError(
            f"{model!r} names no provider: did you mean {' or '.join(map(repr, likely))}? `tocwalk navigators` lists"
            " what is installed."
        ) from error
    check_model(navigator, model)


def _examples(registry: NavigatorRegistry, provider: str) -> tuple[str, ...]:
    return next((one.examples for one in registry.installed() if one.name == provider), ())


def _with_provider(registry: NavigatorRegistry, model: str) -> list[str]:
    return [name for one in registry.installed() if _is_supported(registry, name := f"{one.name}:{model}")]


def _is_supported(registry: NavigatorRegistry, model: str) -> bool:
    try:
        registry.resolve(model)
    except NavigatorResolutionError:
        return False
    return True
