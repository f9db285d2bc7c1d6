"""Where what is kept for a user is kept."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

from tocwalk.errors import SettingsError

__all__ = ["home_folder"]


def home_folder() -> Path:
    """Return the folder TOCWALK_HOME, or where that is unset or blank the user's data folder of this platform.

    Raises:
        SettingsError: There is none: the user has no home.
    """
    home = os.environ.get("TOCWALK_HOME", "").strip()
    try:
        return Path(home).expanduser() if home else user_data_path("tocwalk", appauthor=False)
    except RuntimeError as error:
        raise SettingsError(
            f"No folder is known for what is kept: TOCWALK_HOME is {home!r}, and the user has no home. Set TOCWALK_HOME"
            " to a folder."
        ) from error
