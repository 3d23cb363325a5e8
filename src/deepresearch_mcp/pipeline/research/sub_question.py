"""One sub-question in one round: from its queries to verified claims, without waiting for any other."""

import math
from collections.abc import Sequence
from itertools import count

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.pages import WantedPage
from deepresearch_mcp.pipeline.queries import is_query
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.page_batches import PageBatches
from deepresearch_mcp.pipeline.research.reader import BatchReading
from deepresearch_mcp.pipeline.research.searcher import Batch
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.pipeline.sub_question_state import PLANNED, SubQuestionState, Wanted, Words
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.evidence import Lead
from deepresearch_mcp.records.sources import Document, Hit, Link, Query

_LEADS_TO = 2
"""Best hits of a lead that are read again; of a query of a later round it is the first one."""


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
        self._followed: set[Lead] = set()
        self._patient_until = 0.0
        self._batches = PageBatches(task, context, state)

    async def run(self) -> None:
        """Search, read and verify until nothing more can come; what is verified lies in `state` at once.

        A ceiling ends this worker, not the run: `state.spent` names it.
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
                    self._search(query, self._task.needs, tasks, lead=query in self._task.towards)
            await self._read_batches(tasks)
        self._state.late = [wanted for wanted in self._wanted if wanted.key not in self._taken]

    def _search(self, query: str, needs: tuple[str, ...], tasks: TaskGroup, *, lead: bool) -> None:
        # A later query asks for what the pages read so far left open, though it may stand further down on one of them.
        words = Words(query, lead) if lead or self._task.round > 1 else PLANNED
        for engines in self._context.engines.groups(self._context.without):
            self._searching += 1
            tasks.start_soon(self._find, query, needs, engines, tasks, words)

    async def _find(
        self, text: str, needs: tuple[str, ...], engines: Sequence[SearchEngine], tasks: TaskGroup, words: Words
    ) -> None:
        request = self._context.brief.request
        query = Query(text, request.filters, request.collections)
        send, receive = anyio.create_memory_object_stream[Batch](len(engines))
        waiting, room = 1, self._context.pages_per_query
        try:
            async with receive, anyio.create_task_group() as group:
                group.start_soon(self._ask, query, needs, engines, send)
                async for batch in receive:
                    room -= await self._admit(batch, room, tasks, words)
                    # Engines that are later than the first batch are not waited for.
                    self._searching -= waiting
                    waiting = 0
                    self._news.notify()
        finally:
            self._searching -= waiting
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
        """Want the batch's best pages, at most `room` that are new to a lead; how many they are."""
        frontier, reader = self._context.frontier, f"{self._task.sub_question.id} {words.query}".strip()

        async def choose() -> list[Hit]:
            # A page that said nothing to the sub-question may be the next link for a lead's words.
            again = frontier.again(batch.hits, reader, _LEADS_TO if words.lead else 1) if words.query else []
            return [*again, *frontier.choose(batch.hits, room, reader, later=bool(words.query))]

        # Outside `choose`, which a resumed run does not call: leads must know the same hits.
        frontier.notice(batch.hits)
        step = steps.admit(batch.key, self._task.sub_question.id, batch.needs)
        chosen = await self._context.journal.step(step, choose, kind="decision", result=list[Hit])
        new = sum(not (words.query and self._context.pages.has(hit.url)) for hit in chosen)
        for hit in chosen:
            self._want(hit.url, batch.needs, tasks, words)
        frontier.pass_over(batch.hits)
        return new

    def _want(self, url: str, needs: tuple[str, ...], tasks: TaskGroup, words: Words = PLANNED) -> None:
        self._context.frontier.restore([url], self._task.sub_question.id)
        page = self._context.pages.want(url, self._task.sub_question.id, needs)
        self._wanted.append(Wanted(page, words))
        self._patient_until = self._context.clock.monotonic() + self._context.settings.patience
        tasks.start_soon(self._watch, page)

    async def _watch(self, page: WantedPage) -> None:
        await page.done.wait()
        self._news.notify()

    async def _read_batches(self, tasks: TaskGroup) -> None:
        """Read what is in, then what came late: the fastest pages first, and a slow one delays no other."""
        earlier: list[Wanted] = []
        if self._task.urls:
            # They are there before any engine has answered, and where all are dead no model may be paid.
            await self._news.wait_until(lambda: self._context.engines.alive or not self._searching)
        async with anyio.create_task_group() as readers:
            for number in count(1):
                step = steps.batch(self._task.sub_question.id, self._task.round, number)
                look = self._first if number == 1 else self._rest
                urls = await self._context.journal.step(step, look, kind="decision", result=list[str])
                if not urls:
                    break
                # After a crash the addresses are the recorded ones: these very pages are waited for.
                await self._news.wait_until(lambda urls=urls: set(self._ready()) >= set(urls) or self._quiet())
                self._taken.update(urls)
                if number == 1:
                    self._patient_until = self._context.clock.monotonic() + self._context.settings.patience
                self._reading += 1
                # In the order recorded: after a crash searches may answer in another one, and the call is the same.
                wanted = {one.key: one for one in reversed(self._wanted)}
                chosen = [wanted[key] for key in urls if key in wanted]
                readers.start_soon(self._read, number, chosen, tuple(earlier), tasks)
                earlier += chosen
            # Tasks that still watch a slow page are not waited for.
            await self._news.wait_until(lambda: not self._reading)
        tasks.cancel_scope.cancel()

    def _ready(self) -> list[str]:
        found = [wanted.key for wanted in self._wanted if wanted.page.done.is_set() and wanted.key not in self._taken]
        return list(dict.fromkeys(found))

    def _quiet(self) -> bool:
        """Nothing can come any more."""
        return not self._busy() and all(wanted.page.done.is_set() for wanted in self._wanted)

    def _busy(self) -> bool:
        return self._searching + self._reading > 0

    async def _first(self) -> list[str]:
        """The fastest third of the pages, or what is there a second after the first."""
        settings = self._context.settings

        def readable() -> int:
            # Pages that could not be read come fast, and there is nothing in them to begin with.
            return sum(wanted.page.document is not None for wanted in self._wanted)

        def enough() -> bool:
            return self._quiet() or readable() >= max(1, math.ceil(len(self._wanted) * settings.first_pages))

        await self._news.wait_until(lambda: readable() > 0 or self._quiet())
        await at_most(self._context.clock, settings.first_wait, lambda: self._news.wait_until(enough))
        return self._ready()

    async def _rest(self) -> list[str]:
        """What comes late, a second's worth at a time, as far as patience goes; an empty list ends the worker."""
        clock, wait = self._context.clock, self._context.settings.first_wait

        def any_or_none() -> bool:
            return bool(self._ready()) or self._quiet()

        def complete() -> bool:
            return not self._searching and all(wanted.page.done.is_set() for wanted in self._wanted)

        while not any_or_none():
            # Looked at anew each time: a page that is wanted meanwhile is waited for as long.
            if (left := self._patient_until - clock.monotonic()) > 0:
                await at_most(clock, left, lambda: self._news.wait_until(any_or_none))
            elif self._busy():
                # Patience is for pages: searches and readers, who may bring leads, are bounded by themselves.
                await self._news.wait_until(lambda: any_or_none() or not self._busy())
            else:
                break
        if self._ready():
            await at_most(clock, wait, lambda: self._news.wait_until(complete))
        return self._ready()

    async def _read(self, number: int, wanted: Sequence[Wanted], earlier: Sequence[Wanted], tasks: TaskGroup) -> None:
        async def follow(found: BatchReading, documents: dict[str, Document]) -> None:
            await self._follow(found, documents, tasks)

        try:
            await self._batches.read(number, wanted, earlier, follow)
        finally:
            self._reading -= 1
            self._news.notify()

    async def _follow(self, finding: BatchReading, documents: dict[str, Document], tasks: TaskGroup) -> None:
        """Go after what the pages point to, as far as the share goes: so chains of facts are found.

        What goes beyond it is kept for the next round.
        """
        self._state.leads += [lead.query for lead in finding.leads if lead.query]
        if not finding.leads or not self._task.leads:
            return
        links = [link for document in documents.values() for link in document.links]

        async def choose() -> list[Lead]:
            return [one for lead in finding.leads if (one := self._claim(lead, links))]

        step = steps.follow(finding.key)
        for lead in await self._context.journal.step(step, choose, kind="decision", result=list[Lead]):
            # In a resumed run the leads are the recorded ones, and not claimed yet.
            claimed = lead in self._followed
            self._followed.add(lead)
            if lead.url:
                self._want(lead.url, (finding.key,), tasks)
            elif self._context.engines.claim(lead.query) or claimed:
                self._search(lead.query, (finding.key,), tasks, lead=True)

    def _claim(self, lead: Lead, links: Sequence[Link]) -> Lead | None:
        """What of a lead is followed; it counts at once, as others may be reading at the same time."""
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
