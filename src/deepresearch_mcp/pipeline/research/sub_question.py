"""One sub-question in one round, from its queries to verified claims; it waits for no other sub-question."""

import math
from collections.abc import Mapping, Sequence
from itertools import count

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.pages import WantedPage
from deepresearch_mcp.pipeline.queries import is_query, query_key
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.link_index import MOST as LINKS
from deepresearch_mcp.pipeline.research.page_batches import PageBatches
from deepresearch_mcp.pipeline.research.reader import BatchReading
from deepresearch_mcp.pipeline.research.searcher import Batch
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.pipeline.sub_question_state import PLANNED, SubQuestionState, Wanted, Words
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.evidence import Lead
from deepresearch_mcp.records.sources import Document, Hit, Link, Query

_LEADS_TO = 2
"""How many of the best hits of a lead are read again; of a query of a later round only the first is."""


class SubQuestionWorker:
    """One round of one sub-question."""

    def __init__(self, task: SubQuestionTask, context: ResearchContext, state: SubQuestionState) -> None:
        self._task = task
        self._context = context
        self._state = state
        self._news = Signal()
        self._wanted: list[Wanted] = list(state.late)
        self._taken: set[str] = set()
        self._searching = 0
        self._reading = 0
        self._choosing: set[int] = set()
        """The batches whose passages are not all chosen yet, by number."""
        self._asking = 0
        """Searches of the queries that the task came with, and of no lead of a reading."""
        self._led: set[str] = set()
        """Queries and pages that readings have led to in this round."""
        self._followed: set[Lead] = set()
        self._patient_until = 0.0
        self._batches = PageBatches(task, context, state)

    async def run(self) -> None:
        """Search, read and verify until nothing more can come. Verified claims go into the state at once.

        A ceiling ends this worker and not the run; `spent` in the state names it.
        """
        self._state.asked = True
        async with anyio.create_task_group() as tasks:
            for wanted in self._wanted:
                tasks.start_soon(self._watch, wanted.page)
            for url in self._task.urls:
                self._want(url, self._task.needs, tasks)
            for query in self._task.queries:
                if self._context.engines.claim(query):
                    self._state.tried.append(query)
                    await self._search(query, self._task.needs, tasks, lead=query in self._task.towards)
            await self._follow_links(tasks)
            tasks.start_soon(self._announce)
            await self._read_batches(tasks)
        self._state.late = [wanted for wanted in self._wanted if wanted.key not in self._taken]

    async def _search(self, query: str, needs: tuple[str, ...], tasks: TaskGroup, *, lead: bool) -> None:
        # A query of a later round may find its answer further down on a page that was read already.
        words = Words(query, lead) if lead or self._task.round > 1 else PLANNED
        for engines in await self._context.groups(query, needs):
            self._searching += 1
            self._asking += query not in self._led
            tasks.start_soon(self._find, query, needs, engines, tasks, words)

    async def _find(
        self, text: str, needs: tuple[str, ...], engines: Sequence[SearchEngine], tasks: TaskGroup, words: Words
    ) -> None:
        brief = self._context.brief
        query = Query(text, brief.filters, brief.request.collections, brief.request.where)
        send, receive = anyio.create_memory_object_stream[Batch](len(engines))
        pages, most = self._task.pages, self._context.pages_per_query
        waiting, room = 1, min(most, pages.get(query_key(text), pages.get("", most)))
        try:
            if words.query:
                await self._admit(self._context.linked(query, engines, needs), LINKS, tasks, words)
            async with receive, anyio.create_task_group() as group:
                group.start_soon(self._ask, query, needs, engines, send)
                async for batch in receive:
                    room -= await self._admit(batch, room, tasks, words)
                    # The worker does not wait for engines that are slower than the first batch.
                    self._answered(text, waiting)
                    waiting = 0
        finally:
            self._answered(text, waiting)

    async def _follow_links(self, tasks: TaskGroup) -> None:
        """Want the best page that those read so far link to in the words of each query that was asked before."""
        brief, needs = self._context.brief, self._task.needs
        for text in self._task.linked:
            query = Query(text, brief.filters, brief.request.collections, brief.request.where)
            await self._admit(self._context.linked(query, (), needs, 1), 1, tasks, Words(text, lead=False))

    def _answered(self, query: str, searches: int) -> None:
        self._searching -= searches
        self._asking -= searches if query not in self._led else 0
        self._news.notify()

    async def _ask(
        self,
        query: Query,
        needs: tuple[str, ...],
        engines: Sequence[SearchEngine],
        send: MemoryObjectSendStream[Batch],
    ) -> None:
        async with send:
            try:
                await self._context.engines.ask(query, self._task.sub_question.id, needs, send, engines)
            except BudgetExceeded as error:
                self._state.spent = error.kind

    async def _admit(self, batch: Batch, room: int, tasks: TaskGroup, words: Words) -> int:
        """Want the best pages of a batch of hits, at most `room` new ones; returns how many of them are new."""
        frontier, reader = self._context.frontier, f"{self._task.sub_question.id} {words.query}".strip()

        async def choose() -> list[Hit]:
            # A page that says nothing about the sub-question may answer the words of a lead.
            again = frontier.again(batch.hits, reader, _LEADS_TO if words.lead else 1) if words.query else []
            return [*again, *frontier.choose(batch.hits, room, reader, later=bool(words.query))]

        # Not within `choose`, which a resumed run does not call: its leads must know the same hits.
        frontier.notice(batch.hits)
        frontier.place(batch.key, batch.hits[: self._context.pages_per_query])
        step = steps.admit(batch.key, self._task.sub_question.id, batch.needs)
        chosen = await self._context.journal.step(step, choose, kind="decision", result=list[Hit])
        new = sum(not self._context.pages.has(hit.url) for hit in chosen)
        for hit in chosen:
            self._want(hit.url, batch.needs, tasks, words)
        frontier.pass_over(batch.hits)
        return new

    def _want(self, url: str, needs: tuple[str, ...], tasks: TaskGroup, words: Words = PLANNED) -> str:
        """The address of the page, which is to be read with these words."""
        self._context.frontier.restore([url], self._task.sub_question.id)
        page = self._context.pages.want(url, self._task.sub_question.id, needs)
        self._wanted.append(Wanted(page, words))
        self._patient_until = self._context.clock.monotonic() + self._context.settings.patience
        tasks.start_soon(self._watch, page)
        return page.address

    async def _watch(self, page: WantedPage) -> None:
        await page.done.wait()
        self._news.notify()

    async def _read_batches(self, tasks: TaskGroup) -> None:
        """Read the pages in batches, the fastest first, so that a slow page delays no other."""
        if self._task.urls:
            # Pages that the question names come before any answer of an engine; with dead engines no model may be paid.
            await self._news.wait_until(lambda: self._context.engines.alive or not self._searching)
        async with anyio.create_task_group() as readers:
            for number in count(1):
                step = steps.batch(self._task.sub_question.id, self._task.round, number)
                look = self._first if number == 1 else self._rest
                urls = await self._context.journal.step(step, look, kind="decision", result=list[str])
                if not urls:
                    break
                # After a crash the addresses are the recorded ones, and the worker waits for exactly these pages.
                await self._news.wait_until(lambda urls=urls: set(self._ready()) >= set(urls) or self._quiet())
                self._taken.update(urls)
                if number == 1:
                    self._patient_until = self._context.clock.monotonic() + self._context.settings.patience
                self._reading += 1
                self._choosing.add(number)
                # In the recorded order: after a crash searches may answer in another, and the call must be the same.
                wanted = {one.key: one for one in reversed(self._wanted)}
                chosen = [wanted[key] for key in urls if key in wanted]
                readers.start_soon(self._read, number, chosen, tasks)
            # Tasks that still watch a slow page are cancelled.
            await self._news.wait_until(lambda: not self._reading)
        tasks.cancel_scope.cancel()

    async def _announce(self) -> None:
        """Say once all passages of the pages are chosen that the task's own queries brought, slow pages left out."""
        clock = self._context.clock
        if (remnants := self._context.remnants) is None:
            return

        def chosen() -> bool:
            return not (self._asking or self._choosing or self._ready())

        def loading() -> bool:
            own = (one for one in self._wanted if not {one.page.address, one.words.query} & self._led)
            return any(not one.page.done.is_set() for one in own)

        while True:
            await self._news.wait_until(chosen)
            if not loading() or (left := self._patient_until - clock.monotonic()) <= 0:
                break
            await at_most(clock, left, lambda: self._news.wait_until(lambda: not chosen() or not loading()))
        remnants.over(self._task.sub_question.id)

    def _ready(self) -> list[str]:
        found = [wanted.key for wanted in self._wanted if wanted.page.done.is_set() and wanted.key not in self._taken]
        return list(dict.fromkeys(found))

    def _quiet(self) -> bool:
        """Whether nothing more can come."""
        return not self._busy() and all(wanted.page.done.is_set() for wanted in self._wanted)

    def _busy(self) -> bool:
        return self._searching + self._reading > 0

    async def _first(self) -> list[str]:
        """Most of the pages, or those that are in some seconds after the first: see the settings."""
        settings = self._context.settings

        def readable() -> int:
            # Pages that cannot be read fail fast, and give nothing to read.
            return sum(wanted.page.document is not None for wanted in self._wanted)

        def enough() -> bool:
            return self._quiet() or readable() >= max(1, math.ceil(len(self._wanted) * settings.first_pages))

        await self._news.wait_until(lambda: readable() > 0 or self._quiet())
        await at_most(self._context.clock, settings.first_wait, lambda: self._news.wait_until(enough))
        return self._ready()

    async def _rest(self) -> list[str]:
        """Late pages, a second's worth at a time, until patience ends. An empty list ends the worker."""
        clock, wait = self._context.clock, self._context.settings.first_wait

        def any_or_none() -> bool:
            return bool(self._ready()) or self._quiet()

        def complete() -> bool:
            return not self._searching and all(wanted.page.done.is_set() for wanted in self._wanted)

        while not any_or_none():
            # Computed anew each time: patience starts again with each page that is wanted.
            if (left := self._patient_until - clock.monotonic()) > 0:
                await at_most(clock, left, lambda: self._news.wait_until(any_or_none))
            elif self._busy():
                # Patience limits pages only. Searches and readings have limits of their own, and may bring leads.
                await self._news.wait_until(lambda: any_or_none() or not self._busy())
            else:
                break
        if self._ready():
            await at_most(clock, wait, lambda: self._news.wait_until(complete))
        return self._ready()

    async def _read(self, number: int, wanted: Sequence[Wanted], tasks: TaskGroup) -> None:
        async def follow(found: BatchReading, documents: Mapping[str, Document]) -> None:
            await self._follow(found, documents, tasks)

        loading = {one.key: one for one in self._wanted if not one.page.done.is_set()}

        def chosen_all() -> None:
            self._choosing.discard(number)
            self._news.notify()

        try:
            await self._batches.read(number, wanted, follow, [one.words for one in loading.values()], chosen_all)
        finally:
            self._reading -= 1
            chosen_all()

    async def _follow(self, finding: BatchReading, documents: Mapping[str, Document], tasks: TaskGroup) -> None:
        """Follow the leads of a reading, as many as the task may: so chains of facts are found.

        The others are kept for the next round.
        """
        self._state.leads += [lead.query for lead in finding.leads if lead.query]
        if not finding.leads or not self._task.leads:
            return
        links = self._context.links_of(documents)

        async def choose() -> list[Lead]:
            return [one for lead in finding.leads if (one := self._claim(lead, links))]

        step = steps.follow(finding.key)
        for lead in await self._context.journal.step(step, choose, kind="decision", result=list[Lead]):
            # In a resumed run the leads come from the journal and are not claimed yet.
            claimed = lead in self._followed
            self._followed.add(lead)
            if lead.url:
                self._led.add(self._want(lead.url, (finding.key,), tasks))
            elif self._context.engines.claim(lead.query) or claimed:
                self._led.add(lead.query)
                await self._search(lead.query, (finding.key,), tasks, lead=True)

    def _claim(self, lead: Lead, links: Sequence[Link]) -> Lead | None:
        """The part of a lead that is followed. It counts at once, since other readings run at the same time."""
        context, query = self._context, " ".join(lead.query.split())[:300]
        if len(self._followed) >= self._task.leads:
            return None
        if lead.url and context.frontier.may_follow(lead.url, links):
            one = Lead(url=context.frontier.as_known(lead.url, links))
            context.frontier.restore([one.url], self._task.sub_question.id)
        elif is_query(query) and context.engines.claim(query):
            one = Lead(query=query)
        else:
            return None
        self._followed.add(one)
        return one
