"""The command with which a client starts this program, from any working directory and with any PATH."""

import os
import shutil
import sys
from pathlib import Path

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, PUBLISHED

_PASSING = ("archive-v", "environments-v", "builds-v")
"""How the folders begin in which uv makes environments for one call."""


def launch(*, shared: bool = False, published: bool = PUBLISHED) -> list[str]:
    """The command and its arguments.

    Args:
        shared: For a file that goes to other machines: the command holds no path of this one.
        published: Whether the package index has our package, so that `uvx` can fetch it.

    Raises:
        InvalidRequest: This installation does not last, and no other command starts the program.
    """
    if shared:
        # By the name that no other party's program has: what it starts depends on the other machine's PATH.
        return ["uvx", DISTRIBUTION, "serve"] if published else [DISTRIBUTION, "serve"]
    found = installed(Path(sys.argv[0]), Path(sys.executable), Path(sys.prefix))
    return found or fetched(shutil.which("uvx"), published=published)


def fetched(runner: str | None, *, published: bool) -> list[str]:
    """The command for a program that runs from an environment made for one call.

    Args:
        runner: Where `uvx` is, if it was found.
        published: Whether it finds our package.

    Raises:
        InvalidRequest: No command would start it again.
    """
    if not published:
        raise InvalidRequest(
            "This program runs from an environment that is deleted after the call, so a client could not start it.",
            "Install it first: `make install` in a clone of its repository, then call the program that this names.",
        )
    # Applications that are started from a desktop seldom know the PATH of a terminal.
    return [runner or "uvx", DISTRIBUTION, "serve"]


def installed(called: Path, python: Path, environment: Path) -> list[str] | None:
    """The command of this installation; None where it will be gone after this call.

    Args:
        called: What was called, as the shell found it.
        python: The interpreter that runs it.
        environment: Where that one keeps its packages.
    """
    if _passing(environment):
        return None
    # Not resolved: a link in ~/.local/bin outlives the next upgrade, what it points to need not.
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
    """Whether the command in a client's file exists."""
    return shutil.which(os.path.expanduser(command)) is not None
