"""Reading a folder of documents into a local collection."""

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import anyio
import anyio.to_thread

from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest, UnreadReason
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections, FileStamp
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.library_urls import library_url
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.parsing import Parsers
from deepresearch_mcp.web.snapshot import document_of

MEDIA_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".rst": "text/plain",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".epub": "application/epub+zip",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".ipynb": "application/x-ipynb+json",
    ".eml": "message/rfc822",
    ".srt": "application/x-subrip",
    ".vtt": "text/vtt",
}
"""Media type of each file suffix that is indexed, in lower case."""
LARGEST = 30_000_000
"""Largest file that is indexed, in bytes."""
AT_ONCE = 4
"""Files read concurrently; the parser processes set the pace."""


PassedOver = Literal["kind", "empty", "too_large", "link", "odd"]
"""Why a visible entry is skipped: its suffix, its size, a link (broken, or out of the folder), not a regular file."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of indexing a folder."""

    added: int
    """New or changed files that were read."""
    unchanged: int
    removed: int
    """Files removed from the collection because they are gone from the folder."""
    failed: tuple[tuple[str, UnreadReason], ...]
    """Relative paths of files that could not be read, with the reason."""
    passed: tuple[tuple[PassedOver, int], ...] = ()
    """Number of skipped entries, by reason."""


def walk(folder: Path, largest: int = LARGEST) -> Iterator[FileStamp]:
    """Return all readable files of a folder, sorted by path.

    Skips hidden files and folders, links that are circular or lead out of the folder, names that are not UTF-8,
    anything but regular files, empty files and files above `largest` bytes.

    Raises:
        InvalidRequest: The folder does not exist or cannot be read.
    """
    return (one for one in _looked_through(folder, largest) if isinstance(one, FileStamp))


def _looked_through(folder: Path, largest: int) -> Iterator[FileStamp | PassedOver]:
    root = _root(folder)
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if Path(place, name).is_symlink():
                yield "link"
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith("."):
                yield _stamp(path, root, largest)


def _stamp(path: Path, root: Path, largest: int) -> FileStamp | PassedOver:
    if path.suffix.lower() not in MEDIA_TYPES:
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


async def read_file(folder: Path, stamp: FileStamp, parsers: Parsers, collection: str, clock: Clock) -> Document:
    """Read one file of a folder as a document of a collection.

    The address is `library://NAME/path`, percent-encoded; the site is the collection's name.

    Raises:
        FetchFailed: The file cannot be read or parsed.
    """
    url = library_url(collection, stamp.path)
    path = folder / stamp.path
    try:
        body = await anyio.to_thread.run_sync(path.read_bytes, abandon_on_cancel=True)
    except OSError as error:
        raise FetchFailed(url, "unreachable", "The file cannot be opened.") from error
    media_type = MEDIA_TYPES[path.suffix.lower()]
    page = await parsers.parse(Fetched(url, url, 200, media_type, "", body))
    return document_of(page, url=url, requested_url=url, site=collection, read_at=clock.now())


async def index_folder(
    name: str,
    folder: Path,
    collections: Collections,
    parsers: Parsers,
    clock: Clock,
    emit: Callable[[str], None] | None = None,
) -> IndexReport:
    """Update a collection from a folder: read new and changed files, drop files that are gone.

    A file has changed if its size or modification time differs. A changed file that can no longer be read is dropped.
    `emit` receives the path of each file before it is read.

    Raises:
        InvalidRequest: The folder does not exist, cannot be read, or holds no readable file.
    """
    seen = await anyio.to_thread.run_sync(lambda: list(_looked_through(folder, LARGEST)))
    found = {one.path: one for one in seen if isinstance(one, FileStamp)}
    if not found:
        raise InvalidRequest(
            f"The folder {folder} holds no file that can be read.",
            f"Give a folder with files that end in {', '.join(MEDIA_TYPES)}.",
        )
    passed: Counter[PassedOver] = Counter(one for one in seen if not isinstance(one, FileStamp))
    await collections.put(name, str(_root(folder)), clock.now().timestamp())
    known = await collections.stamps(name)
    changed = [stamp for path, stamp in found.items() if known.get(path) != stamp]
    failed = dict(await _add(name, folder, changed, collections, parsers, clock, emit))
    gone = [path for path in known if path not in found or path in failed]
    if gone:
        await collections.drop(name, gone)
    return IndexReport(
        added=len(changed) - len(failed),
        unchanged=len(found) - len(changed),
        removed=sum(path not in found for path in gone),
        failed=tuple(sorted(failed.items())),
        passed=tuple(sorted(passed.items())),
    )


async def _add(
    name: str,
    folder: Path,
    stamps: list[FileStamp],
    collections: Collections,
    parsers: Parsers,
    clock: Clock,
    emit: Callable[[str], None] | None,
) -> list[tuple[str, UnreadReason]]:
    failed: list[tuple[str, UnreadReason]] = []
    queue = iter(stamps)

    async def work() -> None:
        for stamp in queue:
            if emit:
                emit(stamp.path)
            try:
                document = await read_file(folder, stamp, parsers, name, clock)
            except FetchFailed as error:
                failed.append((stamp.path, error.reason))
            else:
                await collections.add(name, stamp, document)

    async with anyio.create_task_group() as group:
        for _ in range(AT_ONCE):
            group.start_soon(work)
    return failed


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
