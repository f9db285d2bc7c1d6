"""What `make serve` and `make studio` have in common: a free port, settings that can be used, the example documents."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from dotenv import dotenv_values

from tocwalk.errors import SettingsError
from tocwalk.state.operator import OperatorSettings

__all__ = ["BIN", "HOST", "ROOT", "check_port_and_settings", "index_examples", "options", "server_environment"]

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
HOST = "127.0.0.1"


def options(description: str | None, *, port: int) -> Namespace:
    """Return what the command line says: `port`, and `home`, where index and threads are kept."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=port)
    parser.add_argument("--home", type=Path, default=ROOT / ".serve", help="where index and threads are kept")
    given = parser.parse_args()
    given.home = given.home.absolute()
    return given


def server_environment(home: Path) -> dict[str, str]:
    """Return the environment with what `.env` adds to it, and an index that is not the user's."""
    added = {name: value for name, value in dotenv_values(ROOT / ".env").items() if value is not None}
    quiet = {"LANGSMITH_TRACING": "false", "LANGGRAPH_NO_VERSION_CHECK": "true", "LOG_LEVEL": "WARNING"}
    environment = {**quiet, **added, **os.environ, "LANGGRAPH_CLI_NO_ANALYTICS": "1", "TOCWALK_HOME": str(home)}
    environment.pop("TOCWALK_INDEX", None)
    return environment


def check_port_and_settings(port: int, environment: dict[str, str], *, other_port: str) -> None:
    """End with a message where the port is taken or a setting cannot be used: servers tell of both late and at length.

    Args:
        port: On this machine.
        environment: Of the server.
        other_port: The command that names another port, up to the number.
    """
    with socket.socket() as probe:
        if probe.connect_ex((HOST, port)) == 0:
            sys.exit(f"Port {port} is taken: name another with `{other_port}{port + 1}`.")
    try:
        OperatorSettings.from_environment(environment)
    except SettingsError as error:
        sys.exit(str(error))


def index_examples(environment: dict[str, str]) -> None:
    """Index the example documents, which takes no time where that was done before; end if that cannot be done."""
    try:
        done = subprocess.run([BIN / "tocwalk", "index", ROOT / "examples/documents"], env=environment, check=False)
    except KeyboardInterrupt:
        sys.exit(130)  # the command was told by the same Ctrl-C, and has said so
    if done.returncode:
        sys.exit(done.returncode)
