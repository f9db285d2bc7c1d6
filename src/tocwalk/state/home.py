"""Where what is kept for a user is kept."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["home_folder"]


def home_folder() -> Path:
    """Return the folder TOCWALK_HOME, or where that is unset or blank the user's data folder of this platform."""
    home = os.environ.get("TOCWALK_HOME", "").strip()
    return Path(home).expanduser() if home else user_data_path("tocwalk", appauthor=False)
