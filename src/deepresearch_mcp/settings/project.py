"""What this program is called outside its own code: its package, its commands, and what its extras bring.

The package `deepresearch-mcp` on the package index is another party's: no text of ours may lead there.
"""

import os
import shlex
import sys
from importlib.util import find_spec

from deepresearch_mcp.settings.late import library

DISTRIBUTION = "deepresearch-server"
"""The package, as `pyproject.toml` names it; the import is `deepresearch_mcp`."""

COMMANDS = (DISTRIBUTION, "deepresearch-mcp")
"""Both start this program. Only the first is free of another party's program of the same name."""

FOREIGN = "deepresearch-mcp"
"""A package on the index with the name of one of our commands: another party's. Nothing of ours may have it fetched."""

PUBLISHED = False
"""Whether `DISTRIBUTION` is on the package index, put there by us. CONTRIBUTING.md lists what changes with it."""

EXTRAS = {
    "keyring": ("keyring",),
    "pdf": ("pypdfium2",),
    "postgres": ("psycopg[binary,pool]", "procrastinate"),
}
"""Each extra and the packages it stands for."""


def adding(*packages: str, windows: bool = os.name == "nt") -> str:
    """The command that adds packages to the environment that this program runs in.

    It names the packages, not our extra: that works for a clone, a wheel and a published package alike.
    """
    python = quoted(sys.executable, windows=windows)
    wanted = " ".join(quoted(package, windows=windows) for package in packages)
    if find_spec("pip") is None:
        # As in environments that uv makes.
        return f"uv pip install --python {python} {wanted}"
    return f"{python} -m pip install {wanted}"


def quoted(word: str, *, windows: bool = os.name == "nt") -> str:
    """A word of a command as the user's shell takes it: cmd.exe on Windows, else a POSIX shell."""
    if not windows:
        return shlex.quote(word)
    shown: str = library("subprocess").list2cmdline([word])
    # In quotes cmd.exe leaves these alone; outside they part commands, or send output into a file.
    return f'"{shown}"' if shown[:1] != '"' and set(shown) & set("&|<>^()%!,;=") else shown
