"""Reads the entries of `search.engines` that name a tool of another MCP server: `mcp:COMMAND_OR_URL#TOOL`."""

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

PREFIX = "mcp:"
# `npx` stands by itself: before another word, the test of names takes it for a command that fetches a package.
_RUNNERS = frozenset(["npx"]) | frozenset(
    ["bunx", "bun", "deno", "docker", "env", "node", "python", "python3", "run", "tool", "uv", "uvx"]
)
"""Programs, and their commands, that start another one, after which an engine is called."""
_FORM = "write mcp:COMMAND#TOOL or mcp:https://HOST/PATH#TOOL"


class ToolEngine(NamedTuple):
    """A tool of another MCP server that is used as a search engine."""

    name: str
    """`mcp:PROGRAM#TOOL` or `mcp:HOST#TOOL`; shown everywhere, as command and address may hold keys."""
    server: str
    """The command line that starts the server, or its address."""
    tool: str

    @property
    def command(self) -> list[str]:
        """The words of the command line; empty if the server has an address."""
        return [] if _is_address(self.server) else shlex.split(self.server)


def tool_engines(entries: Sequence[str]) -> dict[str, ToolEngine]:
    """Return the tools among the entries of `search.engines`, by entry; those of equal names are numbered.

    Raises:
        ValueError: An entry cannot be read. The message does not repeat it.
    """
    found: dict[str, ToolEngine] = {}
    for entry in entries:
        if not entry.startswith(PREFIX) or entry in found:
            continue
        server, mark, tool = entry.removeprefix(PREFIX).rpartition("#")
        if not mark or not server.strip() or not re.fullmatch(r"[\w./-]{1,128}", tool):
            raise ValueError(f"an entry that begins with {PREFIX} names no tool of a server: {_FORM}")
        name = f"{PREFIX}{_called(server.strip())}#{tool}"
        equal = sum(one.name.partition("~")[0] == name for one in found.values())
        found[entry] = ToolEngine(f"{name}~{equal + 1}" if equal else name, server.strip(), tool)
    return found


def without_servers(text: str) -> str:
    """Mask the commands and addresses of servers in a text, since each may contain a key."""
    return re.sub(rf"{PREFIX}[^#]*", f"{PREFIX}…", text)


def _called(server: str) -> str:
    if _is_address(server):
        if not (host := urlsplit(server).hostname):
            raise ValueError(f"an entry that begins with {PREFIX} has an address without a host: {_FORM}")
        return host
    words = shlex.split(server)
    named = [word for word in words if not word.startswith("-") and "=" not in word]
    program = next((word for word in named if word.rpartition("/")[2] not in _RUNNERS), "")
    return re.sub(r"[^\w.@-]", "", program.replace("\\", "/").rpartition("/")[2]) or "server"


def _is_address(server: str) -> bool:
    return server.startswith(("http://", "https://"))
