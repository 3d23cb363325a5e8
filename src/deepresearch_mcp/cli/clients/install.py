"""`deepresearch-server install`: connects an MCP client with this program after showing the change, or undoes it."""

import stat
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.clients.entries import McpClient, clients, this_machine
from deepresearch_mcp.cli.clients.launching import launch, startable
from deepresearch_mcp.cli.clients.rewriting import (
    FileChange,
    apply_change,
    backup_of,
    bare,
    diff_lines,
    drop_empty,
    file_text,
)
from deepresearch_mcp.cli.console import NAME, emit, out, say
from deepresearch_mcp.cli.options import Json, settings_of, settings_with_origins
from deepresearch_mcp.cli.waiting import must_be_asked, read_line
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.http_app.address import DEFAULT_HOST, DEFAULT_PORT, PATH
from deepresearch_mcp.http_app.local_token import FILE, http_token

_T = TypeVar("_T")

_DOES = {
    "add": "adds an entry for this server to",
    "change": "updates our entry in",
    "restore": "restores from the backup what this file held before:",
    "take out": "removes our entry from",
    "remove": "removes this file, which holds only our entry:",
}


class MakesEntry(Protocol):
    """Makes an entry. It must write nothing before the user has agreed."""

    def __call__(self, *, agreed: bool) -> dict[str, Any]: ...  # noqa: D102 - the class says it


def install(
    client: Annotated[
        str | None, typer.Argument(metavar="CLIENT", help="claude-desktop, claude-code, vscode, cursor, codex …")
    ] = None,
    *,
    undo: Annotated[bool, typer.Option("--undo", help="Remove our entry, or restore the backup.")] = False,
    project: Annotated[
        bool, typer.Option("--project", help="In this folder's project file, shared with everyone who works on it.")
    ] = False,
    http: Annotated[
        bool, typer.Option("--http", help="Connect it with `serve --http` on this machine, by its address and token.")
    ] = False,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="With --http: the server's port.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change, and write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
    json: Json = False,
) -> None:
    """Connect an MCP client with this server; without CLIENT list those found on this machine.

    The change is shown and asked for before it is written, and a backup is kept. No key is ever written there: keys
    live in our own settings (`deepresearch-server config init`). With --http the token of your own server is.
    """
    known = clients(this_machine())
    if client is None:
        if undo or yes or project or dry_run or http:
            raise InvalidRequest("No client is named.", f"Name one of: {', '.join(known)}.")

        lazy.connections.list_clients(list(known.values()), as_json=json)
        return
    if client not in known:
        raise InvalidRequest(f"The client {client[:40]!r} is not known.", f"Known clients: {', '.join(known)}.")
    if dry_run and yes:
        raise InvalidRequest("--dry-run and --yes exclude each other.", "Give one of them.")
    chosen = known[client]
    if project and not chosen.project:
        raise InvalidRequest(f"{chosen.title} has no file for a project.", "Leave out --project.")
    if project and http:
        raise InvalidRequest(
            "A project's file is shared with everyone who works on it, so it must not hold a token.",
            "Leave out --project or --http.",
        )
    if port is not None and not http:
        raise InvalidRequest("--port is for --http.", "Add --http, or leave out --port.")
    agreed = None if dry_run else (lambda: True) if yes else partial(_agreed, as_json=json)
    if undo:
        entry: MakesEntry | None = None
    elif http:
        entry = partial(_remote, chosen, port)
    else:
        entry = partial(_local, chosen, project)
    _carry_out(chosen, Path.cwd() if project else None, entry=entry, agreed=agreed, as_json=json)


def _local(client: McpClient, project: bool, *, agreed: bool) -> dict[str, Any]:
    """Return the entry that starts the server."""
    del agreed
    return client.entry(launch(shared=project))


def _remote(client: McpClient, port: int | None, *, agreed: bool) -> dict[str, Any]:
    """Return the entry that connects a client with this machine's HTTP server.

    Before the user has agreed, no token is made: the entry then holds a placeholder if there is none yet.

    Raises:
        InvalidRequest: We do not know the form of such an entry for this client.
        SettingsError: The token cannot be read.
    """
    home = settings_of([]).home
    token = http_token(home)[0] if agreed or (home / FILE).exists() else "TOKEN"
    try:
        return client.remote_entry(f"http://{DEFAULT_HOST}:{port or DEFAULT_PORT}{PATH}", token)
    except ValueError as error:
        raise InvalidRequest(
            f"Nothing was done: {error}.", "Leave out --http, or add the address and token by hand."
        ) from None


def _carry_out(
    client: McpClient,
    folder: Path | None,
    *,
    entry: MakesEntry | None,
    agreed: Callable[[], bool] | None,
    as_json: bool,
) -> None:
    """Write `entry`, or remove ours if it is None, once `agreed` says yes; without `agreed`, only show the change."""
    file = client.place(folder)
    undo = entry is None
    change, does = _undone(client, file) if entry is None else _done(client, file, entry(agreed=False))
    lines = diff_lines(change)
    trust = f"{client.title} asks each person who opens this folder to trust it first."
    told: dict[str, Any] = {
        "client": client.name, "file": str(file), "does": does, "written": False, "backup": None, "change": lines,
        "then": client.then if folder is None else trust,
    }  # fmt: skip
    told["missing"] = None if undo else _missing(client, change)
    told["hint"] = _not_there(told["missing"], shared=folder is not None) if told["missing"] else ""
    if change.idle:
        there = "is connected already" if not undo else "does not know us"
        told["does"] = "nothing"
        if as_json:
            emit(told)
        else:
            say(f"{client.title} {there}: nothing to do in {file}.", whole=True)
        return
    if not as_json:
        _show(client, change, lines, does)
    if agreed is None or not agreed():
        hint = "" if agreed else "To write it, run the same without --dry-run and with --yes."
        if as_json:
            emit(told | {"hint": f"{hint} {told['hint']}".strip()})
        else:
            say(f"Nothing was written. {hint}".strip())
            if told["hint"]:
                say(told["hint"], style="note")
        return
    if entry is not None:
        change, does = _done(client, file, entry(agreed=True))
    kept = _write(client, change, does)
    told |= {"written": True, "backup": str(kept) if kept else None}
    if does == "remove":
        drop_empty(file.parent, below=folder or Path.home())
    if as_json:
        emit(told)
        return
    _tell(client, told, undo=undo, shared=folder is not None)


def _write(client: McpClient, change: FileChange, does: str) -> Path | None:
    """Write the change; return the backup, if one was made. Only the user may read a file with a token."""
    if does == "restore":
        # The file is as it was, mode included, so the backup is no longer needed.
        backup = backup_of(change.file.resolve())
        apply_change(change, mode=stat.S_IMODE(backup.stat().st_mode))
        backup.unlink(missing_ok=True)
        return None
    undo = does in {"take out", "remove"}
    return apply_change(
        change,
        backup=None if undo else "anew" if does == "add" else "once",
        private=_holds_token(client, change.after),
        private_backup=_holds_token(client, change.before),
    )


def _holds_token(client: McpClient, text: str | None) -> bool:
    entry = client.read(bare(text)[1]) if text else None
    return entry is not None and client.address(entry) is not None


def _tell(client: McpClient, told: dict[str, Any], *, undo: bool, shared: bool) -> None:
    """Print what was done and what the user does next."""
    say(f"{client.title} is {'no longer ' if undo else ''}connected.", style="ok")
    if not undo:
        say(told["then"], *_left_behind())
        if told["hint"]:
            say(told["hint"], style="note")
        say(f"To undo this: {NAME} install {client.name}{' --project' if shared else ''} --undo")
    if told["backup"]:
        say(f"The previous file is kept in {told['backup']}.", whole=True)


def _done(client: McpClient, file: Path, entry: dict[str, Any]) -> tuple[FileChange, str]:
    before = file_text(file)
    mark, text = bare(before)
    there = _of(file, client.read, text)
    after = mark + _of(file, partial(client.put, entry=entry), text)
    return FileChange(file, before, after), "change" if there else "add"


def _undone(client: McpClient, file: Path) -> tuple[FileChange, str]:
    """Return the change that undoes ours: byte for byte if only our entry has been added since the backup."""
    before = file_text(file)
    mark, text = bare(before)
    there = _of(file, client.read, text)
    if before is None or there is None:
        return FileChange(file, before, before), "nothing"
    backup = backup_of(file.resolve())
    # Without a backup, we made the file, and so the group that holds our entry.
    made_group = not backup.exists()
    with suppress(InvalidRequest, ValueError):
        kept = file_text(backup)
        if kept is not None:
            head, was = bare(kept)
            made_group = not client.has_group(was)
            if head + client.put(was, there) == before:
                return FileChange(file, before, kept), "restore"
    after = _of(file, partial(client.take, group=made_group), text)
    if not backup.exists() and "".join(after.split()) in {"", "{}"}:
        return FileChange(file, before, None), "remove"
    return FileChange(file, before, mark + after), "take out"


def _of(file: Path, fn: Callable[[str], _T], text: str) -> _T:
    try:
        return fn(text)
    except ValueError as error:
        raise InvalidRequest(f"{file} is left alone: {error}.", "Correct the file and try again.") from None


def _show(client: McpClient, change: FileChange, lines: list[str], does: str) -> None:
    console = out()
    say_it = _DOES[does] if change.before is not None else "creates this file, with an entry for this server"
    console.print(f"{client.title}: {say_it}", style="head", markup=False, soft_wrap=True)
    console.print(str(change.file), markup=False, soft_wrap=True)
    # Skip the header of the diff: the file's names and the first position add nothing.
    for line in lines[3:]:
        gap = line.startswith("@@")
        style = {"+": "ok", "-": "bad", "@": "dim"}.get(line[:1])
        console.print("  …" if gap else f"  {line}", style=style, markup=False, soft_wrap=True)


def _not_there(command: str, *, shared: bool) -> str:
    """Return what to do about a command that this machine cannot start."""
    if not shared:
        return f"It starts {command}, which is not on this machine. Install it, then run this again."
    return (
        f"The entry starts `{command}`, because a path of this machine means nothing on another. Here it is not on "
        "your PATH. On each machine that opens this project, run `make install` in a clone of our repository and put "
        "the folder that it names on the PATH. Or connect the client without --project: that writes the whole path."
    )


def _missing(client: McpClient, change: FileChange) -> str | None:
    """Return the command of our entry if this machine lacks it; users of a shared project file may have it."""
    command = client.program(client.read(bare(change.after)[1]) or {})
    return None if command is None or startable(command) else command


def _agreed(*, as_json: bool) -> bool:
    must_be_asked("write this", as_json=as_json)
    return (read_line("Write this? [y/N] ") or "").strip().lower() in {"y", "yes"}


def _left_behind() -> list[str]:
    """Return a warning about settings of this terminal only, which a client does not pass on."""
    try:
        origins = settings_with_origins().origins
    except SettingsError as error:
        return [f"Our own settings are wrong, so that it cannot start yet: {error.message}"]
    passing = [setting for setting, origin in origins.items() if origin.startswith(("environment", ".env"))]
    if not passing:
        return []
    return [
        f"Set in this terminal or folder alone, where the client may not see it: {', '.join(passing)}. "
        f"Keep it for good with `{NAME} config init`."
    ]
