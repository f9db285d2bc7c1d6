"""What `make generate` writes: files that follow from the code. A test compares them with what is written here."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tocwalk.state.operator import VARIABLES, OperatorSettings

ROOT = Path(__file__).parents[1]
WIDTH = 120

INTRODUCTION = """\
# Settings

Generated from the code by `make generate`.

Input comes with each run. Context is set per assistant or per call, in code as `context={...}`. Whoever runs tocwalk
sets the rest in the environment, and no input or context reaches beyond that."""

PLACES = {
    "TOCWALK_INDEX": "The index: the path of a file, or `sqlite:///PATH`.",
    "TOCWALK_HOME": "Folder of `index.db` where TOCWALK_INDEX is not set; empty: the user's data folder.",
    "TOCWALK_FORBID_REAL_MODELS": "1: only models on this machine are asked. For tests.",
}
OF_OTHERS = {
    "LANGSMITH_TRACING": (
        "true",
        "Send traces to LangSmith (docs/observability.md): questions and texts leave this machine.",
    ),
    "LANGSMITH_API_KEY": ("", "Key for that; in production also the licence of the server (docs/production.md)."),
    "LOG_LEVEL": ("INFO", "Of the LangGraph server."),
    "LOG_JSON": ("true", "One JSON object a line, as log collectors want it."),
}
NOT_SERVED = (".git", "tests", "benchmarks", "docs", "examples", "tools")


def settings_page() -> str:
    """Return docs/settings.md."""
    parts = [INTRODUCTION]
    told: dict[str, Any] = {}
    for name, described in _config()["graphs"].items():
        graph = _graph(described["path"])
        context = (graph.get_context_jsonschema() or {}).get("properties", {})
        fresh = {key: value for key, value in context.items() if told.get(key) != value}
        parts.append(f"## Input of `{name}`\n\n{_table(graph.get_input_jsonschema())}")
        if fresh:
            more = "\n\nAnd all settings above." if len(fresh) < len(context) else ""
            parts.append(f"## Context of `{name}`\n\n{_table({'properties': fresh})}{more}")
        told |= context
    parts.append(f"## Environment\n\n{_environment_table()}")
    return "\n\n".join(parts) + "\n"


def env_example() -> str:
    """Return .env.example."""
    lines = ["# Copy this file to .env and take out the # before what you set. Blank is as good as not set."]
    for name, (default, meaning) in _variables().items():
        lines += ["", *_comment(meaning), f"# {name}={default}"]
    lines += ["", "# What LangGraph's server and LangSmith read."]
    for name, (value, meaning) in OF_OTHERS.items():
        lines += ["", *_comment(meaning), f"# {name}={value}"]
    return "\n".join(lines) + "\n"


def dockerfile() -> str:
    """Return what `langgraph dockerfile` makes of the project, in a folder of a name that does not vary."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tocwalk"
        shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
        for path in [*ROOT.glob("*.py"), ROOT / "langgraph.json", ROOT / "pyproject.toml"]:
            shutil.copy(path, copy)
        command = [str(Path(sys.executable).with_name("langgraph")), "dockerfile", "Dockerfile"]
        environment = os.environ | {"LANGGRAPH_CLI_NO_ANALYTICS": "1"}
        subprocess.run(command, cwd=copy, env=environment, check=True, capture_output=True)
        written = (copy / "Dockerfile").read_text("utf-8")
    return "".join(f"{line.rstrip()}\n" for line in written.splitlines())


def dockerignore() -> str:
    """Return .dockerignore: what git ignores, keys among it, and what a server does not need."""
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    return "\n".join([*NOT_SERVED, *(f"**/{pattern.rstrip('/')}" for pattern in ignored)]) + "\n"


FILES: Mapping[str, Callable[[], str]] = {
    "docs/settings.md": settings_page,
    ".env.example": env_example,
    "Dockerfile": dockerfile,
    ".dockerignore": dockerignore,
}


def _config() -> dict[str, Any]:
    return dict(json.loads((ROOT / "langgraph.json").read_text("utf-8")))


def _graph(path: str) -> Any:
    """Return a graph of langgraph.json."""
    file, _, name = path.partition(":")
    return runpy.run_path(str(ROOT / file))[name]


def _table(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    rows = [
        f"| `{name}` | {_kind(field)} | {'required' if name in required else _shown(field.get('default'))} "
        f"| {field['description']} |"
        for name, field in schema["properties"].items()
    ]
    return "\n".join(["| | | default | |", "|---|---|---|---|", *rows])


def _kind(field: Mapping[str, Any]) -> str:
    """Return the type of a value, and its bounds, in words."""
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_kind(one) for one in field["anyOf"] if one.get("type") != "null"))
    if "enum" in field:
        return " or ".join(f"`{one}`" for one in field["enum"])
    if field.get("type") == "array":
        return "list"
    return f"{field.get('type', 'object')}{_bounds(field)}"


def _bounds(field: Mapping[str, Any]) -> str:
    least, most = field.get("minimum", field.get("exclusiveMinimum")), field.get("maximum")
    if least is None and most is None:
        return ""
    above = " above" if "exclusiveMinimum" in field else ""
    return f"{above} {_number(least)}{' to' if most is not None else ' or more'} {_number(most)}".rstrip()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}"


def _shown(value: Any) -> str:
    return "" if value in (None, [], "") else f"`{json.dumps(value) if not isinstance(value, str) else value}`"


def _environment_table() -> str:
    rows = [
        f"| `{name}` | {_shown(default or None)} | {meaning} |" for name, (default, meaning) in _variables().items()
    ]
    return "\n".join(["| | default | |", "|---|---|---|", *rows])


def _variables() -> dict[str, tuple[str, str]]:
    """Return the variables that tocwalk reads, each with its default and its meaning."""
    found = {name: ("", meaning) for name, meaning in PLACES.items()}
    for name, setting in VARIABLES.items():
        field = OperatorSettings.model_fields[setting]
        meaning = " ".join(str(field.description).split())
        if not name.startswith("TOCWALK_") and f"TOCWALK_{name}" in VARIABLES:
            meaning = f"The same, where TOCWALK_{name} is not set."
        found[name] = (_default(field.get_default(call_default_factory=True)), meaning)
    return found


def _default(value: Any) -> str:
    """Return a setting as the environment writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value or "")


def _comment(text: str) -> Iterator[str]:
    line = "#"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


if __name__ == "__main__":
    for name, text in FILES.items():
        (ROOT / name).write_text(text(), "utf-8")
