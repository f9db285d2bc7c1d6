"""Said once: the offline navigator does not reason."""

from __future__ import annotations

import click

from tocwalk.errors import SettingsError
from tocwalk.state.home import home_folder

__all__ = ["say_once_that_it_is_offline"]

_NOTICE = (
    "Note: lexical:outline compares words; it does not reason. For a model that does, set OPENAI_API_KEY and ask with"
    "\n`--navigator openai:MODEL`. (Said once.)"
)


def say_once_that_it_is_offline(model: str) -> None:
    """Print the notice on stderr when `model` is offline and it was not said before under this TOCWALK_HOME."""
    if not model.startswith("lexical:"):
        return
    try:
        marker = home_folder() / "offline-notice-shown"
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch(exist_ok=False)
    except FileExistsError:
        return
    except (OSError, SettingsError):
        pass  # a home that is not there or cannot be written is no reason to say nothing, nor to fail
    click.echo(_NOTICE, err=True)
