"""Fills a collection from its sources: reads what is new or changed, and drops what is gone."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import anyio

from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest, UnreadReason
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections, FileStamp
from deepresearch_mcp.text.library_urls import library_url
from deepresearch_mcp.web.library.source import PassedOver, Source

AT_ONCE = 4
"""Entries read concurrently; the parser processes set the pace."""
SEPARATOR = "\n"
"""Between the places of a collection with several sources; no path that is indexed and no address holds it."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of filling a collection."""

    added: int
    """New or changed entries that were read."""
    unchanged: int
    removed: int
    """Entries removed from the collection because their sources no longer hold them."""
    failed: tuple[tuple[str, UnreadReason], ...]
    """Paths of entries that could not be read, with the reason."""
    passed: tuple[tuple[PassedOver, int], ...] = ()
    """Number of skipped entries, by reason."""


@dataclass(frozen=True, slots=True)
class _Entry:
    source: Source
    stamp: FileStamp
    """With the path that the source knows it by."""


async def index(
    name: str,
    sources: Sequence[Source],
    collections: Collections,
    clock: Clock,
    emit: Callable[[str], None] | None = None,
) -> IndexReport:
    """Make a collection hold what its sources hold.

    An entry is read if its size or time differs from when it was last read, and parsed only if its content does. One
    that changed and can no longer be read is dropped. `emit` receives the path of each entry before it is read.

    Raises:
        InvalidRequest: A source does not exist, or holds nothing that can be read.
    """
    passed: Counter[PassedOver] = Counter()
    found: dict[str, _Entry] = {}
    for source, prefix in zip(sources, _prefixes(sources), strict=True):
        seen = await source.look()
        passed += seen.passed
        found |= {prefix + stamp.path: _Entry(source, stamp) for stamp in seen.stamps}
    await collections.put(name, SEPARATOR.join(source.place for source in sources), clock.now().timestamp())
    known = await collections.stamps(name)
    changed = [path for path, entry in found.items() if not _is_same(known.get(path), entry.stamp)]
    work = _Reading(name, found, known, collections, emit)
    await work.all(changed)
    gone = [path for path in known if path not in found or path in work.failed]
    if gone:
        await collections.drop(name, gone)
    return IndexReport(
        added=work.added,
        unchanged=len(found) - work.added - len(work.failed),
        removed=sum(path not in found for path in gone),
        failed=tuple(sorted(work.failed.items())),
        passed=tuple(sorted(passed.items())),
    )


class _Reading:
    """Reads the changed entries, a few at a time."""

    def __init__(
        self,
        name: str,
        found: Mapping[str, _Entry],
        known: Mapping[str, FileStamp],
        collections: Collections,
        emit: Callable[[str], None] | None,
    ) -> None:
        self.added = 0
        self.failed: dict[str, UnreadReason] = {}
        self._name = name
        self._found = found
        self._known = known
        self._collections = collections
        self._emit = emit

    async def all(self, paths: Sequence[str]) -> None:
        queue = iter(paths)
        async with anyio.create_task_group() as group:
            for _ in range(AT_ONCE):
                group.start_soon(self._work, queue)

    async def _work(self, queue: Iterator[str]) -> None:
        for path in queue:
            if self._emit:
                self._emit(path)
            entry, before = self._found[path], self._known.get(path)
            try:
                read = await entry.source.read(
                    entry.stamp, library_url(self._name, path), self._name, before.content if before else ""
                )
            except FetchFailed as error:
                self.failed[path] = error.reason
                continue
            stamp = replace(entry.stamp, path=path, content=read.content)
            if read.document is None:
                await self._collections.restamp(self._name, stamp)
            else:
                await self._collections.add(self._name, stamp, read.document, read.facts)
                self.added += 1


def _is_same(known: FileStamp | None, stamp: FileStamp) -> bool:
    """Whether size and time are as when it was read; a source that cannot tell gives the time 0 and is read again."""
    return known is not None and (known.size, known.modified_ns) == (stamp.size, stamp.modified_ns) != (0, 0)


def _prefixes(sources: Sequence[Source]) -> list[str]:
    """What sets the entries of several sources apart; nothing where there is one."""
    if len(sources) == 1:
        return [""]
    used: Counter[str] = Counter()
    prefixes: list[str] = []
    for source in sources:
        used[source.label] += 1
        again = f"-{used[source.label]}" if used[source.label] > 1 else ""
        prefixes.append(f"{source.label}{again}/")
    return prefixes


def nothing_in(place: str, suffixes: Iterable[str]) -> InvalidRequest:
    """The error for a folder, pattern or repository without anything to read."""
    return InvalidRequest(
        f"{place} holds no file that can be read.", f"Name files that are not empty and end in {', '.join(suffixes)}."
    )
