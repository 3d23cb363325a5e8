"""Tells which processes are alive: an open store holds a file lock that the system releases when its process dies."""

import os
import sys
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from typing_extensions import override

from deepresearch_mcp.store.sql import Conn, Owners

if sys.platform == "win32":  # pragma: no cover - measured on Linux
    import msvcrt

    def _lock(descriptor: int, *, shared: bool = False, wait: bool = False) -> bool:
        # Windows has no shared lock here. If two processes ask at once, one may briefly take a dead owner for alive.
        del shared
        try:
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int, *, shared: bool = False, wait: bool = False) -> bool:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Ownership(Owners):
    """This store's id, the lock that proves it lives, and the fences of the runs it holds."""

    def __init__(self, owner: str, folder: Path, descriptor: int) -> None:
        self.owner = owner
        """A UUID's 32 hexadecimal digits."""
        self.fences: dict[str, int] = {}
        """Run id → fence, for the runs that this process holds until they end."""
        self._folder = folder
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: Path) -> "Ownership":
        """Create a new id and take its lock in `folder`, which must exist."""
        while True:
            owner = uuid.uuid4().hex
            path = _path(folder, owner)
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
            # Before the file was locked, another process may have swept it as a dead owner's.
            if _lock(descriptor) and path.exists():
                return cls(owner, folder, descriptor)
            os.close(descriptor)

    @override
    def living(self, conn: Conn) -> Callable[[str | None], bool]:
        del conn  # File locks say who lives, not the database.
        return self.lives

    @override
    def lately_living(self, conn: Conn) -> Callable[[str | None], bool]:
        return self.living(conn)

    def lives(self, owner: str | None) -> bool:
        """Whether an owner's process is alive. Asking never disturbs it."""
        return owner is not None and (owner == self.owner or owner_lives(self._folder, owner))

    def sweep(self, needed: Callable[[str], bool]) -> None:
        """Remove the lock files of dead owners, except those that are still `needed`."""
        for path in self._folder.glob("*.lock"):
            owner = path.stem
            if owner != self.owner and not needed(owner):
                _remove_if_free(path)

    def release(self) -> None:
        """Release the lock and remove its file."""
        os.close(self._descriptor)
        with suppress(OSError):
            _path(self._folder, self.owner).unlink()


def owner_lives(folder: Path, owner: str | None) -> bool:
    """Whether the process of another owner is alive."""
    return owner is not None and _held(_path(folder, owner))


@contextmanager
def alone(path: Path) -> Generator[None]:
    """Hold the lock of a file, so that one process at a time enters; wait for it without limit."""
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        _lock(descriptor, wait=True)
        yield
    finally:
        os.close(descriptor)


def _path(folder: Path, owner: str) -> Path:
    return folder / f"{owner}.lock"


def _held(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        # A shared lock, so that two processes that ask at once do not take each other for the owner.
        return not _lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


def _remove_if_free(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        # Another server is sweeping too, or the file belongs to another user.
        return
    try:
        free = _lock(descriptor)
        if free and sys.platform != "win32":
            # Remove it while locked, so that the next process to lock it sees that the file is gone.
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)
    if free and sys.platform == "win32":  # pragma: no cover - an open file cannot be removed there
        with suppress(OSError):
            path.unlink(missing_ok=True)
