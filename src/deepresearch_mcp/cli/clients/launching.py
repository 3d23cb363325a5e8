"""Finds the command with which a client starts this program, from any working directory and with any PATH."""

import os
import shutil
import sys
from pathlib import Path

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, PUBLISHED

_PASSING = ("archive-v", "environments-v", "builds-v")
"""Prefixes of the folders in which uv makes environments for one call."""


def launch(*, shared: bool = False, published: bool = PUBLISHED) -> list[str]:
    """Return the command and its arguments.

    Args:
        shared: Whether the file goes to other machines; the command then holds no path of this one.
        published: Whether the package index has our package, so that `uvx` can fetch it.

    Raises:
        InvalidRequest: This installation is temporary, and no other command starts the program.
    """
    if shared:
        # The name that no other party's program has: the other machine's PATH decides what it starts.
        return ["uvx", DISTRIBUTION, "serve"] if published else [DISTRIBUTION, "serve"]
    found = installed(Path(sys.argv[0]), Path(sys.executable), Path(sys.prefix))
    return found or fetched(shutil.which("uvx"), published=published)


def fetched(runner: str | None, *, published: bool) -> list[str]:
    """Return the command for a program that runs from an environment made for one call.

    Args:
        runner: The path of `uvx`, if it was found.
        published: Whether `uvx` can fetch our package.

    Raises:
        InvalidRequest: No command would start it again.
    """
    if not published:
        raise InvalidRequest(
            "This program runs from an environment that is deleted after the call, so a client could not start it.",
            "Install it first: `make install` in a clone of its repository, then call the program that this names.",
        )
    # Applications that are started from a desktop rarely have a terminal's PATH.
    return [runner or "uvx", DISTRIBUTION, "serve"]


def installed(called: Path, python: Path, environment: Path) -> list[str] | None:
    """Return the command of this installation; None if it is temporary.

    Args:
        called: The program that was called, as the shell found it.
        python: The interpreter that runs the program.
        environment: The interpreter's environment.
    """
    if _passing(environment):
        return None
    # Not resolved: a link in ~/.local/bin survives the next upgrade, but its target may not.
    ours = [called, python.parent / called.name] if called.stem in COMMANDS else []
    for program in (*ours, *(python.parent / name for name in COMMANDS)):
        for one in (program, program.with_name(f"{program.name}.exe")):
            if one.is_file():
                return [os.path.abspath(one), "serve"]
    return [os.path.abspath(python), "-m", "deepresearch_mcp", "serve"]


def _passing(environment: Path) -> bool:
    parts = environment.parts
    return any(part.startswith(_PASSING) for part in parts) or ("pipx" in parts and ".cache" in parts)


def startable(command: str) -> bool:
    """Return whether the command in a client's file exists."""
    return shutil.which(os.path.expanduser(command)) is not None
