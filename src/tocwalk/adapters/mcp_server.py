"""An MCP server that tells a caller what is wrong with a call in words to act on. Needs the extra `mcp`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from tocwalk.state.faults import fault
from tocwalk.tree import clip

__all__ = ["ToolServer"]

_SHOWN = 100  # characters of a value in an error


class ToolServer(MCPServer[Any]):
    """Checks names and arguments itself: the library passes on pydantic's report, and ignores what it does not know."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Call a tool.

        Raises:
            ToolError: There is no such tool, or arguments are missing, unknown or cannot be used: each is named, with
                its value and what is expected. Else as the library does.
        """
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in schemas:
            raise ToolError(f"There is no tool {_shown(name)}; there are {_listed(schemas)}.")
        known: Mapping[str, Any] = schemas[name]["properties"]
        for argument in arguments:
            if argument not in known:
                raise ToolError(f"{name} takes no argument {_shown(argument)}; it takes {_listed(known)}.")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                # The same cause: by that the library logs names without values.
                raise ToolError(_explained(name, error.__cause__, known)) from error.__cause__
            raise


def _explained(tool: str, error: ValidationError, known: Mapping[str, Any]) -> str:
    """Return what is wrong with each argument, and what it is for."""
    told: dict[str, str] = {}
    for found in error.errors():
        name = str(found["loc"][0])
        got = "" if found["type"] == "missing" else f", got {_shown(found['input'])}"
        where = ".".join(map(str, found["loc"]))
        told.setdefault(name, f"{where}: {fault(found)}{got}. {known[name]['description']}")
    return f"{tool} cannot be called like this. {' '.join(told.values())}"


def _shown(value: object) -> str:
    return clip(repr(value), _SHOWN)


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(map(repr, names))
