"""One sub-question in one round: from its queries to verified claims, without waiting for any other."""

import math
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.events import Claimed, EventSink, Verified, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.pages import Page, Pages
from deepresearch_mcp.pipeline.research.choosing import Known, chosen_passages
from deepresearch_mcp.pipeline.research.comparing import Comparing
from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.pipeline.research.reader import Finding, batches, read
from deepresearch_mcp.pipeline.research.searcher import Batch, Engines, is_query
from deepresearch_mcp.pipeline.research.verifier import verify
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.pipeline.sub_question_state import PLANNED, SubQuestionState, Wanted, Words
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.work import Elsewhere
from deepresearch_mcp.records.evidence import KEPT, Lead
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Document, Hit, Link, Passage, Query
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import ReadPassages

_LEADS_TO = 2
"""Best hits of a lead that are read again; of a query of a later round it is the first one."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is to do in one round."""

    sub_question: SubQuestion
    round: int
    queries: tuple[str, ...]
    leads: int
    """Leads it may follow at once: its share of the round's queries that the plan left unused."""
    needs: tuple[str, ...] = ()
    """Steps that its queries come from."""
    towards: frozenset[str] = frozenset()
    """Those of its queries that are leads of an earlier round."""
    urls: tuple[str, ...] = ()
    """Pages that the question names: they are read first, whatever the engines find."""


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
    comparing: Comparing = field(default_factory=Comparing)
    shown: set[str] = field(default_factory=set[str])
    """Ids of the passages that any worker has had read."""
    elsewhere: Elsewhere = nullcontext
    """Around what keeps readings from being asked, and is neither a search nor a fetch."""
    without: frozenset[str] = frozenset()
    """Engines that are not asked, as what is left of the money does not pay for them."""
    by_rule: Thinker | None = None
    """Reads, for nothing, what a ceiling keeps the thinker from reading."""


def led(sub_question: SubQuestion, words: Words) -> SubQuestion:
    """The sub-question as pages are read that a lead or a query of a later round led to."""
    if words.lead:
        return sub_question.model_copy(update={"text": words.query, "queries": (), "within": sub_question.text})
    return sub_question.model_copy(update={"queries": (words.query,)}) if words.query else sub_question


class SubQuestionWorker:
    """One round of one sub-question."""

    def __init__(self, task: Task, context: ResearchContext, state: SubQuestionState) -> None:
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

    async def _watch(self, page: Page) -> None:
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
        sizes = self._context.settings
        try:
            words = await self._chosen_words(number, wanted)
            documents = {d.source_id: d for one in wanted if (d := one.page.document) and d.source_id in words}
            keys = {d.source_id: one.page.key for one in wanted if (d := one.page.document)}
            # What stands behind a wall supports nothing: see `verifier.by_machine`.
            open_ = {name: document for name, document in documents.items() if "paywalled" not in document.flags}
            shown = await self._shown(number, open_)
            async with anyio.create_task_group() as group:
                for asked in dict.fromkeys(words.values()):
                    part = led(self._task.sub_question, asked)
                    own = [document for name, document in open_.items() if words[name] == asked]
                    beside = [d for one in earlier if one.words == asked and (d := one.page.document) and d not in own]
                    on = bool(asked.query) and not asked.lead
                    known = Known(self._state.passages if on else (), shown, beside)
                    passages = await self._passages(part, own, known)
                    for batch in batches(passages, sizes.batch_chars):
                        needs = tuple(dict.fromkeys(keys[passage.source_id] for passage in batch))
                        group.start_soon(self._read_one, part, batch, documents, needs, tasks)
        finally:
            self._reading -= 1
            self._news.notify()

    async def _shown(self, number: int, documents: Collection[str]) -> frozenset[str]:
        """Passages of these pages that were read for anything so far, recorded: others are choosing meanwhile."""

        async def look() -> list[str]:
            return sorted(name for name in self._context.shown if name.partition(":")[0] in documents)

        step = steps.shown(self._task.sub_question.id, self._task.round, number)
        return frozenset(await self._context.journal.step(step, look, kind="decision", result=list[str]))

    async def _passages(self, part: SubQuestion, documents: Sequence[Document], known: Known) -> list[Passage]:
        """What of the pages is read."""
        sizes = self._context.settings
        with self._context.elsewhere():
            chosen = await chosen_passages(part, documents, sizes.passage_chars, sizes.passages_per_page, known)
        names = [passage.passage_id for passage in chosen]
        self._state.passages.update(names)
        self._context.shown.update(names)
        return chosen

    async def _chosen_words(self, number: int, wanted: Sequence[Wanted]) -> dict[str, Words]:
        """What is read of a batch, recorded where it hangs on what was said until then: after a crash that is more."""
        found = self._unread(wanted)
        if not any(one.words.query for one in wanted):
            return found

        async def choose() -> dict[str, Words]:
            return found

        step = steps.unread(self._task.sub_question.id, self._task.round, number)
        chosen = await self._context.journal.step(step, choose, kind="decision", result=dict[str, Words])
        self._state.sources.update(chosen)
        return chosen

    def _unread(self, wanted: Sequence[Wanted]) -> dict[str, Words]:
        """Source → the words to read it with.

        What was not read yet; for a lead also what has said nothing yet; for a query of a later round all it found.
        """
        spoken = {quote.source_id for claim in self._state.claims for quote in claim.quotes}
        found: dict[str, Words] = {}
        for one in wanted:
            if not (document := one.page.document):
                continue
            name = document.source_id
            again = one.words.query and (not one.words.lead or name not in spoken)
            if name not in self._state.sources or again:
                found.setdefault(name, one.words)
        self._state.sources.update(found)
        return found

    async def _read_one(
        self,
        part: SubQuestion,
        batch: Sequence[Passage],
        documents: dict[str, Document],
        needs: tuple[str, ...],
        tasks: TaskGroup,
    ) -> None:
        context, limit = self._context, self._context.settings.claims_per_batch
        try:
            finding = await read(context.brief, part, batch, documents, context.thinker, limit, needs)
        except KeyRefused:
            raise
        except BudgetExceeded as error:
            # Passed on it would cancel the batches that are being paid for.
            self._state.spent = error.kind
            await self._read_by_rule(part, batch, documents, needs, error.kind)
            return
        except ProviderError as error:
            pages = dict.fromkeys(documents[one.source_id].title or documents[one.source_id].url for one in batch)
            many = "1 passage" if len(batch) == 1 else f"{len(batch)} passages"
            what = f"{many} of {' and '.join(f'“{page}”' for page in pages)}"
            context.emit(degraded(error.provider, ReadPassages.doing, error.reason, "they were skipped", what))
            return
        context.emit(Claimed(part.id, len(finding.claims), finding.unlocated))
        await self._follow(finding, documents, tasks)
        await self._verify(part, finding, documents, context.thinker)

    async def _read_by_rule(
        self,
        part: SubQuestion,
        batch: Sequence[Passage],
        documents: dict[str, Document],
        needs: tuple[str, ...],
        ceiling: str,
    ) -> None:
        """What was fetched is read in any case: at a ceiling by rule, judged likewise, its leads kept for later."""
        context, by_rule = self._context, self._context.by_rule
        if by_rule is None:
            return
        finding = await read(context.brief, part, batch, documents, by_rule, context.settings.claims_per_batch, needs)
        then = f"the {by_rule.name} engine did it instead, for nothing"
        context.emit(
            degraded(context.thinker.name, ReadPassages.doing, f"{ceiling} was met", then, by_rule="read")
        )
        context.emit(Claimed(part.id, len(finding.claims), finding.unlocated))
        self._state.leads += [lead.query for lead in finding.leads if lead.query]
        await self._verify(part, finding, documents, by_rule)

    async def _verify(
        self, part: SubQuestion, finding: Finding, documents: dict[str, Document], thinker: Thinker
    ) -> None:
        if not finding.claims:
            return
        context = self._context
        step = steps.verify(finding.key)
        claims = await verify(context.brief, finding.claims, documents, thinker, step)
        kept = [context.grader.marked(claim, documents) for claim in claims if claim.verdict in KEPT]
        self._state.take(kept)
        self._state.refused += [claim for claim in claims if claim.verdict not in KEPT]
        self._state.steps.append(step.key)
        context.emit(Verified(part.id, len(kept), len(claims) - len(kept)))
        if kept:
            step = steps.compare(step.key)
            found = await context.comparing.compare(context.brief, kept, thinker, context.journal, step)
            self._state.comparisons += found.comparisons
            self._state.opponents |= {claim.claim_id: claim for claim in found.opponents}
            self._state.steps += found.steps

    async def _follow(self, finding: Finding, documents: dict[str, Document], tasks: TaskGroup) -> None:
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
