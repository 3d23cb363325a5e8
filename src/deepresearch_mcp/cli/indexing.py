"""Fills collections from the command line, once or again and again, and tells what was read."""

from collections.abc import Callable, Mapping, Sequence

from deepresearch_mcp.cli.console import err, say
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.collecting import opened_sources
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.web.library.addresses import MOST_PAGES
from deepresearch_mcp.web.library.files import LARGEST, MEDIA_TYPES
from deepresearch_mcp.web.library.indexing import IndexReport
from deepresearch_mcp.web.library.indexing import index as fill_collection
from deepresearch_mcp.web.library.source import PassedOver, Source

_ELSEWHERE = 900.0
"""Least seconds between two looks at a source on another machine."""


async def index(runtime: Runtime, name: str, places: Sequence[str], *, quiet: bool) -> IndexReport:
    """Update a collection from its sources.

    Raises:
        InvalidRequest: A source cannot be read or holds nothing readable.
    """
    async with opened_sources(runtime, places) as sources:
        return await _fill(runtime, name, sources, quiet=quiet)


async def watch(
    runtime: Runtime,
    name: str,
    places: Sequence[str],
    seconds: float,
    tell: Callable[[IndexReport], None],
    clock: Clock | None = None,
) -> None:
    """Update a collection every so many seconds, until it is cancelled; `tell` gets the reports that hold news.

    Sources on other machines are looked at every 15 minutes at most. A source that is unreachable for a while keeps
    what was read of it.

    Raises:
        InvalidRequest: A source cannot be read the first time.
    """
    clock = clock or runtime.clock
    async with opened_sources(runtime, places) as sources:
        wait = seconds if all(source.is_local for source in sources) else max(seconds, _ELSEWHERE)
        tell(await _fill(runtime, name, sources, quiet=True))
        while True:
            await clock.sleep(wait)
            try:
                report = await _fill(runtime, name, sources, quiet=True)
            except InvalidRequest as error:
                say(f"{error.message} {error.action}", style="note")
                continue
            if report.added or report.removed:
                tell(report)


def tell_index(report: IndexReport, what: str) -> None:
    """Print the result of indexing, then what was not read and why."""
    say(_told(report, what))
    say(*(f"  not read: {path} ({reason.replace('_', ' ')})" for path, reason in report.failed), style="note")
    say(*(f"  passed over: {count} {_PASSED[reason]}" for reason, count in report.passed), style="note")


_PASSED: Mapping[PassedOver, str] = {
    "kind": f"that do not end in {', '.join(MEDIA_TYPES)}",
    "empty": "empty",
    "too_large": f"larger than {LARGEST // 1_000_000} MB",
    "too_many": f"beyond the first {MOST_PAGES:,} of a sitemap",
    "link": "that are links out of the folder, to a folder, or to nothing",
    "odd": "that are not regular files, or whose names cannot be decoded",
}


async def _fill(runtime: Runtime, name: str, sources: Sequence[Source], *, quiet: bool) -> IndexReport:
    collections, clock = runtime.store.collections.of(LOCAL_CALLER), runtime.clock
    if quiet or not err().is_terminal:
        return await fill_collection(name, sources, collections, clock)
    with err().status("Looking for documents …") as status:

        def tell(path: str) -> None:
            status.update(f"Reading {path[:60]}".replace("[", "\\["))

        return await fill_collection(name, sources, collections, clock, tell)


def _told(report: IndexReport, what: str) -> str:
    figures = [f"{report.added} read", f"{report.unchanged} unchanged"]
    figures += [f"{report.removed} gone"] if report.removed else []
    figures += [f"{len(report.failed)} not readable"] if report.failed else []
    return f"{what}: {', '.join(figures)}"
