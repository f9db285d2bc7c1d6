"""A switch that keeps tests from reaching a model that costs money."""

from __future__ import annotations

import os

from tocwalk.models.openai import FORBID_REAL_MODELS

__all__ = ["forbid_real_models"]


def forbid_real_models() -> None:
    """Let the built-in navigators reach models on this machine only, for the rest of this process and its children.

    It sets the environment variable TOCWALK_FORBID_REAL_MODELS to 1, which does the same from outside. Chat models
    that were handed over in code are not held back.
    """
    os.environ[FORBID_REAL_MODELS] = "1"
