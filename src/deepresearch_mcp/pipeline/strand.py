"""One strand: a sub-question from its queries to verified claims, without waiting for any other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.events import Claimed, Degraded, Tell, Verified
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.frontier import Frontier
from deepresearch_mcp.pipeline.pages import Page, Pages
from deepresearch_mcp.pipeline.reader import Finding, batches, chosen_passages, read
from deepresearch_mcp.pipeline.searcher import Batch, Engines, is_query
from deepresearch_mcp.pipeline.verifier import KEPT, verify
from deepresearch_mcp.pipeline.waiting import News, at_most
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import At, Journal
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.evidence import Claim, Lead
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Document, Hit, Link, Passage, Query
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
    """Pages that were not read when a round ended, most of them still loading."""
    sources: set[str] = field(default_factory=set[str])
    """What was read for it: an address that leads to the same page is not read again."""
    leads: list[str] = field(default_factory=list[str])
    """Queries that pages pointed to and nobody has followed yet."""
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
        self._followed: set[Lead] = set()
        self._patient_until = 0.0

    async def run(self) -> None:
        """Search, read and verify until nothing more can come; what is verified lies in `gathered` at once.

        A ceiling ends the strand, not the run: `gathered.spent` names it.
        """
        async with anyio.create_task_group() as tasks:
            for page in self._wanted:
                tasks.start_soon(self._watch, page)
            for query in self._task.queries:
                if self._desk.engines.claim(query):
                    self._search(query, self._task.needs, tasks)
            await self._read_batches(tasks)
        self._gathered.late = [page for page in self._wanted if page.address not in self._taken]

    def _search(self, query: str, needs: tuple[str, ...], tasks: TaskGroup) -> None:
        for engines in self._desk.engines.groups:
            self._searching += 1
            tasks.start_soon(self._find, query, needs, engines, tasks)

    async def _find(self, text: str, needs: tuple[str, ...], engines: Sequence[SearchEngine], tasks: TaskGroup) -> None:
        request = self._desk.brief.request
        query = Query(text, request.filters, request.collections)
        send, receive = anyio.create_memory_object_stream[Batch](len(engines))
        waiting, room = 1, self._desk.pages_per_query
        try:
            async with receive, anyio.create_task_group() as group:
                group.start_soon(self._ask, query, needs, engines, send)
                async for batch in receive:
                    room -= await self._admit(batch, room, tasks)
                    # Engines that are later than the first batch are not waited for.
                    self._searching -= waiting
                    waiting = 0
                    self._news.tell()
        finally:
            self._searching -= waiting
            self._news.tell()

    async def _ask(
        self,
        query: Query,
        needs: tuple[str, ...],
        engines: Sequence[SearchEngine],
        send: MemoryObjectSendStream[Batch],
    ) -> None:
        async with send:
            try:
                await self._desk.engines.ask(query, self._task.sub_question.id, needs, send, engines)
            except BudgetExceeded as error:
                self._gathered.spent = error.kind

    async def _admit(self, batch: Batch, room: int, tasks: TaskGroup) -> int:
        """Want the batch's best pages, at most `room`; how many they are."""

        async def choose() -> list[Hit]:
            return self._desk.frontier.choose(batch.hits, room, self._task.sub_question.id)

        # Here too: after a crash nobody chooses, and leads must know the same hits.
        self._desk.frontier.notice(batch.hits)
        at = At(f"{batch.key}/{self._task.sub_question.id}", batch.needs)
        chosen = await self._desk.journal.step(at, choose, kind="decision", result=list[Hit])
        for hit in chosen:
            self._want(hit.url, batch.needs, tasks)
        return len(chosen)

    def _want(self, url: str, needs: tuple[str, ...], tasks: TaskGroup) -> None:
        self._desk.frontier.restore([url], self._task.sub_question.id)
        page = self._desk.pages.want(url, self._task.sub_question.id, needs)
        self._wanted.append(page)
        self._patient_until = self._desk.clock.monotonic() + self._desk.settings.patience
        tasks.start_soon(self._watch, page)

    async def _watch(self, page: Page) -> None:
        await page.done.wait()
        self._news.tell()

    async def _read_batches(self, tasks: TaskGroup) -> None:
        """Read what is in, then what came late: reading begins with the fastest pages, and a slow one delays nobody."""
        async with anyio.create_task_group() as readers:
            for number in count(1):
                at = At(f"batch/{self._task.sub_question.id}/{self._task.round}/{number}")
                look = self._first if number == 1 else self._rest
                urls = await self._desk.journal.step(at, look, kind="decision", result=list[str])
                if not urls:
                    break
                # After a crash the addresses are the recorded ones: these very pages are waited for.
                await self._news.until(lambda urls=urls: set(self._ready()) >= set(urls) or self._quiet())
                self._taken.update(urls)
                if number == 1:
                    self._patient_until = self._desk.clock.monotonic() + self._desk.settings.patience
                self._reading += 1
                readers.start_soon(self._read, [page for page in self._wanted if page.address in urls], tasks)
            # Whoever still watches a slow page is not waited for.
            await self._news.until(lambda: not self._reading)
        tasks.cancel_scope.cancel()

    def _ready(self) -> list[str]:
        return [page.address for page in self._wanted if page.done.is_set() and page.address not in self._taken]

    def _quiet(self) -> bool:
        """Nothing can come any more."""
        return not self._busy() and all(page.done.is_set() for page in self._wanted)

    def _busy(self) -> bool:
        return self._searching + self._reading > 0

    async def _first(self) -> list[str]:
        """The fastest third of the pages, or what is there a second after the first."""
        settings = self._desk.settings

        def readable() -> int:
            # Pages that could not be read come fast, and there is nothing in them to begin with.
            return sum(page.document is not None for page in self._wanted)

        def enough() -> bool:
            return self._quiet() or readable() >= max(1, math.ceil(len(self._wanted) * settings.first_pages))

        await self._news.until(lambda: readable() > 0 or self._quiet())
        await at_most(self._desk.clock, settings.first_wait, lambda: self._news.until(enough))
        return self._ready()

    async def _rest(self) -> list[str]:
        """What comes late, a second's worth at a time, as far as patience goes; an empty list ends the strand."""
        clock, wait = self._desk.clock, self._desk.settings.first_wait

        def any_or_none() -> bool:
            return bool(self._ready()) or self._quiet()

        def complete() -> bool:
            return not self._searching and all(page.done.is_set() for page in self._wanted)

        while not any_or_none():
            # Looked at anew each time: a page that is wanted meanwhile is waited for as long.
            if (left := self._patient_until - clock.monotonic()) > 0:
                await at_most(clock, left, lambda: self._news.until(any_or_none))
            elif self._busy():
                # Patience is for pages: searches and readers, who may bring leads, are bounded by themselves.
                await self._news.until(lambda: any_or_none() or not self._busy())
            else:
                break
        if self._ready():
            await at_most(clock, wait, lambda: self._news.until(complete))
        return self._ready()

    async def _read(self, pages: Sequence[Page], tasks: TaskGroup) -> None:
        known, sizes = self._gathered.sources, self._desk.settings
        documents = {d.source_id: d for page in pages if (d := page.document) and d.source_id not in known}
        keys = {page.document.source_id: page.key for page in pages if page.document}
        known.update(documents)
        own = list(documents.values())
        passages = await chosen_passages(self._task.sub_question, own, sizes.passage_chars, sizes.passages_per_page)
        try:
            async with anyio.create_task_group() as group:
                for batch in batches(passages, sizes.batch_chars):
                    needs = tuple(dict.fromkeys(keys[passage.source_id] for passage in batch))
                    group.start_soon(self._read_one, batch, documents, needs, tasks)
        finally:
            self._reading -= 1
            self._news.tell()

    async def _read_one(
        self, batch: Sequence[Passage], documents: dict[str, Document], needs: tuple[str, ...], tasks: TaskGroup
    ) -> None:
        desk, part, limit = self._desk, self._task.sub_question, self._desk.settings.claims_per_batch
        try:
            finding = await read(desk.brief, part, batch, documents, desk.thinker, limit, needs)
        except KeyRefused:
            raise
        except BudgetExceeded as error:
            # Passed on it would cancel the batches that are being paid for.
            self._gathered.spent = error.kind
            return
        except ProviderError as error:
            desk.tell(Degraded(f"{len(batch)} passages for {part.id} were not read: {error.message}"))
            return
        desk.tell(Claimed(part.id, len(finding.claims), finding.unlocated))
        await self._follow(finding, documents, tasks)
        if finding.claims:
            at = At(finding.key.replace("read/", "verify/", 1), (finding.key,))
            claims = await verify(desk.brief, finding.claims, documents, desk.thinker, at)
            kept = [claim for claim in claims if claim.verdict in KEPT]
            self._gathered.claims += kept
            self._gathered.refused += [claim for claim in claims if claim.verdict not in KEPT]
            self._gathered.steps.append(at.key)
            desk.tell(Verified(part.id, len(kept), len(claims) - len(kept)))

    async def _follow(self, finding: Finding, documents: dict[str, Document], tasks: TaskGroup) -> None:
        """Go after what the pages point to, as far as the share goes: so chains of facts are found.

        What goes beyond it is kept for the next round.
        """
        self._gathered.leads += [lead.query for lead in finding.leads if lead.query]
        if not finding.leads or not self._task.leads:
            return
        links = [link for document in documents.values() for link in document.links]

        async def choose() -> list[Lead]:
            return [one for lead in finding.leads if (one := self._claim(lead, links))]

        at = At(finding.key.replace("read/", "follow/", 1), (finding.key,))
        for lead in await self._desk.journal.step(at, choose, kind="decision", result=list[Lead]):
            # After a crash the leads are the recorded ones, and nobody has claimed them in this life.
            claimed = lead in self._followed
            self._followed.add(lead)
            if lead.url:
                self._want(lead.url, (finding.key,), tasks)
            elif self._desk.engines.claim(lead.query) or claimed:
                self._search(lead.query, (finding.key,), tasks)

    def _claim(self, lead: Lead, links: Sequence[Link]) -> Lead | None:
        """What of a lead is followed; it counts at once, as others may be reading at the same time."""
        desk, query = self._desk, " ".join(lead.query.split())[:300]
        if len(self._followed) >= self._task.leads:
            return None
        if lead.url and desk.frontier.may_follow(lead.url, links):
            one = Lead(url=desk.frontier.as_known(lead.url, links))
            desk.frontier.restore([one.url], self._task.sub_question.id)
        elif is_query(query) and desk.engines.claim(query):
            one = Lead(query=query)
        else:
            return None
        self._followed.add(one)
        return one
