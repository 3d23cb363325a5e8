"""Fills, searches and removes collections of documents, for surfaces that are called by programs."""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.injection.screen import without_planted
from deepresearch_mcp.jobs.shelves import conditions_of, look_up
from deepresearch_mcp.ports.documents import FoundPassage
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.web.library.indexing import IndexReport
from deepresearch_mcp.web.library.indexing import index as fill_collection
from deepresearch_mcp.web.library.opening import SourceParts, open_sources
from deepresearch_mcp.web.library.source import Source
from deepresearch_mcp.web.parsing import Parsers

LONGEST_NAME = 64
LONGEST_QUERY = 2_000
MOST_PASSAGES = 100


def checked_name(name: str) -> str:
    """Return the name if it can be used on a command line and in a tool call.

    Raises:
        InvalidRequest: It cannot.
    """
    if not re.fullmatch(rf"[\w][\w.-]{{0,{LONGEST_NAME - 1}}}", name):
        raise InvalidRequest(
            f"{name[:80]!r} cannot be a collection's name.",
            f"Use letters, digits, hyphens, dots and underscores, at most {LONGEST_NAME}.",
        )
    return name


async def collect(runtime: Runtime, name: str, places: Sequence[str], caller: str = LOCAL_CALLER) -> IndexReport:
    """Make a collection hold what its sources hold; without places, those of last time are read.

    Raises:
        InvalidRequest: The name cannot be used, or a source cannot be read or holds nothing readable.
    """
    name, collections = checked_name(name), runtime.store.collections.of(caller)
    if not places:
        rows = await collections.all()
        places = [place for row in rows if row.name == name for place in row.path.splitlines()]
    async with opened_sources(runtime, places) as sources:
        return await fill_collection(name, sources, collections, runtime.clock)


@asynccontextmanager
async def opened_sources(runtime: Runtime, places: Sequence[str]) -> AsyncGenerator[list[Source]]:
    """Open what can be read of these places, with processes that parse it.

    Raises:
        InvalidRequest: A source cannot be read.
    """
    settings, clock, web = runtime.settings, runtime.clock, runtime.web
    async with Parsers(settings.web, clock) as parsers:
        copies = settings.home / "repositories"
        yield open_sources(places, SourceParts(parsers, clock, web.fetch, web.fetch_bytes, copies))


async def search_collections(
    runtime: Runtime,
    query: str,
    *,
    collections: Sequence[str] | None,
    where: Sequence[str],
    limit: int,
    caller: str = LOCAL_CALLER,
) -> list[FoundPassage]:
    """Return passages that the caller may see, planted instructions left out; None: of all collections and pages.

    Raises:
        InvalidRequest: The query is empty, or a condition or the limit is wrong.
        UnknownCollection: There is no collection of that name.
    """
    if not query.strip():
        raise InvalidRequest("The query is empty.", "Say what you want to find.")
    if not 1 <= limit <= MOST_PASSAGES:
        raise InvalidRequest(f"limit is {limit}.", f"Give 1 to {MOST_PASSAGES}.")
    await runtime.store.collections.of(caller).check(collections or ())
    found = await look_up(
        runtime.store.documents,
        query[:LONGEST_QUERY],
        caller=caller,
        collections=collections or None,
        limit=limit,
        where=conditions_of(where),
        masker=runtime.masker,
    )
    return [
        replace(
            one,
            text=without_planted(one.text),
            title=without_planted(one.title, ""),
            heading=without_planted(one.heading, ""),
        )
        for one in found
    ]


async def remove_collection(runtime: Runtime, name: str, caller: str = LOCAL_CALLER) -> None:
    """Remove one of the caller's collections; its sources are not touched.

    Raises:
        UnknownCollection: The caller sees no collection of that name.
        InvalidRequest: It is shared with the caller, who cannot change it.
    """
    collections = runtime.store.collections.of(caller)
    await collections.check([name])
    await collections.remove(name)
