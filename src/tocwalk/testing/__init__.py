"""Navigators for tests, a conformance kit for other people's, and a switch against real models."""

from tocwalk.navigators.replay import ReplayNavigator
from tocwalk.testing.check import CheckResult, NavigatorReport, check_navigator
from tocwalk.testing.fakes import FunctionNavigator, RandomNavigator, ScriptedNavigator
from tocwalk.testing.oracle import OracleNavigator
from tocwalk.testing.real_models import forbid_real_models

__all__ = [
    "CheckResult",
    "FunctionNavigator",
    "NavigatorReport",
    "OracleNavigator",
    "RandomNavigator",
    "ReplayNavigator",
    "ScriptedNavigator",
    "check_navigator",
    "forbid_real_models",
]
