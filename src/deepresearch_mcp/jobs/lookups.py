"""Searches or reads one page without a run; implements `web_search` and `fetch_url` for every surface."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from deepresearch_mcp.exceptions import DayCeilingMet, InvalidRequest, ProviderError
from deepresearch_mcp.injection.screen import LEFT_OUT, planted_in, readable, screened_hit
from deepresearch_mcp.jobs.asking import filters_of
from deepresearch_mcp.pipeline.research.dead_engines import engines_dead
from deepresearch_mcp.pipeline.research.fusion import fuse_hits, within_limits
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document, EngineFailure, Hit, Query
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.search import registry
from deepresearch_mcp.search.answer_cache import AnswerCache
from deepresearch_mcp.text.ages import age
from deepresearch_mcp.text.markdown import cut
from deepresearch_mcp.text.passages import pieces
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.utf8 import fitting, size

MAX_QUERY = 2_000
"""Most characters of a query; engines read a few hundred."""

MAX_HITS = 20

MAX_PAGE = 10
"""Page of hits that can be asked for: no service is known to have more than a hundred hits to a query."""

LOCAL = "local"
"""The engine of local collections, which a web search does not use."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The hits of a search, and the engines that failed."""

    hits: tuple[Hit, ...]
    """Empty only if nothing was found; if every engine fails, `search` raises."""
    failures: tuple[EngineFailure, ...]
    """If all engines failed, `hits` may hold their earlier answers; the reason then states their age."""
    engines: tuple[str, ...]
    """Names of the engines asked, in order."""


@dataclass(frozen=True, slots=True)
class Extract:
    """A part of a page: `document.text[start:end]`, with a mark in place of each planted stretch."""

    start: int
    end: int
    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class PagePart:
    """A page, and the requested part of it."""

    document: Document
    extracts: tuple[Extract, ...]
    """In the order of the page; empty if no passage holds a word of the question."""
    next_offset: int | None
    """Character offset of the next part; None at the end of the page, and for passages."""


async def search_web(
    runtime: Runtime,
    query: str,
    *,
    limit: int = 10,
    page: int = 1,
    engines: Sequence[str] | None = None,
    caller: str = LOCAL_CALLER,
    **limits: Any,  # noqa: ANN401 - the fields of `Filters`, checked as such
) -> SearchOutcome:
    """Ask all engines at once and fuse their answers; without `engines`, those of the settings are asked.

    `page` 2 are the `limit` hits after the first ones. Engines that have no such pages are told as failures.

    Raises:
        InvalidRequest, SettingsError: An argument is invalid, or an engine lacks its key or address; none was asked.
        EnginesDead: Every engine failed, and no earlier answer to an equal query is stored.
        DayCeilingMet: The day's ceilings leave no room for the price of any engine.
    """
    text = _checked(query, "query")
    if not 1 <= limit <= MAX_HITS:
        raise InvalidRequest(f"limit is {limit}: it must be from 1 to {MAX_HITS}.", "Correct it.")
    if not 1 <= page <= MAX_PAGE:
        raise InvalidRequest(f"page is {page}: it must be from 1 to {MAX_PAGE}.", "Correct it.")
    asking = Query(text, filters_of(limits), limit=limit, page=page)
    settings = runtime.settings.search
    names = registry.known(engines, settings) if engines else registry.chosen(settings)
    if engines and LOCAL in names:
        raise InvalidRequest(
            "The engine 'local' searches collections, and a web search names none.",
            "Ask deep_research with collections=[…] instead.",
        )
    await runtime.quotas.refresh()
    share = runtime.quotas.outside_runs(caller)
    able = [name for name in names if name != LOCAL and (page == 1 or "pages" in registry.spec_of(name).filters)]
    asked = [runtime.engines.for_lookup(name, share) for name in able]
    answers, failures = await _ask(asked, asking)
    if len(failures) == len(asked):
        answers, failures = await _earlier(runtime.keeper, asking, failures)
    unable = (name for name in names if name not in {*able, LOCAL})
    failures += [EngineFailure(engine=name, query=text, reason=_FIRST_PAGE) for name in unable]
    if not answers:
        raise engines_dead(failures)
    hits, _ = within_limits(fuse_hits(answers), asking.filters, strict_dates=runtime.settings.research.strict_dates)
    return SearchOutcome(
        tuple(screened_hit(hit, text) for hit in hits[:limit]), tuple(failures), tuple(engine.name for engine in asked)
    )


_FIRST_PAGE = "it has no hits after the first ones; ask for more of them by limit"


async def _ask(engines: Sequence[SearchEngine], query: Query) -> tuple[list[list[Hit]], list[EngineFailure]]:
    answers: dict[str, list[Hit]] = {}
    failures: dict[str, EngineFailure] = {}
    met: list[DayCeilingMet] = []

    async def one(engine: SearchEngine) -> None:
        try:
            answers[engine.name] = await engine.search(query)
            return
        except ProviderError as error:
            reason = f"{error.reason} {error.action}".strip()
        except DayCeilingMet as error:
            met.append(error)
            reason = str(error)
        failures[engine.name] = EngineFailure(engine=engine.name, query=query.text, reason=reason)

    async with anyio.create_task_group() as tasks:
        for engine in engines:
            tasks.start_soon(one, engine)
    if met and len(met) == len(engines):
        raise met[0]
    names = [engine.name for engine in engines]
    return [answers[name] for name in names if name in answers], [failures[name] for name in names if name in failures]


async def _earlier(
    keeper: AnswerCache, query: Query, failures: Sequence[EngineFailure]
) -> tuple[list[list[Hit]], list[EngineFailure]]:
    """Return earlier answers of the failed engines to an equal query, and the failures with the answers' age."""
    known = await keeper.find(query, [failure.engine for failure in failures])
    told: list[EngineFailure] = []
    for failure in failures:
        if failure.engine in known:
            ago = age(keeper.age({failure.engine: known[failure.engine]}))
            reason = f"{failure.reason.rstrip('.')}. Its answer to the same query {ago} ago is used instead."
            told.append(failure.model_copy(update={"reason": reason}))
        else:
            told.append(failure)
    return [list(answer.hits) for answer in known.values()], told


async def fetch_page(
    runtime: Runtime, url: str, *, question: str = "", offset: int = 0, limit: int = 10_000, most: int | None = None
) -> PagePart:
    """Read a page: the part from `offset`, or with a question the passages after `offset` that answer it best.

    Returns at most `limit` characters of the page and at most `most` bytes of UTF-8.

    Raises:
        InvalidRequest: An argument is invalid. Unless `offset` is past the end, nothing was fetched.
        FetchFailed: The page could not or must not be read.
    """
    address = _checked(url, "url")
    wanted = _checked(question, "question") if question.strip() else ""
    if offset < 0 or limit < 1:
        raise InvalidRequest("offset must be 0 or more and limit at least 1.", "Correct them.")
    document = await runtime.web.fetch(address)
    if offset and offset >= document.length:
        raise InvalidRequest(
            f"offset {offset:,} is past the end: the page has {document.length:,} characters.",
            "Give a smaller one.",
        )
    if wanted:
        work = partial(_answering, document, wanted, offset, limit, most)
        return PagePart(document, await anyio.to_thread.run_sync(work, abandon_on_cancel=True), None)
    return await anyio.to_thread.run_sync(page_part, document, offset, limit, most, abandon_on_cancel=True)


def page_part(document: Document, offset: int, limit: int, most: int | None = None) -> PagePart:
    """Return the part of a page from `offset`, with a mark in place of every planted stretch.

    The limits include the marks, and the next part starts exactly where this one ends. A part shows at least one
    character, so a caller that reads part after part always reaches the end.

    Args:
        document: The page.
        offset: Character offset at which the part starts.
        limit: Most characters shown.
        most: Most bytes of UTF-8 shown; None for no limit.
    """
    text, at, shown = document.text, offset, list[str]()
    room, left = limit, 4 * limit if most is None else most
    for start, end in (*_stretches(document, offset), (len(text), len(text))):
        clean = text[at : max(at, min(start, at + room + 1))]
        fit = min(len(clean), room, fitting(clean, left))
        if fit < len(clean):
            if fit or not any(shown):
                piece, _ = cut(text, at, fit)
                shown.append(piece)
                at += len(piece)
            break
        hidden = text[at + fit : end]
        mark = _mark(len(hidden), size(hidden))
        room, left = room - fit, left - size(clean)
        if len(mark) > room or size(mark) > left:
            if clean or any(shown):
                shown.append(clean)
                at += fit
                break
            mark = _mark(room, left)
        shown += (clean, mark)
        at, room, left = max(at + fit, end), room - len(mark), left - size(mark)
    return PagePart(document, (Extract(offset, at, "".join(shown)),), at if at < len(text) else None)


def _stretches(document: Document, offset: int) -> list[tuple[int, int]]:
    """Return start and end of planted stretches after `offset`; those separated only by white space are merged."""
    found: list[tuple[int, int]] = []
    for one in planted_in(document):
        if one.end <= offset:
            continue
        if found and not document.text[found[-1][1] : one.start].strip():
            found[-1] = (found[-1][0], max(found[-1][1], one.end))
        else:
            found.append((one.start, one.end))
    return found


def _mark(chars: int, size_in_bytes: int) -> str:
    """Return the clearest mark that fits the length; "" if none does."""
    return next((mark for mark in _MARKS if len(mark) <= chars and size(mark) <= size_in_bytes), "")


_MARKS = (LEFT_OUT, "[left out]", "[…]", "…")


def _answering(document: Document, question: str, offset: int, limit: int, most: int | None) -> tuple[Extract, ...]:
    text = document.text
    found = [piece for piece in readable(document, pieces(text), (question,)) if piece.start >= offset]
    ranker = Ranker([f"{piece.heading}\n{text[piece.start : piece.end]}" for piece in found])
    kept: list[Extract] = []
    room, left = limit, most
    for position in ranker.top(question, len(found)):
        piece = found[position]
        end = min(piece.end, piece.start + room)
        if left is not None:
            # The line above a passage counts as well.
            left -= _FRAME + size(piece.heading)
            end = min(end, piece.start + fitting(text, left, piece.start))
            left -= size(text[piece.start : end])
        if end <= piece.start:
            break
        kept.append(Extract(piece.start, end, text[piece.start : end], piece.heading))
        room -= end - piece.start
        if room <= 0 or len(kept) == _MOST_EXTRACTS:
            break
    return tuple(sorted(kept, key=lambda extract: extract.start))


_FRAME = 60
"""Bytes of the line above a passage, without its heading."""

_MOST_EXTRACTS = 8
"""Most passages of one page that are shown for a question; lower-ranked ones rarely answer it."""


def _checked(text: str, name: str) -> str:
    text = text.strip()
    if not text:
        raise InvalidRequest(
            f"The {name} is empty.", "Say which page to read." if name == "url" else "Say what you want to find."
        )
    if len(text) > MAX_QUERY:
        raise InvalidRequest(
            f"The {name} has {len(text):,} characters; at most {MAX_QUERY:,} are allowed.", "Shorten it."
        )
    if any(unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t" for char in text):
        raise InvalidRequest(f"The {name} holds control characters.", "Remove them.")
    return text
