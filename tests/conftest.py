"""What every test runs under: no real model, no network, an index of its own, no silent skip in CI."""

from __future__ import annotations

import ipaddress
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("TOCWALK_SHARED") or ROOT.parent / "shared").absolute()
IN_CI = os.environ.get("CI") == "true"

_FALLBACK_HOME = tempfile.TemporaryDirectory(prefix="tocwalk-tests-")
"""For what runs outside a single test: session fixtures and the servers they start."""

settings.register_profile("tocwalk", deadline=None, derandomize=IN_CI)
settings.load_profile("tocwalk")


def pytest_configure() -> None:
    """Set the environment once, before any test module or server process reads it."""
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "LANGSMITH_", "LANGCHAIN_", "TOCWALK_"))]:
        del os.environ[name]
    os.environ.update(
        LANGSMITH_TRACING="false",
        LANGGRAPH_CLI_NO_ANALYTICS="1",
        TOCWALK_FORBID_REAL_MODELS="1",
        TOCWALK_HOME=_FALLBACK_HOME.name,
        TOCWALK_SHARED=str(SHARED),
    )
    sys.addaudithook(_refuse_the_network)


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    _FALLBACK_HOME.cleanup()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test an embedded index of its own."""
    monkeypatch.setenv("TOCWALK_HOME", str(tmp_path / "tocwalk-home"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real documents and worked cases, which the repository does not hold."""
    if not SHARED.is_dir():
        pytest.skip(f"There is no shared material at {SHARED}; set TOCWALK_SHARED to its folder.")
    return SHARED


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a CI run in which a test was skipped: there everything a test needs is to be present."""
    if _skipped_in_ci(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say why a run without a failed test has failed."""
    if count := _skipped_in_ci(config):
        terminalreporter.write_line(f"CI=true: {count} skipped, so this run fails.", red=True)


def _skipped_in_ci(config: pytest.Config) -> int:
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", ())) if IN_CI and reporter else 0


def _refuse_the_network(event: str, args: tuple[Any, ...]) -> None:
    """Raise where a socket of this process would leave the machine."""
    if event == "socket.connect" and not isinstance(args[1], str | bytes):
        host = str(args[1][0])
    elif event == "socket.getaddrinfo":
        host = args[0].decode() if isinstance(args[0], bytes) else str(args[0] or "localhost")
    else:
        return
    if not _is_local(host):
        raise RuntimeError(f"A test tried to reach {host!r}; tests talk to this machine only.")


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
