"""Checks which clients of this machine start this program, whether their command exists, and what the PATH finds."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from deepresearch_mcp.cli.checks import Check
from deepresearch_mcp.cli.clients.entries import Machine, McpClient, clients
from deepresearch_mcp.cli.clients.launching import startable
from deepresearch_mcp.cli.clients.rewriting import bare, entry_without_secrets, file_text, masked
from deepresearch_mcp.cli.console import NAME, command, emit, is_this_program, out, row
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, FOREIGN


@dataclass(frozen=True, slots=True)
class ConnectionState:
    """Whether a client is installed on this machine, and whether it starts us."""

    found: bool
    """Whether the client is installed on this machine."""
    entry: dict[str, Any] | None = None
    """Our entry in the client's file."""
    problem: str = ""
    action: str = ""


def state_of(client: McpClient) -> ConnectionState:
    """Read the state from the client's own file; start nothing."""
    file = client.place()
    try:
        entry = client.read(bare(file_text(file))[1])
    except InvalidRequest as error:
        return ConnectionState(found=True, problem=error.message, action=error.action)
    except ValueError as error:
        return ConnectionState(
            found=True, problem=f"{file} cannot be read: {error}.", action="Correct that file: the client needs it."
        )
    if entry is None:
        return ConnectionState(found=client.found())
    program = client.program(entry)
    again = f"Run: {NAME} install {client.name}"
    if program is None:
        # The entry holds an address, or has a form of the user's own.
        return ConnectionState(found=True, entry=entry)
    if _of_another_party(program, entry):
        problem = "It starts the package deepresearch-mcp from the package index, which is another party's."
        return ConnectionState(found=True, entry=entry, problem=problem, action=again)
    if not startable(program):
        problem = f"It starts {program}, which is not there (any more)."
        return ConnectionState(found=True, entry=entry, problem=problem, action=again)
    return ConnectionState(found=True, entry=entry)


def _of_another_party(program: str, entry: dict[str, Any]) -> bool:
    """Return whether an entry fetches another party's package under one of our names; we once wrote such entries."""
    given = entry.get("command")
    words = [*(_words(given) or [program]), *_words(entry.get("args"))]
    return any(_FOREIGN.fullmatch(re.sub(r"[-_.]+", "-", package.lower())) for package in _fetched(words))


_FOREIGN = re.compile(rf"{FOREIGN}(\[[^\]]*\])?\s*([=<>~!].*|@[^/:]*)?")
"""A requirement that the package index resolves; a version may stand after its `@`, an address may not."""

_FETCHED = {"--from", "--spec", "--with"}
_TAKES_VALUE = _FETCHED | {
    "--allow-insecure-host", "--build-constraints", "--cache-dir", "--color", "--config-file", "--config-setting",
    "--constraints", "--default-index", "--directory", "--env-file", "--exclude-newer", "--extra-index-url",
    "--find-links", "--fork-strategy", "--index", "--index-strategy", "--index-url", "--keyring-provider",
    "--link-mode", "--overrides", "--pip-args", "--prerelease", "--project", "--python", "--python-platform",
    "--refresh-package", "--reinstall-package", "--resolution", "--upgrade-package", "--with-editable",
    "--with-requirements", "-C", "-P", "-b", "-c", "-f", "-i", "-p", "-w",
}  # fmt: skip
"""Options of uv and pipx whose value is the next word."""


_VERBS = {"uvx": (), "uv": ("tool", "run"), "pipx": ("run",)}
"""Programs that fetch what they run, with the subcommands that do so."""


def _fetched(words: list[str]) -> list[str]:
    """Return the packages that a command line makes uv or pipx fetch before it runs one of them."""
    runner = next((at for at, word in enumerate(words) if Path(word).stem in _VERBS), None)
    if runner is None:
        return []
    verbs = _VERBS[Path(words[runner]).stem]
    named: dict[str, str] = {}
    plain: list[str] = []
    rest = iter(words[runner + 1 :])
    for word in rest:
        option, equals, value = word.partition("=")
        if word.startswith("-"):
            named[option] = value if equals or option not in _TAKES_VALUE else next(rest, "")
        else:
            plain.append(word)
        if plain == ["run"] and len(verbs) > 1:
            verbs = ("run",)  # `uv run`: the command belongs to a project and is not fetched by name
            named["--from"] = ""
        if len(plain) > len(verbs):
            break  # the rest are the command's own arguments
    if tuple(plain[: len(verbs)]) != verbs:
        return []
    found = [value for option, value in named.items() if option in _FETCHED]
    return found if {"--from", "--spec"} & named.keys() else found + plain[len(verbs) :]


def _words(value: object) -> list[str]:
    return [word for word in cast("list[object]", value) if isinstance(word, str)] if isinstance(value, list) else []


def list_clients(known: list[McpClient], *, as_json: bool) -> None:
    """Print the clients found on this machine and whether they start us; as JSON, print all known clients."""
    states = [(client, state_of(client)) for client in known]
    if as_json:
        rows = [
            {"client": one.name, "title": one.title, "file": str(one.place()), "found": state.found}
            | {"connected": state.entry is not None, "problem": state.problem}
            | {"entry": entry_without_secrets(state.entry) if state.entry is not None else None}
            for one, state in states
        ]
        emit({"clients": rows})
        return
    console = out()
    for one, state in states:
        if not (state.found or state.problem):
            continue
        style, word = ("ok", "connected") if state.entry is not None else ("", "found")
        if state.problem:
            style, word = ("bad", "broken")
        row(word, f"{one.name:<16} {one.place()}", style=style)
        if state.problem:
            row("", f"{state.problem} {state.action}")
    away = [one.name for one, state in states if not (state.found or state.problem)]
    if away:
        row("not found", ", ".join(away), style="dim")
    console.print(f"\nConnect one, found or not, with: {command()} install CLIENT", style="dim", markup=False)


def connections(machine: Machine) -> list[Check]:
    """Return one check for each client that starts us or whose file is broken."""
    checks: list[Check] = []
    for client in clients(machine).values():
        state = state_of(client)
        if state.problem:
            checks.append(
                Check(f"client {client.name}", ok=False, said=state.problem, action=state.action, needed=False)
            )
        elif state.entry is not None:
            checks.append(Check(f"client {client.name}", ok=True, said=_does(client, state.entry), needed=False))
    return checks


def _does(client: McpClient, entry: dict[str, Any]) -> str:
    if program := client.program(entry):
        return f"starts {program}"
    address = client.address(entry)
    return f"connects to {masked(address)}" if address else "is set up in a way of its own"


def programs() -> list[Check]:
    """Return one failed check for each of our commands that the PATH resolves to another program."""
    checks: list[Check] = []
    for name in COMMANDS:
        found = shutil.which(name)
        if found and not (is_this_program(Path(found)) or _is_installed_with_us(Path(found))):
            said = f"on your PATH, {found} comes first and is a different program"
            checks.append(
                Check(f"command {name}", ok=False, said=said, action=f"Call this one as {command()}.", needed=False)
            )
    return checks


def _is_installed_with_us(program: Path) -> bool:
    """Return whether a program belongs to another installation of our package."""
    environment = program.resolve().parent.parent
    package = f"{DISTRIBUTION.replace('-', '_')}-*.dist-info"
    places = (f"lib/python*/*-packages/{package}", f"Lib/site-packages/{package}")
    return any(next(environment.glob(place), None) for place in places)
