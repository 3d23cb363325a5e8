"""The MCP clients that can be connected: the file in which each keeps its servers, and the form of an entry."""

import platform
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.clients import jsonc, toml_tables

ENTRY = "deepresearch"
"""Our name in every client."""

VARIABLES = (
    "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME",
    "CLINE_MCP_SETTINGS_PATH",
)  # fmt: skip
"""Variables that move the clients' folders."""

_ADDRESSES = ("url", "httpUrl", "serverUrl")
_REMOTE = frozenset({*_ADDRESSES, "headers", "http_headers"})
"""Fields of an entry for a remote server; together with a command they would be ambiguous."""
_LOCAL = frozenset({"command", "args", "env"})
"""Fields of an entry that starts a server; together with an address they would be ambiguous."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The system and the user, which decide where files are."""

    system: str
    """`Linux`, `Darwin` or `Windows`."""
    home: Path
    variables: Mapping[str, str]

    def xdg(self) -> Path:
        """Return the XDG configuration folder, which some clients use on every system."""
        return Path(self.variables.get("XDG_CONFIG_HOME") or self.home / ".config")

    def configuration(self) -> Path:
        """Return the folder in which applications keep their configuration."""
        if self.system == "Windows":
            return Path(self.variables.get("APPDATA") or self.home / "AppData" / "Roaming")
        if self.system == "Darwin":
            return self.home / "Library" / "Application Support"
        return self.xdg()


@dataclass(frozen=True, slots=True)
class McpClient:
    """One program that starts MCP servers."""

    name: str
    title: str
    file: Path
    """The file for all of the user's projects."""
    project: str = ""
    """The file for one project, relative to its folder; empty if the client has none."""
    group: str = "mcpServers"
    form: Literal["json", "jsonc", "toml"] = "json"
    """With `json` the client reads no comments, so neither do we."""
    fixed: Mapping[str, Any] | None = None
    """Fields that an entry needs besides command and arguments."""
    programs: tuple[str, ...] = ()
    then: str = "Restart it."
    """What the user does next."""
    sign: Path | None = None
    """A path that exists where the client is installed, if not the folder of its file."""
    joined: bool = False
    """Whether `command` is one list that includes the arguments."""
    or_jsonc: bool = False
    """Whether the client also reads a file of the same name that ends with .jsonc."""
    remote: tuple[str, str] | None = None
    """Names of the fields for the address and headers of an HTTP server; None if we do not know them."""

    def place(self, folder: Path | None = None) -> Path:
        """Return the user's file, or that of the project in `folder`."""
        file = folder / self.project if folder else self.file
        other = file.with_suffix(".jsonc")
        return other if self.or_jsonc and other.exists() and not file.exists() else file

    def found(self) -> bool:
        """Return whether the client seems to be installed on this machine."""
        return (self.sign or self.file.parent).exists() or any(shutil.which(program) for program in self.programs)

    def entry(self, command: Sequence[str]) -> dict[str, Any]:
        """Return the entry that starts this program."""
        parts = {"command": list(command)} if self.joined else {"command": command[0], "args": list(command[1:])}
        return {**(self.fixed or {}), **parts}

    def remote_entry(self, url: str, token: str) -> dict[str, Any]:
        """Return the entry that connects the client with a running HTTP server.

        Raises:
            ValueError: We do not know the form of such an entry for this client.
        """
        if self.remote is None:
            raise ValueError(f"how {self.title} is connected over HTTP is not known")
        address, headers = self.remote
        kind = {"type": "http"} if (self.fixed or {}).get("type") == "stdio" else {}
        return {**kind, address: url, headers: {"Authorization": f"Bearer {token}"}}

    def program(self, entry: Mapping[str, Any]) -> str | None:
        """Return the program that an entry starts; None if it starts none, as for a remote server."""
        command = entry.get("command")
        if self.joined and isinstance(command, list) and command:
            command = command[0]  # pyright: ignore[reportUnknownVariableType] - a file can hold anything
        return command if isinstance(command, str) else None

    def address(self, entry: Mapping[str, Any]) -> str | None:
        """Return the address that an entry connects to; None if it has none."""
        return next((entry[name] for name in _ADDRESSES if isinstance(entry.get(name), str)), None)

    def read(self, text: str) -> dict[str, Any] | None:
        """Return our entry; None if there is none.

        Raises:
            ValueError: The text is not in its form.
        """
        tree: Any = self._tree(text)
        for part in (self.group, ENTRY):
            tree = tree.get(part) if isinstance(tree, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - a file can hold anything
        return tree if isinstance(tree, dict) else None  # pyright: ignore[reportUnknownVariableType] - a file can hold anything

    def put(self, text: str, entry: Mapping[str, Any]) -> str:
        """Return the text with our entry; the user's additions to it (variables, time-outs) stay.

        Raises:
            ValueError: The text is not in its form.
        """
        before = self.read(text) or {}
        other = _LOCAL if entry.keys() & _REMOTE else _REMOTE
        whole = {name: value for name, value in before.items() if name not in other} | dict(entry)
        if self.form == "toml":
            return toml_tables.put_table(text, (self.group, ENTRY), whole)
        return jsonc.put_member(text, (self.group, ENTRY), whole, comments=self.form == "jsonc")

    def take(self, text: str, *, group: bool = False) -> str:
        """Return the text without our entry; with `group` also without the group of servers if it is then empty.

        Raises:
            ValueError: The text is not in its form.
        """
        for path in ((self.group, ENTRY), (self.group,)) if group else ((self.group, ENTRY),):
            if len(path) == 1 and self._tree(text).get(self.group) != {}:
                break
            if self.form == "toml":
                text = toml_tables.remove_table(text, path)
            else:
                text = jsonc.remove_member(text, path, comments=self.form == "jsonc")
        return text

    def has_group(self, text: str) -> bool:
        """Return whether the text has a group of servers, even an empty one.

        Raises:
            ValueError: The text is not in its form.
        """
        return self.group in self._tree(text)

    def _tree(self, text: str) -> dict[str, Any]:
        tree: Any = _toml(text) if self.form == "toml" else jsonc.parse_jsonc(text, comments=self.form == "jsonc")
        return cast("dict[str, Any]", tree) if isinstance(tree, dict) else {}


_PLAIN = ("url", "headers")


def this_machine() -> Machine:
    """Return this machine and user."""
    return Machine(platform.system(), Path.home(), lazy.reading.foreign_variables(*VARIABLES))


def clients(machine: Machine) -> dict[str, McpClient]:
    """Return all clients by name, in the order of the list."""
    home, base, named = machine.home, machine.configuration(), machine.variables
    # Claude Code's own variable moves its file as well as its folder.
    claude = Path(named.get("CLAUDE_CONFIG_DIR") or home)
    codex = Path(named.get("CODEX_HOME") or home / ".codex")
    copilot = Path(named.get("COPILOT_HOME") or home / ".copilot")
    zed = (
        home / ".config" / "zed"
        if machine.system == "Darwin"
        else base / ("Zed" if machine.system == "Windows" else "zed")
    )
    devin = base if machine.system == "Windows" else home / ".config"
    cline = Path(named.get("CLINE_MCP_SETTINGS_PATH") or home / ".cline/data/settings/cline_mcp_settings.json")
    stdio = {"type": "stdio"}
    found = (
        McpClient(
            "claude-desktop", "Claude Desktop", _claude_desktop(machine) / "claude_desktop_config.json",
            then="Quit Claude Desktop and open it again.",
        ),
        McpClient(
            "claude-code", "Claude Code", claude / ".claude.json", ".mcp.json", fixed=stdio, programs=("claude",),
            then="Open a new session; /mcp shows it.",
            sign=Path(named.get("CLAUDE_CONFIG_DIR") or home / ".claude"), remote=_PLAIN,
        ),
        McpClient(
            "vscode", "VS Code", base / "Code" / "User" / "mcp.json", ".vscode/mcp.json", "servers", "jsonc",
            stdio, ("code",), "Start it from the list of MCP servers (command “MCP: List Servers”).", remote=_PLAIN,
        ),
        McpClient(
            "vscode-insiders", "VS Code Insiders", base / "Code - Insiders" / "User" / "mcp.json", ".vscode/mcp.json",
            "servers", "jsonc", stdio, ("code-insiders",),
            "Start it from the list of MCP servers (command “MCP: List Servers”).", remote=_PLAIN,
        ),
        McpClient(
            "cursor", "Cursor", home / ".cursor" / "mcp.json", ".cursor/mcp.json", form="jsonc", programs=("cursor",),
            then="Restart Cursor, and switch it on in its settings under MCP.", remote=_PLAIN,
        ),
        McpClient(
            "windsurf", "Windsurf", home / ".codeium" / "windsurf" / "mcp_config.json", programs=("windsurf",),
            then="Refresh the MCP servers in Windsurf's Cascade panel. (Devin Desktop's own agent: install devin.)",
        ),
        McpClient(
            "devin", "Devin Desktop", devin / "devin" / "mcp_config.json", ".devin/mcp_config.json", form="jsonc",
            programs=("devin",), then="Restart Devin; its list of MCP servers shows it.",
        ),
        McpClient(
            "zed", "Zed", zed / "settings.json", ".zed/settings.json", "context_servers", "jsonc",
            programs=("zed", "zeditor"), then="Zed sees it by itself; the agent panel lists it.",
        ),
        McpClient(
            "codex", "Codex", codex / "config.toml", ".codex/config.toml", "mcp_servers", "toml", programs=("codex",),
            then="Open a new session; /mcp shows it. Codex starts a server once a session: if it ends, open a new one.",
            remote=("url", "http_headers"),
        ),
        McpClient(
            "gemini-cli", "Gemini CLI", home / ".gemini" / "settings.json", ".gemini/settings.json", form="jsonc",
            programs=("gemini",), then="Open a new session in a folder that it trusts; /mcp shows it.",
            sign=home / ".gemini" / "settings.json", remote=("httpUrl", "headers"),
        ),
        McpClient(
            "antigravity", "Antigravity", home / ".gemini" / "config" / "mcp_config.json", ".agents/mcp_config.json",
            programs=("antigravity", "agy"), then="Restart it; /mcp, or the agent panel's MCP servers, show it.",
        ),
        McpClient(
            "qwen-code", "Qwen Code", home / ".qwen" / "settings.json", ".qwen/settings.json", form="jsonc",
            programs=("qwen",), then="Open a new session; /mcp shows it.", remote=("httpUrl", "headers"),
        ),
        McpClient(
            "opencode", "opencode", machine.xdg() / "opencode" / "opencode.json", "opencode.json", "mcp", "jsonc",
            {"type": "local"}, ("opencode",), "Open a new session; `opencode mcp list` shows it.",
            joined=True, or_jsonc=True,
        ),
        McpClient(
            "copilot-cli", "GitHub Copilot CLI", copilot / "mcp-config.json", ".mcp.json",
            # Not its own word `local`: Claude Code reads the same project file and ignores such an entry.
            fixed=stdio, programs=("copilot",), then="Open a new session; /mcp shows it.",
        ),
        McpClient(
            "cline", "Cline", cline, then="Cline sees it by itself; its list of MCP servers shows it.",
            programs=("cline",), sign=home / ".cline",
        ),
        McpClient(
            "kiro", "Kiro", home / ".kiro" / "settings" / "mcp.json", ".kiro/settings/mcp.json",
            programs=("kiro", "kiro-cli"), then="Kiro sees it by itself; its panel of MCP servers shows it.",
            sign=home / ".kiro",
        ),
        McpClient(
            "lm-studio", "LM Studio", home / ".lmstudio" / "mcp.json",
            then="Switch it on in LM Studio's Program tab.",
        ),
    )  # fmt: skip
    return {client.name: client for client in found}


def _claude_desktop(machine: Machine) -> Path:
    """Return Claude Desktop's folder.

    On Windows the packaged application (the installer's default since 2026) has a hidden folder of its own, which moved
    again in October 2026. Only existing folders count, first the one that already holds the file.
    """
    plain = machine.configuration() / "Claude"
    if machine.system != "Windows":
        return plain
    local = Path(machine.variables.get("LOCALAPPDATA") or machine.home / "AppData" / "Local")
    own = [
        *sorted((local / "Claude-Data").glob("[Cc]laude*")),
        *sorted((local / "Packages").glob("Claude_*/LocalCache/Roaming/Claude")),
    ]
    kept = [folder for folder in own if (folder / "claude_desktop_config.json").is_file()]
    return [*kept, *own, plain][0]


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is not valid TOML ({error})") from None
