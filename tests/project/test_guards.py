"""What keeps a test run honest: no network, no real model, no silent skip in CI."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def _run_pytest(folder: Path, *, ci: str) -> subprocess.CompletedProcess[str]:
    """Run pytest under our conftest in a folder with one test that is skipped and one that passes."""
    (folder / "test_some.py").write_text(
        "import pytest\ndef test_skipped(): pytest.skip('no database')\ndef test_passed(): pass\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "conftest",
        "--rootdir",
        str(folder),
        "-c",
        os.devnull,
        str(folder),
    ]
    env = {**os.environ, "CI": ci, "PYTHONPATH": str(TESTS)}
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def test_a_skipped_test_fails_a_ci_run(tmp_path: Path) -> None:
    """With CI=true one skipped test fails the run, which says so and still closes with pytest's own line."""
    run = _run_pytest(tmp_path, ci="true")
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "1 skipped, so this run fails" in run.stdout
    assert "1 passed, 1 skipped" in run.stdout.splitlines()[-1]


def test_a_skipped_test_passes_elsewhere(tmp_path: Path) -> None:
    """On a person's machine a skipped test is only reported."""
    assert _run_pytest(tmp_path, ci="").returncode == pytest.ExitCode.OK


def test_a_test_cannot_leave_the_machine() -> None:
    """A connection to another machine, and the look-up of its name, raise before a packet is sent."""
    with pytest.raises(RuntimeError, match="tried to reach 'models.invalid'"):
        socket.create_connection(("models.invalid", 443))
    with pytest.raises(RuntimeError, match="tried to reach '192.0.2.1'"):
        sys.audit("socket.connect", None, ("192.0.2.1", 443))


def test_a_test_can_talk_to_itself() -> None:
    """Servers on this machine are reached as ever."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_no_key_of_a_person_reaches_a_test() -> None:
    """Keys and addresses of models are gone from the environment, and real models are forbidden by name."""
    assert [name for name in os.environ if name.startswith(("OPENAI_", "LANGCHAIN_"))] == []
    assert os.environ["TOCWALK_FORBID_REAL_MODELS"] == "1"
