"""`deepresearch-server library`: named collections of documents, searched in addition to the web or instead of it."""

import re
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import WIDEST, command, emit, out, say
from deepresearch_mcp.cli.opening import opened_runtime
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.text.markdown import visible

if TYPE_CHECKING:
    from deepresearch_mcp.ports.documents import CollectionRow, CollectionsByOwner, FoundPassage
    from deepresearch_mcp.settings.library import LibrarySettings
    from deepresearch_mcp.web.library.indexing import IndexReport

LONGEST_NAME = 64
Name = Annotated[str, typer.Argument(metavar="NAME", help="The collection.", show_default=False)]
Shared = Annotated[
    bool | None,
    typer.Option(
        "--shared/--private",
        help="Let all callers of an HTTP service search it, or you alone. At first: you alone.",
        show_default=False,
    ),
]
Owner = Annotated[
    str,
    typer.Option(
        metavar="CALLER",
        help="The collection of another caller of this store, as `library list --all` names it.",
        show_default=False,
    ),
]
_SHARED = "All callers of a service over this store can search it now; only you can change it."
_PRIVATE = "Only you can search it now."


def add(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE...",
            help="Folders, files, globs, addresses of pages or sitemaps, Git repositories. None: those of last time.",
            show_default=False,
        ),
    ] = None,
    *,
    name: Annotated[str, typer.Option(help="What to call it; MCP clients and --collection use this name.")],
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and read what changes, until Ctrl-C.")] = False,
    every: Annotated[float, typer.Option(help="Seconds between two looks, with --watch.", min=0.5, max=86_400)] = 5,
    shared: Shared = None,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Make NAME hold what these sources hold; called again, it reads only what has changed."""
    known = _checked(name)

    def tell(found: "IndexReport") -> None:
        if json:
            figures = {"added": found.added, "unchanged": found.unchanged, "removed": found.removed}
            failed = [{"path": one, "reason": reason} for one, reason in found.failed]
            emit({"name": known, **figures, "failed": failed, "passed_over": dict(found.passed)})
        else:
            lazy.indexing.tell_index(found, f"Collection {known}")

    async def run() -> None:
        async with opened_runtime(settings) as runtime:
            collections = runtime.store.collections.of(LOCAL_CALLER)
            rows = await collections.all()
            places = sources or [place for row in rows if row.name == known for place in row.path.splitlines()]
            _tell_who_reads(settings.library)
            if shared is not None:
                # Before it is watched, which has no end.
                tell(await lazy.indexing.index(runtime, known, places, quiet=json))
                await collections.share(known, shared=shared)
                say(_SHARED if shared else _PRIVATE)
            if watch:
                say(f"Watching {known}. Ctrl-C ends it.", style="note")
                await lazy.indexing.watch(runtime, known, places, every, tell)
            elif shared is None:
                tell(await lazy.indexing.index(runtime, known, places, quiet=json))
        if not json:
            say(f'Search it: {command()} research "QUESTION" --collection {known}', whole=True)

    settings = settings_of(sets)
    anyio.run(run)


def _tell_who_reads(settings: "LibrarySettings") -> None:
    """Say which services get words of the collection."""
    if host := settings.sends_to:
        say(f"The words of this collection are sent to {host} for embeddings (library.embeddings_url).")
    if host := settings.reranked_by:
        say(f"Passages that a search finds in it are sent to {host} for ranking (library.rerank_url).")


def list_(
    *,
    everyone: Annotated[
        bool, typer.Option("--all", help="Those of all callers of this store, with the caller of each.")
    ] = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """List the collections."""

    async def run() -> None:
        async with opened_runtime(settings) as runtime:
            by_owner = runtime.store.collections
            owners = await by_owner.owners() if everyone else [LOCAL_CALLER]
            rows = [(owner, row) for owner in owners for row in await by_owner.of(owner).all() if row.own]
        if json:
            emit({"collections": [_plain(row) | ({"owner": owner} if everyone else {}) for owner, row in rows]})
        elif not rows:
            say(f"No collection yet. Add a folder: {command()} library add FOLDER --name NAME", whole=True)
        else:
            for owner, row in rows:
                out().print(row.name, style="bold", end="  ")
                if everyone:
                    out().print(owner, markup=False, end="  ")
                figures = f"{row.documents} documents{', shared with all callers' if row.shared else ''}"
                out().print(f"{figures}  {', '.join(row.path.splitlines())}", markup=False, soft_wrap=True)

    settings = settings_of(sets)
    anyio.run(run)


def _plain(row: "CollectionRow") -> dict[str, str | int | bool]:
    return {"name": row.name, "path": row.path, "documents": row.documents, "shared": row.shared}


def search(
    query: Annotated[str, typer.Argument(help="Words to look for.", show_default=False)],
    *,
    name: Annotated[
        list[str] | None, typer.Option(help="Only this collection; repeat for more.", show_default=False)
    ] = None,
    pages: Annotated[
        bool, typer.Option("--pages", help="Search every page that a run has read too, not collections alone.")
    ] = False,
    where: Annotated[
        list[str] | None,
        typer.Option(
            help="Only documents of which this holds: type=pdf, path=reports/*, date>=2024, a key of front matter.",
            metavar="KEY=VALUE",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(help="How many passages.", min=1, max=100)] = 5,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Search local collections; with --pages, or where there is no collection, every page that a run has read too."""
    if not query.strip():
        raise InvalidRequest("The query is empty.", "Say what to look for.")
    if name and pages:
        raise InvalidRequest(
            "--name and --pages exclude each other.",
            "Leave out --pages to search that collection alone, or --name to search everything.",
        )

    conditions = lazy.shelves.conditions_of(where or ())

    async def run() -> None:
        async with opened_runtime(settings) as runtime:
            collections = runtime.store.collections.of(LOCAL_CALLER)
            await collections.check(name or [])
            names = name or [row.name for row in await collections.all()]
            everywhere = not conditions and (pages or not names)
            found = await lazy.shelves.look_up(
                runtime.store.documents,
                query,
                caller=LOCAL_CALLER,
                collections=None if everywhere else names,
                limit=limit,
                where=conditions,
                masker=runtime.masker,
            )
        found = [
            replace(
                one,
                text=lazy.screen.without_planted(one.text),
                title=lazy.screen.without_planted(one.title, ""),
                heading=lazy.screen.without_planted(one.heading, ""),
            )
            for one in found
        ]
        if json:
            emit({"passages": [asdict(one) for one in found]})
        elif not found:
            more = "" if everywhere else " Pages that runs have read were left out: add --pages for them."
            say(f"Nothing stored holds enough of these words.{more}")
        else:
            for one in found:
                _show(one, query)

    settings = settings_of(sets)
    anyio.run(run)


def remove(name: Name, *, owner: Owner = LOCAL_CALLER, json: Json = False, sets: Sets = None) -> None:
    """Remove a collection; its sources are not touched."""

    async def run() -> None:
        async with opened_runtime(settings) as runtime:
            if owner != LOCAL_CALLER:
                await _check_owner(runtime.store.collections, owner)
            collections = runtime.store.collections.of(owner)
            await collections.check([name])
            await collections.remove(name)
        if json:
            emit({"name": name, "removed": True})
        else:
            say(f"Removed: {name}. Its sources were not touched.")

    settings = settings_of(sets)
    anyio.run(run)


async def _check_owner(collections: "CollectionsByOwner", owner: str) -> None:
    """Refuse a caller that has no collection of its own."""
    if owner not in (owners := await collections.owners()):
        have = f"These callers have some: {', '.join(owners)}." if owners else "No caller has any."
        raise InvalidRequest(f"The caller {owner[:60]!r} has no collection.", have)


def _show(found: "FoundPassage", query: str) -> None:
    """Print a passage with its address and the query's words in bold."""
    console = out()
    wanted = {lazy.keywords.stem(word) for word in lazy.words.query_words(query)}
    text = lazy.rich_text.Text(visible(" ".join(found.text.split())))
    text.highlight_words(
        sorted(
            {word for word in lazy.keywords.words(text.plain) if lazy.keywords.stem(word) in wanted},
            key=len,
            reverse=True,
        ),
        style="bold yellow",
        case_sensitive=False,
    )
    console.print(visible(found.title or found.url), style="bold", markup=False)
    console.print(visible(found.url), style="dim", markup=False, soft_wrap=True)
    if found.heading:
        console.print(visible(found.heading), style="dim", markup=False, soft_wrap=True)
    console.print(text, end="\n\n", width=min(console.width, WIDEST) if console.is_terminal else None)


def _checked(name: str) -> str:
    """Return the name if it can be used on a command line and in a tool call; else raise InvalidRequest."""
    if not re.fullmatch(rf"[\w][\w.-]{{0,{LONGEST_NAME - 1}}}", name):
        raise InvalidRequest(
            f"{name[:80]!r} cannot be a collection's name.",
            f"Use letters, digits, hyphens, dots and underscores, at most {LONGEST_NAME}.",
        )
    return name
