"""`deepresearch-mcp install`: connects an MCP client with this program, shows the change first, and undoes it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from deepresearch_mcp.cli.options import Json

_T = TypeVar("_T")

if TYPE_CHECKING:
    from deepresearch_mcp.cli.clients import Client
    from deepresearch_mcp.cli.rewriting import Change


def install(
    client: Annotated[
        str | None, typer.Argument(metavar="[CLIENT]", help="claude-desktop, claude-code, vscode, cursor, codex …")
    ] = None,
    *,
    undo: Annotated[bool, typer.Option("--undo", help="Take our entry out again, or bring the backup back.")] = False,
    project: Annotated[
        bool, typer.Option("--project", help="In the file of the project in this folder, for all who work on it.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
    json: Json = False,
) -> None:
    """Connect an MCP client with this server; without CLIENT list those found on this machine.

    The change is shown and asked for before it is written, and a backup is kept. No key is ever written there: keys
    live in our own settings (`deepresearch-mcp config init`).
    """
    from deepresearch_mcp.cli.clients import clients, this_machine
    from deepresearch_mcp.exceptions import InvalidRequest

    known = clients(this_machine())
    if client is None:
        if undo or yes or project:
            raise InvalidRequest("No client is named.", f"Name one of: {', '.join(known)}.")
        _list(list(known.values()), as_json=json)
        return
    if client not in known:
        raise InvalidRequest(f"There is no client {client[:40]!r} that we know.", f"Known are: {', '.join(known)}.")
    chosen = known[client]
    if project and not chosen.project:
        raise InvalidRequest(f"{chosen.title} keeps no file for a project.", "Leave --project out.")
    _carry_out(chosen, Path.cwd() if project else None, undo=undo, yes=yes, as_json=json)


def _list(known: "list[Client]", *, as_json: bool) -> None:
    from deepresearch_mcp.cli.connections import state_of
    from deepresearch_mcp.cli.console import NAME, emit, out

    states = [(client, state_of(client)) for client in known]
    if as_json:
        rows = [
            {"client": one.name, "title": one.title, "file": str(one.file), "found": state.found}
            | {"connected": state.entry is not None, "entry": state.entry, "problem": state.problem}
            for one, state in states
        ]
        emit({"clients": rows})
        return
    console = out()
    for one, state in states:
        style, word = ("dim", "not found") if not state.found else ("", "found")
        if state.entry is not None:
            style, word = ("ok", "connected")
        if state.problem:
            style, word = ("bad", "broken")
        console.print(f"{word:<10}", style=style, end="")
        console.print(f"{one.name:<16} {one.file}", markup=False, soft_wrap=True)
        if state.problem:
            console.print(f"{'':<10} {state.problem} {state.action}", markup=False, soft_wrap=True)
    console.print(f"\nConnect one with: {NAME} install CLIENT", style="dim", markup=False)


def _carry_out(client: "Client", folder: Path | None, *, undo: bool, yes: bool, as_json: bool) -> None:
    from deepresearch_mcp.cli.console import emit, say
    from deepresearch_mcp.cli.rewriting import backup_of, shown, write

    file = client.place(folder)
    change, does = (_undone if undo else _done)(client, file, shared=folder is not None)
    lines = shown(change)
    told: dict[str, Any] = {
        "client": client.name, "file": str(file), "does": does, "written": False, "backup": None, "change": lines,
        "then": client.then,
    }  # fmt: skip
    if change.idle:
        there = "is connected already" if not undo else "does not know us"
        told["does"] = "nothing"
        if as_json:
            emit(told)
        else:
            say(f"{client.title} {there}: nothing to do in {file}.", whole=True)
        return
    if not as_json:
        _show(client, lines, does)
    if not yes and not (not as_json and _agreed()):
        told["hint"] = "Nothing was written; add --yes to write it."
        if as_json:
            emit(told)
        else:
            say(told["hint"])
        return
    kept = write(change, backup=None if undo else "anew" if does == "add" else "once")
    told |= {"written": True, "backup": str(kept) if kept else None}
    if does == "restore":
        # The file is what it was: there is nothing left to keep.
        backup_of(file.resolve()).unlink(missing_ok=True)
    if as_json:
        emit(told)
        return
    say(f"{client.title} is {'no longer ' if undo else ''}connected.", style="ok")
    if kept:
        say(f"What the file held before is kept in {kept}.", whole=True)
    if not undo:
        say(client.then, *_left_behind())


def _done(client: "Client", file: Path, *, shared: bool) -> "tuple[Change, str]":
    from deepresearch_mcp.cli.launching import launch
    from deepresearch_mcp.cli.rewriting import Change, bare, read

    before = read(file)
    mark, text = bare(before)
    entry = client.entry(launch(shared=shared))
    there = _of(file, client.read, text)
    after = mark + _of(file, partial(client.put, entry=entry), text)
    return Change(file, before, after), "change" if there else "add"


def _undone(client: "Client", file: Path, *, shared: bool) -> "tuple[Change, str]":
    from deepresearch_mcp.cli.rewriting import Change, backup_of, bare, read

    del shared
    before = read(file)
    mark, text = bare(before)
    there = _of(file, client.read, text)
    if before is None or there is None:
        return Change(file, before, before), "nothing"
    kept = read(backup_of(file.resolve()))
    # Where putting our entry into the backup gives this very file, nobody else has changed it.
    if kept is not None and bare(kept)[0] + client.put(bare(kept)[1], there) == before:
        return Change(file, before, kept), "restore"
    if kept is None and client.put("", there) == text:
        return Change(file, before, None), "remove the file, which held nothing else"
    return Change(file, before, mark + _of(file, client.take, text)), "take out"


def _of(file: Path, fn: Callable[[str], _T], text: str) -> _T:
    from deepresearch_mcp.exceptions import InvalidRequest

    try:
        return fn(text)
    except ValueError as error:
        raise InvalidRequest(f"{file} is left alone: {error}.", "Mend the file, and try again.") from None


def _show(client: "Client", lines: list[str], does: str) -> None:
    from deepresearch_mcp.cli.console import out

    console = out()
    console.print(f"{client.title}: {does}", style="head", markup=False)
    for line in lines:
        style = {"+": "ok", "-": "bad", "@": "dim"}.get(line[:1])
        console.print(line, style=style, markup=False, soft_wrap=True)


def _agreed() -> bool:
    from deepresearch_mcp.cli.consent import read_line
    from deepresearch_mcp.cli.waiting import somebody_there

    return somebody_there() and (read_line("Write this? [y/N] ") or "").strip().lower() in {"y", "yes"}


def _left_behind() -> list[str]:
    """What is set in this terminal alone: a client starts us without it."""
    from deepresearch_mcp.cli.console import NAME
    from deepresearch_mcp.cli.options import load
    from deepresearch_mcp.exceptions import SettingsError

    try:
        origins = load().origins
    except SettingsError as error:
        return [f"Our own settings are wrong, so that it cannot start yet: {error.message}"]
    passing = [knob for knob, origin in origins.items() if origin.startswith(("environment", ".env"))]
    if not passing:
        return []
    return [
        f"Set in this terminal or folder alone, where the client may not see it: {', '.join(passing)}. "
        f"Keep it for good with `{NAME} config init`."
    ]
