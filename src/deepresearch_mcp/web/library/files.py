"""Folders, single files and globs as sources of a collection."""

import glob
import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Final

import anyio
import anyio.to_thread
from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.front_matter import front_matter
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.library.indexing import nothing_in
from deepresearch_mcp.web.library.source import Found, PassedOver, Read, Source
from deepresearch_mcp.web.parsing import Parsers
from deepresearch_mcp.web.snapshot import document_of

MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".html": "text/html",
        ".htm": "text/html",
        ".xhtml": "text/html",
        ".md": "text/markdown",
        ".markdown": "text/markdown",
        ".txt": "text/plain",
        ".rst": "text/plain",
        ".pdf": "application/pdf",
        ".csv": "text/csv",
        ".tsv": "text/tab-separated-values",
        ".json": "application/json",
        ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        ".epub": "application/epub+zip",
        ".eml": "message/rfc822",
        ".mbox": "application/mbox",
        ".ipynb": "application/x-ipynb+json",
        ".srt": "application/x-subrip",
        ".vtt": "text/vtt",
    }
)
"""Media type of each file suffix that is indexed, in lower case."""
LARGEST = 30_000_000
"""Largest file that is indexed, in bytes."""
_MAGIC = "*?["


class FileSource(Source):
    """The readable files below a folder, or those of them that `listed` names."""

    def __init__(
        self,
        folder: Path,
        parsers: Parsers,
        clock: Clock,
        *,
        listed: "Callable[[Path], list[Path]] | None" = None,
        place: str = "",
        types: Mapping[str, str] = MEDIA_TYPES,
    ) -> None:
        self._folder = folder
        self._parsers = parsers
        self._clock = clock
        self._listed = listed
        self._place = place
        self._types = types

    @property
    @override
    def place(self) -> str:
        return self._place or str(_root(self._folder))

    @property
    @override
    def label(self) -> str:
        return self._folder.expanduser().resolve().name or "folder"

    @property
    @override
    def is_local(self) -> bool:
        return True

    @override
    async def look(self) -> Found:
        seen = await anyio.to_thread.run_sync(self._seen)
        stamps = tuple(one for one in seen if isinstance(one, FileStamp))
        if not stamps:
            raise nothing_in(self._place or str(self._folder), self._types)
        return Found(stamps, Counter(one for one in seen if not isinstance(one, FileStamp)))

    def _seen(self) -> list[FileStamp | PassedOver]:
        root = _root(self._folder)
        if self._listed is None:
            return list(_looked_through(root, LARGEST, self._types))
        return [_stamp(path, root, LARGEST, self._types) for path in sorted(self._listed(root))]

    @override
    async def read(self, stamp: FileStamp, url: str, site: str, known: str) -> Read:
        path = self._folder / stamp.path
        try:
            body = await anyio.to_thread.run_sync(path.read_bytes, abandon_on_cancel=True)
        except OSError as error:
            raise FetchFailed(url, "unreachable", "The file cannot be opened.") from error
        content = hashlib.sha256(body).hexdigest()
        if content == known:
            return Read(content, None)
        media_type = self._types[path.suffix.lower()]
        page = await self._parsers.parse(Fetched(url, url, 200, media_type, "", body))
        document = document_of(page, url=url, requested_url=url, site=site, read_at=self._clock.now())
        facts = front_matter(body) if media_type == "text/markdown" else {}
        return Read(content, _dated(document, facts), facts)


def _dated(document: Document, facts: Mapping[str, str]) -> Document:
    """The document with the day that its front matter names, where it has none of its own."""
    try:
        day = date.fromisoformat(facts.get("date", "")[:10])
    except ValueError:
        return document
    return document if document.published else document.model_copy(update={"published": day})


def folder_source(folder: Path, parsers: Parsers, clock: Clock) -> FileSource:
    """All readable files below a folder."""
    return FileSource(folder, parsers, clock)


def one_file(path: Path, parsers: Parsers, clock: Clock) -> FileSource:
    """A single file."""
    whole = path.expanduser().absolute()
    return FileSource(whole.parent, parsers, clock, listed=lambda root: [root / whole.name], place=str(whole))


def is_glob(place: str) -> bool:
    """Whether a path holds a wildcard."""
    return any(sign in place for sign in _MAGIC)


def globbed(pattern: str, parsers: Parsers, clock: Clock) -> FileSource:
    """The files that match a pattern such as `papers/**/*.pdf`; paths are relative to the part without wildcards."""
    whole = Path(pattern).expanduser().absolute()
    at = next(index for index, part in enumerate(whole.parts) if is_glob(part))
    base, rest = Path(*whole.parts[:at]), str(Path(*whole.parts[at:]))

    def listed(root: Path) -> list[Path]:
        return [root / one for one in glob.glob(rest, root_dir=root, recursive=True) if not (root / one).is_dir()]

    return FileSource(base, parsers, clock, listed=listed, place=str(whole))


def walk(folder: Path, largest: int = LARGEST) -> Iterator[FileStamp]:
    """Return all readable files of a folder, sorted by path.

    Skips hidden files and folders, links that are circular or lead out of the folder, names that are not UTF-8,
    anything but regular files, empty files and files above `largest` bytes.

    Raises:
        InvalidRequest: The folder does not exist or cannot be read.
    """
    return (one for one in _looked_through(_root(folder), largest, MEDIA_TYPES) if isinstance(one, FileStamp))


def _looked_through(root: Path, largest: int, types: Mapping[str, str]) -> Iterator[FileStamp | PassedOver]:
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if Path(place, name).is_symlink():
                yield "link"
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith("."):
                yield _stamp(path, root, largest, types)


def _stamp(path: Path, root: Path, largest: int, types: Mapping[str, str]) -> FileStamp | PassedOver:
    if path.suffix.lower() not in types:
        return "kind"
    try:
        str(path).encode()
        inside, found = path.resolve().is_relative_to(root), path.stat()
    except (OSError, RuntimeError, UnicodeEncodeError):
        # The file was deleted meanwhile, the link is circular, or the name is not UTF-8 and fits in no address.
        return "link" if path.is_symlink() else "odd"
    if not inside:
        return "link"
    if not stat.S_ISREG(found.st_mode):
        return "odd"
    if not 0 < found.st_size <= largest:
        return "too_large" if found.st_size else "empty"
    return FileStamp(path.relative_to(root).as_posix(), found.st_size, found.st_mtime_ns)


def _root(folder: Path) -> Path:
    try:
        root = folder.expanduser().resolve(strict=True)
        with os.scandir(root):
            return root
    except (OSError, RuntimeError) as error:
        raise InvalidRequest(
            f"The folder {folder} cannot be read ({_why(error)}).", "Give a folder that exists and that you may read."
        ) from error


def _why(error: OSError | RuntimeError) -> str:
    return (error.strerror or "unknown").lower() if isinstance(error, OSError) else "its path leads in a circle"
