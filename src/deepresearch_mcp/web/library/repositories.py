"""Git repositories as sources of a collection: the files that Git knows, in this folder or in a copy of our own."""

import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import anyio
import anyio.to_thread
from typing_extensions import override

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.web.library.files import MEDIA_TYPES, FileSource
from deepresearch_mcp.web.library.source import Found
from deepresearch_mcp.web.parsing import Parsers

_CODE = (
    "adoc asm bash bat c cc cfg clj cpp cs css cu cxx dart diff el erl ex exs fish go gradle graphql h hh hpp hs ini"
    " java jl js jsx kt kts less lisp lua m mjs ml nim nix org patch php pl pm proto ps1 py pyi pyx r rb rs rst scala"
    " scm scss sh sol sql svelte swift tcl tex tf toml ts tsx vim vue yaml yml zig zsh"
)
CODE_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    dict(MEDIA_TYPES) | {f".{suffix}": "text/plain" for suffix in _CODE.split()}
)
"""Media type of each file suffix of a repository that is indexed: documents and code."""
_SECONDS = 600
"""Longest time that one Git command may take."""
_FORBIDDEN = ("-c", "protocol.ext.allow=never", "-c", "core.symlinks=false", "-c", "core.fsmonitor=false")
"""No command of a repository's own is run, no link leads out of the copy."""


def is_repository(place: str) -> bool:
    """Whether a source is a Git repository: `git+…`, `git@…`, `ssh://…`, an address ending in .git, or its folder."""
    if place.startswith(("git+", "git@", "ssh://", "git://")):
        return True
    if place.startswith(("http://", "https://")):
        return place.rstrip("/").endswith(".git")
    return (Path(place).expanduser() / ".git").exists()


class RepositorySource(FileSource):
    """The files of a repository that Git does not ignore; one with an address is copied below `copies` first."""

    def __init__(self, place: str, copies: Path, parsers: Parsers, clock: Clock) -> None:
        address = place.removeprefix("git+")
        self._address = "" if (Path(address).expanduser() / ".git").exists() else address
        folder = copies / hashlib.sha256(address.encode()).hexdigest()[:16] if self._address else Path(address)
        self._copy = folder
        self._name = address.rstrip("/").removesuffix(".git").rpartition("/")[2] or "repository"
        recorded = place if self._address else str(folder.expanduser().absolute())
        super().__init__(folder, parsers, clock, listed=_files, place=recorded, types=CODE_TYPES)

    @property
    @override
    def label(self) -> str:
        return self._name

    @property
    @override
    def is_local(self) -> bool:
        return not self._address

    @override
    async def look(self) -> Found:
        if self._address:
            await anyio.to_thread.run_sync(self._fetch, abandon_on_cancel=True)
        return await super().look()

    def _fetch(self) -> None:
        """Make or renew the copy, with the newest commit alone."""
        shown = without_secrets(self._address)
        if (self._copy / ".git").exists():
            _git(("-C", str(self._copy), "fetch", "-q", "--depth", "1", "--no-tags", "origin", "HEAD"), shown)
            _git(("-C", str(self._copy), "reset", "-q", "--hard", "FETCH_HEAD"), shown)
            return
        self._copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        options = ("-q", "--depth", "1", "--single-branch", "--no-tags", "--no-recurse-submodules")
        _git(("clone", *options, "--", self._address, str(self._copy)), shown)


def _files(root: Path) -> list[Path]:
    told = _git(("-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"), str(root))
    names = [name for name in told.split("\0") if name and not any(part.startswith(".") for part in name.split("/"))]
    return [root / name for name in names if not (root / name).is_dir()]


def _git(arguments: Sequence[str], what: str) -> str:
    """Run Git and return what it prints.

    Raises:
        InvalidRequest: Git is missing or failed.
    """
    try:
        # Without a terminal Git asks for no password: it fails instead of waiting.
        done = subprocess.run(  # noqa: S603 - arguments of ours, and an address behind "--"
            ["git", *_FORBIDDEN, *arguments],  # noqa: S607 - the user's own Git
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise InvalidRequest("Git is not installed.", "Install Git, or add the folder of a copy.") from error
    except subprocess.TimeoutExpired as error:
        raise InvalidRequest(f"The repository {what} did not answer in time.", "Try again later.") from error
    if done.returncode:
        raise InvalidRequest(
            f"The repository {what} cannot be read.", "Check its address and that `git clone` works with it."
        )
    return done.stdout.decode("utf-8", "surrogateescape")
