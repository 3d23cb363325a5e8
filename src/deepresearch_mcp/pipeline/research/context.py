"""What the worker of a sub-question is given: its task in a round, and what all workers of a run share."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import anyio
import anyio.to_thread

from deepresearch_mcp.events import Cautioned, EventSink
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.means import SHELVES
from deepresearch_mcp.pipeline.pages import Pages
from deepresearch_mcp.pipeline.queries import one_language
from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.pipeline.research.judge_queue import JudgeQueue
from deepresearch_mcp.pipeline.research.link_index import MOST as LINKS
from deepresearch_mcp.pipeline.research.link_index import LinkIndex
from deepresearch_mcp.pipeline.research.passage_index import PassageIndex
from deepresearch_mcp.pipeline.research.passages_shown import PassagesShown
from deepresearch_mcp.pipeline.research.private_words import PrivateWords, is_private, public_links
from deepresearch_mcp.pipeline.research.reading_room import ReadingRoom
from deepresearch_mcp.pipeline.research.remnants import Remnants
from deepresearch_mcp.pipeline.research.searcher import Batch, Engines
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.work import Elsewhere
from deepresearch_mcp.records.plan import Brief, Hypothesis, SubQuestion
from deepresearch_mcp.records.sources import Document, Link, Query, Stretch
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker

_KEPT_HOME = (
    "Queries with words that only your collections have were put to the collections alone, and links in them were not "
    "opened. To let the web be asked too, set research.library_to_web = true."
)


@dataclass(frozen=True, slots=True)
class SubQuestionTask:
    """What a worker is to do in one round."""

    sub_question: SubQuestion
    round: int
    queries: tuple[str, ...]
    leads: int
    """Leads that it may follow at once: its share of the queries that the plan left unused."""
    needs: tuple[str, ...] = ()
    """Steps that its queries come from."""
    towards: frozenset[str] = frozenset()
    """The queries that are leads of an earlier round."""
    urls: tuple[str, ...] = ()
    """Pages that the question names. They are read first."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """What the planner expects of the sub-question: their queries are among `queries`, as far as there was room."""
    linked: tuple[str, ...] = ()
    """Queries asked before: pages that were read since may link to what no engine returned for them."""
    pages: Mapping[str, int] = field(default_factory=dict[str, int])
    """New pages of each query, by `query_key`, and of each lead, by ""; what is not named has those of the context."""


@dataclass(frozen=True, slots=True)
class ResearchContext:
    """The open parts that every worker of a run shares."""

    brief: Brief
    thinker: Thinker
    engines: Engines
    pages: Pages
    frontier: Frontier
    journal: Journal
    clock: Clock
    emit: EventSink
    settings: ResearchSettings
    pages_per_query: int
    grader: Grader
    room: ReadingRoom
    judging: JudgeQueue = field(default_factory=JudgeQueue)
    """The claims of all readings that wait for a judge."""
    index: PassageIndex = field(default_factory=PassageIndex)
    """The pages of the run, cut and counted for ranking."""
    links: LinkIndex = field(default_factory=LinkIndex)
    """The links of these pages."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """All that are open: a reader is told of those that its passages speak of."""
    shown: PassagesShown = field(default_factory=PassagesShown)
    """What readers were shown of the pages, for any sub-question or spot."""
    shown_for: dict[tuple[str, str], set[Stretch]] = field(default_factory=dict[tuple[str, str], set[Stretch]])
    """The same by sub-question and the words that were read for: no reader is asked the same twice."""
    choosing: anyio.Lock = field(default_factory=anyio.Lock)
    """Held while passages are chosen, so that two sub-questions do not choose the same ones."""
    elsewhere: Elsewhere = nullcontext
    """Wraps work before a reading that is neither a search nor a fetch."""
    remnants: Remnants | None = None
    """Passages that wait for the end of the round; None where each choice is read at once."""
    planned: Callable[[], Awaitable[Brief]] | None = None
    """Waits until the plan is made and gives the brief with its points; None where the brief has them already."""
    without: frozenset[str] = frozenset()
    """Engines that are not asked, because the money that is left does not pay for them."""
    by_rule: Thinker | None = None
    """Reads without cost what a ceiling keeps the thinker from reading."""
    private: PrivateWords | None = None
    """Keeps the words of collections from the web; None where there is no web or the user lets them go there."""

    def narrowed(self, pages: int, without: Collection[str]) -> "ResearchContext":
        """The context of a round near a ceiling: fewer pages of each query (0: as many), and some engines not asked."""
        most = min(pages, self.pages_per_query) if pages else self.pages_per_query
        return replace(self, pages_per_query=most, without=frozenset(without))

    async def groups(self, query: str, needs: tuple[str, ...]) -> list[list[SearchEngine]]:
        """Groups of engines that a query is put to; one with private words goes to collections and stored pages alone.

        Recorded, since it depends on which pages were in.
        """
        groups = self.engines.groups(query, self.without)
        if self.private is None:
            return groups
        step = steps.private(query, needs)
        if await self.journal.step(step, lambda: self._private_words(query), kind="decision", result=str):
            self.emit(Cautioned(_KEPT_HOME))
            return [group for group in groups if all(engine.name in SHELVES for engine in group)]
        return groups

    async def _private_words(self, query: str) -> str:
        documents = list(self.pages.documents.values())
        if self.private is None:
            return ""
        return await anyio.to_thread.run_sync(self.private.in_query, query, documents, abandon_on_cancel=True)

    def links_of(self, documents: Mapping[str, Document]) -> list[Link]:
        """The links of some pages that leads may follow."""
        if self.private:
            return public_links(documents.values())
        return [link for document in documents.values() for link in document.links]

    def query(self, text: str) -> Query:
        """A query within the limits of the request; where that names languages of sources, engines are told its own."""
        asked, filters = self.brief.request, self.brief.filters
        if asked.source_languages:
            # Without them it is the report's.
            filters = filters.model_copy(update={"language": one_language(text, asked.source_languages)})
        return Query(text, filters, asked.collections, asked.where)

    def links_to(self, text: str, needs: tuple[str, ...]) -> Batch:
        """The best page that those read so far link to in the words of a query that was asked before."""
        return self.linked(self.query(text), (), needs, 1)

    def linked(self, query: Query, engines: Sequence[SearchEngine], needs: tuple[str, ...], most: int = LINKS) -> Batch:
        """Pages that those read so far link to in the words of a query, best first; its engines name the step."""
        pages = [page for page in self.pages.documents.values() if not (self.private and is_private(page))]
        hits = self.links.best(query.text, pages, most)
        asked = steps.query_id(query, [engine.name for engine in engines] or ["links"])
        return Batch(steps.admitted(asked, "links"), tuple(hits), needs)

    def note(self, findings: Findings) -> None:
        """Write into the findings what engines and pages have come to so far, and which ceilings were met."""
        engines, pages, frontier = self.engines, self.pages, self.frontier
        findings.documents = pages.documents
        findings.unread = [*pages.unread, *frontier.refused.values(), *frontier.crowded_out.values()]
        findings.failures, findings.returned = tuple(engines.failures), frontier.returned
        findings.searched = tuple(engines.searched)
        findings.engines = {
            name: {"asked": asked, "answered": engines.answered.get(name, 0)} for name, asked in engines.asked.items()
        }
        for state in findings.states.values():
            findings.use_up(state.spent)
