"""The token that callers over HTTP show: made once, kept in a file that its owner alone can read."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from deepresearch_mcp.exceptions import SettingsError

FILE = "http-token"
"""Its name in the data directory."""
_SHORTEST = 32
"""Characters; ours have 43, which are 256 bits."""


def http_token(home: Path, link: Callable[[Path, Path], None] = os.link) -> tuple[str, Path]:
    """The token of this data directory, and the file that holds it; made where there is none.

    `link` gives a file a second name, where the file system knows that.

    Raises:
        SettingsError: The file cannot be used, is not the user's own, or others can read it.
    """
    path = home / FILE
    try:
        token = _read(path)
    except FileNotFoundError:
        token = _made(path, link)
    except OSError as error:
        raise SettingsError(
            f"The file of the HTTP token, {path}, cannot be used ({error.strerror or type(error).__name__}).",
            "Correct or delete it, or start without a token (--no-token).",
        ) from error
    if len(token) < _SHORTEST:
        raise SettingsError(
            f"The HTTP token in {path} is shorter than {_SHORTEST} characters.", "Delete the file: a new one is made."
        )
    return token, path


def _made(path: Path, link: Callable[[Path, Path], None]) -> str:
    """The token of a file that is made now, by this server or by another one that starts at the same time."""
    # Written whole before it gets its name: another server that starts now never reads half a token.
    draft = path.with_name(f"{FILE}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(draft)
        try:
            link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            # This file system has no hard links. What another server reads meanwhile is refused as too short.
            with suppress(FileExistsError):
                _write(path)
        finally:
            draft.unlink()
        return _read(path)
    except OSError as error:
        raise SettingsError(
            f"No HTTP token could be made in {path.parent} ({error.strerror or type(error).__name__}).",
            "Make that directory writable, or start without a token (--no-token).",
        ) from error


def _write(path: Path) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(f"{secrets.token_urlsafe(32)}\n")


def _read(path: Path) -> str:
    # A link could lead to a file that others read or write.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with open(descriptor, encoding="ascii", errors="replace") as file:
        found = os.fstat(descriptor)
        foreign = hasattr(os, "getuid") and found.st_uid != os.getuid()
        if foreign or (os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077):
            raise SettingsError(
                f"The file of the HTTP token, {path}, belongs to or can be read by another user.",
                "Delete it: a new one is made that you alone can read.",
            )
        return file.read(1024).strip()
