"""Checks which other users may read or write the data directory, and restricts or refuses access."""

import os
import stat
from pathlib import Path
from typing import Literal

from deepresearch_mcp.exceptions import StoreError

Decision = Literal["use", "restrict", "refuse"]

_ROOT = 0


def check_directory(home: Path) -> None:
    """Remove other users' write access from a data directory of this user. Other owners' directories stay unchanged.

    Raises:
        StoreError: Other users may write into it, and this user may not change that.
    """
    if os.name != "posix":  # Windows keeps its permissions elsewhere.
        return
    found = home.stat()
    decision = access_decision(found.st_mode, found.st_uid, os.geteuid())
    if decision == "restrict":
        # Another user who may write there can replace our files.
        home.chmod(stat.S_IMODE(found.st_mode) & ~0o022)
    if decision == "refuse":
        raise StoreError(
            "Other users may write into the data directory, so they could replace what is stored in it.",
            f"Set DEEPRESEARCH_HOME to a new directory inside it, such as {home / 'deepresearch'}.",
        )


def access_decision(mode: int, owner: int, us: int) -> Decision:
    """What to do with an existing data directory of this mode and owner.

    A directory with a sticky bit is shared by design, as /tmp is, so it is neither changed nor used. A directory that
    an administrator opened to us, such as a container volume, is used unchanged.
    """
    if not mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "use"
    if mode & stat.S_ISVTX:
        return "refuse"
    if owner == us:
        return "restrict"
    return "use" if owner == _ROOT or not mode & stat.S_IWOTH else "refuse"


def check_file(file: Path) -> None:
    """Make a database file private. Another user's file is used unchanged, unless everyone may open it.

    Raises:
        StoreError: It is not a regular file, or it belongs to another user and everyone may open it.
    """
    found = file.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(
            f"{file.name} in the data directory is not a regular file.",
            "Move it away, or set DEEPRESEARCH_HOME to another directory.",
        )
    if not found.st_mode & 0o077:
        return
    if os.name != "posix" or found.st_uid == os.geteuid():
        file.chmod(0o600)
    elif found.st_mode & 0o007:
        raise StoreError(
            f"{file.name} in the data directory belongs to another user, and everyone may open it.",
            "Set DEEPRESEARCH_HOME to another directory.",
        )
