"""Which clients of this machine start us, and whether what they start is still there."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from deepresearch_mcp.cli.checks import Check
from deepresearch_mcp.cli.clients.entries import Client, Machine, clients
from deepresearch_mcp.cli.clients.launching import startable
from deepresearch_mcp.cli.clients.rewriting import bare, read
from deepresearch_mcp.cli.console import NAME
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.settings.project import FOREIGN


@dataclass(frozen=True, slots=True)
class State:
    """How one client stands with us."""

    found: bool
    """It is on this machine."""
    entry: dict[str, Any] | None = None
    """Of us, in its file."""
    problem: str = ""
    action: str = ""


def state_of(client: Client) -> State:
    """Look into the client's own file; nothing is started."""
    file = client.place()
    try:
        entry = client.read(bare(read(file))[1])
    except InvalidRequest as error:
        return State(found=True, problem=error.message, action=error.action)
    except ValueError as error:
        return State(
            found=True, problem=f"{file} cannot be read: {error}.", action="Mend that file: the client needs it."
        )
    if entry is None:
        return State(found=client.found())
    command = client.program(entry)
    again = f"Run: {NAME} install {client.name}"
    if command is None:
        # By address, or in a form of its user's own.
        return State(found=True, entry=entry)
    if _of_another_party(command, entry):
        problem = "It starts the package deepresearch-mcp from the package index, which is another party's."
        return State(found=True, entry=entry, problem=problem, action=again)
    if not startable(command):
        problem = f"It starts {command}, which is not there (any more)."
        return State(found=True, entry=entry, problem=problem, action=again)
    return State(found=True, entry=entry)


def _of_another_party(command: str, entry: dict[str, Any]) -> bool:
    """Whether an entry has a package fetched that has one of our names and is not ours: we once wrote such entries."""
    words = [command, *(word for field in ("command", "args") for word in _words(entry.get(field)))]
    fetches = any(Path(word).stem in {"uvx", "uv", "pipx"} for word in words)
    return fetches and any(re.fullmatch(rf"{FOREIGN}(\[[^\]]*\])?([=@<>~!].*)?", word) for word in words)


def _words(value: object) -> list[str]:
    return [word for word in cast("list[object]", value) if isinstance(word, str)] if isinstance(value, list) else []


def connections(machine: Machine) -> list[Check]:
    """One check for each client that starts us, or whose file is broken."""
    checks: list[Check] = []
    for client in clients(machine).values():
        state = state_of(client)
        if state.problem:
            checks.append(
                Check(f"client {client.name}", ok=False, said=state.problem, action=state.action, needed=False)
            )
        elif state.entry is not None:
            starts = client.program(state.entry) or state.entry.get("url") or "something of its own"
            checks.append(Check(f"client {client.name}", ok=True, said=f"starts {starts}", needed=False))
    return checks
