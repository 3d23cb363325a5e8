"""One strand: a sub-question from its queries to verified claims, without waiting for any other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.events import Claimed, Degraded, Tell, Verified
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.frontier import Frontier
from deepresearch_mcp.pipeline.pages import Page, Pages
from deepresearch_mcp.pipeline.reader import Finding, batches, choose_passages, read
from deepresearch_mcp.pipeline.searcher import Batch, Engines
from deepresearch_mcp.pipeline.verifier import KEPT, verify
from deepresearch_mcp.pipeline.waiting import News, at_most, leaf
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import At, Journal
from deepresearch_mcp.records.evidence import Claim, Lead
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Document, Hit, Passage, Query
from deepresearch_mcp.settings import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker


@dataclass(frozen=True, slots=True)
class Task:
    """What a strand is to do in one round."""

    sub_question: SubQuestion
    round: int
    queries: tuple[str, ...]
    leads: int
    """Leads it may follow at once: its share of the round's queries that the plan left unused."""
    needs: tuple[str, ...] = ()
    """Steps that its queries come from."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The open parts that every strand of a run works with."""

    brief: Brief
    thinker: Thinker
    engines: Engines
    pages: Pages
    frontier: Frontier
    journal: Journal
    clock: Clock
    tell: Tell
    settings: ResearchSettings
    pages_per_query: int


@dataclass(slots=True)
class Gathered:
    """What the strands of one sub-question have brought in; grows while they work."""

    claims: list[Claim] = field(default_factory=list[Claim])
    refused: list[Claim] = field(default_factory=list[Claim])
    steps: list[str] = field(default_factory=list[str])
    """Keys of the verifications, for whoever needs the claims."""
    late: list[Page] = field(default_factory=list[Page])
    """Pages that were still loading when a round ended."""
    spent: str = ""
    """The ceiling that stopped it, if one did."""


class Strand:
    """One round of one sub-question."""

    def __init__(self, task: Task, desk: Desk, gathered: Gathered) -> None:
        self._task = task
        self._desk = desk
        self._gathered = gathered
        self._news = News()
        self._wanted: list[Page] = list(gathered.late)
        self._taken: set[str] = set()
        self._searching = 0
        self._reading = 0
        self._leads = task.leads

    async def run(self) -> None:
        """Search, read and verify until nothing more can come; what is verified lies in `gathered` at once.

        A ceiling ends the strand, not the run: `gathered.spent` names it.
        """
        async with anyio.create_task_group() as tasks:
            for page in self._wanted:
                tasks.start_soon(self._watch, page)
            for query in self._task.queries:
                self._search(query, self._task.needs, tasks)
            await self._read_batches(tasks)
        self._gathered.late = [page for page in self._wanted if page.url not in self._taken and not page.done.is_set()]

    def _search(self, query: str, needs: tuple[str, ...], tasks: TaskGroup) -> None:
        if not self._desk.engines.new(query):
            return
        self._searching += 1
        tasks.start_soon(self._find, query, needs, tasks)

    async def _find(self, text: str, needs: tuple[str, ...], tasks: TaskGroup) -> None:
        request = self._desk.brief.request
        query = Query(text, request.filters, request.collections)
        send, receive = anyio.create_memory_object_stream[Batch](2)
        waiting = 1
        try:
            async with receive, anyio.create_task_group() as group:
                group.start_soon(self._ask, query, needs, send)
                async for batch in receive:
                    await self._admit(batch, tasks)
                    # Engines that are later than the first batch are not waited for.
                    self._searching -= waiting
                    waiting = 0
                    self._news.tell()
        finally:
            self._searching -= waiting
            self._news.tell()

    async def _ask(self, query: Query, needs: tuple[str, ...], send: MemoryObjectSendStream[Batch]) -> None:
        async with send:
            try:
                await self._desk.engines.ask(query, self._task.sub_question.id, needs, send)
            except* BudgetExceeded as group:
                self._gathered.spent = leaf(group).kind

    async def _admit(self, batch: Batch, tasks: TaskGroup) -> None:
        async def choose() -> list[Hit]:
            return self._desk.frontier.choose(batch.hits, self._desk.pages_per_query, self._task.sub_question.id)

        at = At(f"{batch.key}/{self._task.sub_question.id}", batch.needs)
        chosen = await self._desk.journal.step(at, choose, kind="decision", result=list[Hit])
        self._desk.frontier.restore((hit.url for hit in chosen), self._task.sub_question.id)
        for hit in chosen:
            self._want(hit.url, batch.needs, tasks)

    def _want(self, url: str, needs: tuple[str, ...], tasks: TaskGroup) -> None:
        page = self._desk.pages.want(url, self._task.sub_question.id, needs)
        self._wanted.append(page)
        tasks.start_soon(self._watch, page)

    async def _watch(self, page: Page) -> None:
        await page.done.wait()
        self._news.tell()

    async def _read_batches(self, tasks: TaskGroup) -> None:
        """Read what is in, then what came late: reading begins with the fastest pages, and a slow one delays nobody."""
        number = 0
        async with anyio.create_task_group() as readers:
            while True:
                number += 1
                at = At(f"batch/{self._task.sub_question.id}/{self._task.round}/{number}")
                urls = await self._desk.journal.step(
                    at, self._first if number == 1 else self._rest, kind="decision", result=list[str]
                )
                if not urls:
                    break
                await self._news.until(lambda urls=urls: {p.url for p in self._wanted if p.done.is_set()} >= set(urls))
                self._taken.update(urls)
                documents = {p.url: p for p in self._wanted if p.url in urls}
                self._reading += 1
                readers.start_soon(self._read, list(documents.values()), tasks)
            # Whoever still watches a slow page is not waited for.
            await self._news.until(lambda: not self._reading)
        tasks.cancel_scope.cancel()

    def _ready(self) -> list[str]:
        return [page.url for page in self._wanted if page.done.is_set() and page.url not in self._taken]

    def _quiet(self) -> bool:
        """Nothing can come any more."""
        loading = any(not page.done.is_set() for page in self._wanted)
        return not self._searching and not self._reading and not loading

    async def _first(self) -> list[str]:
        """The fastest third of the pages, or what is there a second after the first."""
        settings = self._desk.settings
        await self._news.until(lambda: bool(self._ready()) or self._quiet())

        def enough() -> bool:
            return self._quiet() or len(self._ready()) >= max(1, math.ceil(len(self._wanted) * settings.first_pages))

        await at_most(self._desk.clock, settings.first_wait, lambda: self._news.until(enough))
        return self._ready()

    async def _rest(self) -> list[str]:
        """What comes late, a second's worth at a time, as far as patience goes; an empty list ends the strand."""
        clock, settings = self._desk.clock, self._desk.settings

        def any_or_none() -> bool:
            return bool(self._ready()) or self._quiet()

        def complete() -> bool:
            return not self._searching and all(page.done.is_set() for page in self._wanted)

        await at_most(clock, settings.patience, lambda: self._news.until(any_or_none))
        # Patience is for pages: searches and readers, who may bring leads, are bounded by themselves.
        await self._news.until(lambda: bool(self._ready()) or not (self._searching or self._reading))
        if self._ready():
            await at_most(clock, settings.first_wait, lambda: self._news.until(complete))
        return self._ready()

    async def _read(self, pages: Sequence[Page], tasks: TaskGroup) -> None:
        documents = {page.document.source_id: page.document for page in pages if page.document}
        keys = {page.document.source_id: page.key for page in pages if page.document}
        settings = self._desk.settings
        passages = choose_passages(
            self._task.sub_question, list(documents.values()), settings.passage_chars, settings.passages_per_page
        )
        try:
            async with anyio.create_task_group() as group:
                for batch in batches(passages, settings.batch_chars):
                    needs = tuple(dict.fromkeys(keys[passage.source_id] for passage in batch))
                    group.start_soon(self._read_one, batch, documents, needs, tasks)
        except* BudgetExceeded as group:
            self._gathered.spent = leaf(group).kind
        finally:
            self._reading -= 1
            self._news.tell()

    async def _read_one(
        self, batch: Sequence[Passage], documents: dict[str, Document], needs: tuple[str, ...], tasks: TaskGroup
    ) -> None:
        desk, part = self._desk, self._task.sub_question
        try:
            limit = desk.settings.claims_per_batch
            finding = await read(desk.brief, part, batch, documents, desk.thinker, limit, needs)
        except KeyRefused:
            raise
        except ProviderError as error:
            desk.tell(Degraded(f"{len(batch)} passages for {part.id} were not read: {error.message}"))
            return
        desk.tell(Claimed(part.id, len(finding.claims), finding.unlocated))
        self._follow(finding, documents, tasks)
        if finding.claims:
            at = At(finding.key.replace("read/", "verify/", 1), (finding.key,))
            claims = await verify(desk.brief, finding.claims, documents, desk.thinker, at)
            kept = [claim for claim in claims if claim.verdict in KEPT]
            self._gathered.claims += kept
            self._gathered.refused += [claim for claim in claims if claim.verdict not in KEPT]
            self._gathered.steps.append(at.key)
            desk.tell(Verified(part.id, len(kept), len(claims) - len(kept)))

    def _follow(self, finding: Finding, documents: dict[str, Document], tasks: TaskGroup) -> None:
        """Go after what the pages point to, as far as the share goes: so chains of facts are found."""
        for lead in finding.leads:
            if self._leads > 0 and self._follow_one(lead, finding.key, documents, tasks):
                self._leads -= 1

    def _follow_one(self, lead: Lead, key: str, documents: dict[str, Document], tasks: TaskGroup) -> bool:
        links = [link for document in documents.values() for link in document.links]
        if lead.url and self._desk.frontier.may_follow(lead.url, links):
            self._desk.frontier.restore([lead.url], self._task.sub_question.id)
            self._want(lead.url, (key,), tasks)
            return True
        if len(lead.query.split()) < 2 or not self._desk.engines.new(lead.query):
            return False
        self._search(lead.query, (key,), tasks)
        return True
