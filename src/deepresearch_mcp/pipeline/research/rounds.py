"""Rounds: the question searched as a whole, the plan, then one round of sub-questions after another."""

from collections.abc import Sequence
from dataclasses import replace

import anyio

from deepresearch_mcp.events import Degraded, StageEntered
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.queries import named_pages, without_page_addresses
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.research.agreed_plan import AgreedPlan, extended
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.dead_engines import engines_dead
from deepresearch_mcp.pipeline.research.joined_reading import read_remnants
from deepresearch_mcp.pipeline.research.marks import Marks
from deepresearch_mcp.pipeline.research.pace import Pacer, RoundRoom, still_asked
from deepresearch_mcp.pipeline.research.reflection import Reflecting
from deepresearch_mcp.pipeline.research.remnants import Remnants
from deepresearch_mcp.pipeline.research.sub_question import SubQuestionWorker
from deepresearch_mcp.pipeline.research.tasks import first_tasks, next_tasks, open_hypotheses, with_links, with_pages
from deepresearch_mcp.pipeline.research.width import first_round, queries_of
from deepresearch_mcp.records.evidence import FollowUp
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Draft
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.text.keywords import keywords

_NOTHING_NEW = 2
"""Stop after this many rounds in a row without a new claim."""
_WITH_LINKS = 2
"""The round in which the links of the first round's pages are looked through for what the plan asked."""
_LONG = 300
"""Characters of a question from which on its keywords are searched in its place."""
_KEYWORDS = 12


class Rounds:
    """The rounds of one research; what they bring lands in `findings`, and `ready` knows what is complete."""

    def __init__(self, request: ResearchRequest, parts: Dependencies, findings: Findings, ready: Readiness) -> None:
        self._request = request
        self._parts = parts
        self._findings = findings
        self._ready = ready
        self._shape = request.shape
        self._pace = Pacer(request.shape, parts.journal, parts.ledger, parts.emit)
        self._marks = Marks(parts)
        self._plan = AgreedPlan(request, parts, findings)
        self._reflecting = Reflecting(request.shape, parts, findings, self._marks)
        self._planning_over = anyio.Event()
        self._more = 0
        """Rounds of searching that the report has asked for."""
        self._narrowed = False
        """A ceiling had no room for all that was planned for the first round."""

    async def run(self, context: ResearchContext) -> None:
        """Plan and make all rounds.

        Raises:
            EnginesDead: No engine answered, and no page that the question names could be read.
        """
        findings = self._findings
        self._parts.emit(StageEntered("planning"))
        self._pace.load = load = await self._plan.afford()
        context.room.usd_a_token = load.page_usd / load.page_tokens if load.page_tokens else 0.0
        async with anyio.create_task_group() as group:
            group.start_soon(self._parts.warm)
            if self._request.approve_plan:
                # Until the user has agreed, a run spends nothing but the plan itself.
                context = await self._planned(context)
            group.start_soon(self._whole, replace(context, planned=self._brief_with_points))
            try:
                if not await self._sources(context):
                    return
                if not self._request.approve_plan:
                    context = await self._planned(context)
            finally:
                self._planning_over.set()
            self._parts.emit(StageEntered("researching"))
            context.room.begin(self._findings.sub_questions, self._findings.brief.scope)
            tasks, room = await self._first_tasks(context)
            # Each sub-question reads them for itself; they are fetched once.
            tasks = [replace(task, urls=self._named(context)) for task in tasks]
            if room.ceiling:
                busy = {task.sub_question.id for task in tasks}
                findings.left_out |= {p.id: room.ceiling for p in findings.sub_questions if p.id not in busy}
            findings.rounds = 1
            if self._shape.depth == 1:
                self._last(tasks)
            await self._round(tasks, context.narrowed(room.pages, room.without), self._pace.pages_of(1))
        await self._later(context)

    async def _first_tasks(self, context: ResearchContext) -> tuple[list[SubQuestionTask], RoundRoom]:
        """What the plan asks in the first round, as far as the ceilings have room for it."""
        findings, asked = self._findings, context.engines.queries
        parts, hypotheses = findings.sub_questions, findings.plan.hypotheses if findings.plan else ()
        # A narrow plan leaves room for leads, as far as the breadth goes.
        planned = 1 + (queries_of(findings.plan, asked) if findings.plan else 1)
        room = await self._pace.of_round(1, context.pages_per_query, max(planned, first_round(self._shape)))
        narrowed = room.ceiling if room.queries < planned else ""
        self._narrowed = bool(narrowed)
        parts = self._still(parts, narrowed)
        return first_tasks(parts, hypotheses, max(1, room.queries), asked, context.settings.leads), room

    async def look_back(self) -> None:
        """Name what the last round left open."""
        await self._reflecting.look_back()

    @property
    def leaves_open(self) -> bool:
        """Whether the rounds may have left a point open or thin."""
        return self._reflecting.leaves_open

    def look_at(self, draft: Draft) -> None:
        """Bring the verdict on coverage up to what the finished report has, and what was found for it."""
        self._reflecting.look_at(draft)

    async def _planned(self, context: ResearchContext) -> ResearchContext:
        await self._plan.make(tuple(context.engines.answered_keys))
        if context.private and self._findings.plan:
            context.private.know(self._findings.plan, self._findings.brief)
        return replace(context, brief=self._findings.brief)

    async def _sources(self, context: ResearchContext) -> bool:
        """Wait until there is something to read from; False where a ceiling was met before any engine answered.

        Raises:
            EnginesDead: All engines failed, and no page that the question names could be read.
        """
        engines = context.engines
        await engines.news.wait_until(
            lambda: engines.alive or engines.dead or bool(self._findings.of(WHOLE_QUESTION).spent)
        )
        if not engines.dead:
            return engines.alive
        dead = engines_dead(engines.failures)
        if not await self._read_named(context):
            raise dead
        why = dead.message.rstrip(".")
        self._parts.emit(Degraded(f"{why}; the research rests on the pages that the question names."))
        return True

    async def _whole(self, context: ResearchContext) -> None:
        """Search for the question itself while the plan is made; what is found is read for the points of the plan."""
        question = without_page_addresses(self._findings.brief.question)
        query = question if len(question) <= _LONG else " ".join(keywords(question, _KEYWORDS))
        await self._pursue(SubQuestionTask(self._findings.whole, 1, (query,), 0, urls=self._named(context)), context)
        context.engines.news.notify()
        if self._shape.depth == 1:
            self._ready.done(WHOLE_QUESTION)

    async def _brief_with_points(self) -> Brief:
        await self._planning_over.wait()
        return self._findings.brief

    def _named(self, context: ResearchContext) -> tuple[str, ...]:
        """The pages of the request, then those that the question names; a run without the web reads none of these."""
        own = context.frontier.given(self._request.urls)
        named = context.frontier.within(named_pages(self._request.question)) if self._request.web else ()
        return tuple(dict.fromkeys((*own, *named)))

    async def _read_named(self, context: ResearchContext) -> bool:
        """Whether a page that the question names could be read; each is fetched once."""
        pages = [context.pages.want(url, WHOLE_QUESTION, ()) for url in self._named(context)]
        for page in pages:
            await page.done.wait()
        return any(page.document for page in pages)

    async def _round(self, tasks: Sequence[SubQuestionTask], context: ResearchContext, pages: int) -> None:
        """Make these tasks; together their queries may bring so many new `pages`, or one each."""
        waiting = Remnants(context.settings.batch_chars) if self._shape.depth > 1 and tasks else None
        context = replace(context, hypotheses=open_hypotheses(self._findings), remnants=waiting)
        tasks = with_pages(tasks, pages, context.pages_per_query)
        done = {task.sub_question.id: anyio.Event() for task in tasks}

        async def one(task: SubQuestionTask) -> None:
            before = [name for name in task.sub_question.depends_on if name in done]
            for name in before:
                await done[name].wait()
            asks = len(task.queries)
            room = await self._pace.of_task(task, context.pages_per_query) if before else RoundRoom(asks)
            if not room.queries:
                self._findings.left_out[task.sub_question.id] = room.ceiling
            elif self._still((task.sub_question,), room.ceiling, alone=False):
                narrowed = context.narrowed(room.pages, room.without)
                # What has waited for another sub-question keeps no passages of this round waiting.
                narrowed = replace(narrowed, remnants=None) if before else narrowed
                await self._pursue(replace(task, queries=task.queries[: room.queries]), narrowed)
            if waiting:
                waiting.over(task.sub_question.id)
            done[task.sub_question.id].set()
            if self._ready.last.is_set():
                self._ready.done(task.sub_question.id)

        if waiting:
            waiting.expect(
                [t.sub_question.id for t in tasks if not any(name in done for name in t.sub_question.depends_on)]
            )
        async with anyio.create_task_group() as group:
            for task in tasks:
                group.start_soon(one, task)
            if waiting:
                group.start_soon(read_remnants, tasks, context)
        context.note(self._findings)

    async def _pursue(self, task: SubQuestionTask, context: ResearchContext) -> None:
        state = self._findings.of(task.sub_question.id)
        with self._marks.told(task, state):
            await SubQuestionWorker(task, context, state).run()
        context.note(self._findings)

    def _last(self, tasks: Sequence[SubQuestionTask]) -> None:
        """The round that begins now is the last: sub-questions without a task in it are complete."""
        busy = {task.sub_question.id for task in tasks}
        if self._shape.depth == 1:
            busy.add(WHOLE_QUESTION)
        for part in self._findings.parts:
            if part.sub_question.id not in busy:
                self._ready.done(part.sub_question.id)
        self._ready.last.set()

    async def _later(self, context: ResearchContext) -> None:
        findings = self._findings
        known, stale = 0, 0
        for number in range(2, self._pace.last() + 1):
            stale = stale + 1 if len(findings.claims) == known else 0
            known = len(findings.claims)
            if spent := self._pace.spent(number):
                findings.used_up = spent
                if self._plan_is_cut(context):
                    findings.meet(spent)
                    return
                self._stop(number - 1, f"what {spent} leaves is set aside for checking and writing")
                return
            if findings.ceiling:
                return
            if stale >= _NOTHING_NEW:
                self._stop(number - 1, f"{_NOTHING_NEW} rounds in a row brought no new claim")
                return
            room = await self._pace.of_round(number, context.pages_per_query)
            breadth = max(1, room.queries)
            context.note(findings)
            found = await self._reflecting.after(number - 1, breadth, context.engines.queries)
            if not found.queries:
                reason = "nothing more is needed" if found.decision.enough else "no new query was left"
                self._stop(number - 1, f"{reason} ({found.decision.why})")
                return
            if findings.plan:
                findings.plan = extended(findings.plan, found.added, found.expected)
            parts = self._still(findings.sub_questions, room.ceiling)
            expected = findings.plan.hypotheses if findings.plan else ()
            tasks = next_tasks(found.queries, parts, number, breadth, context.settings.leads, expected)
            if number == _WITH_LINKS:
                tasks = with_links(tasks, parts, expected)
            findings.rounds = number
            if number == self._shape.depth:
                self._last(tasks)
            self._parts.emit(StageEntered("researching"))
            context.room.begin_later(number, found.queries)
            await self._round(tasks, context.narrowed(room.pages, room.without), self._pace.pages_of(number))

    def _plan_is_cut(self, context: ResearchContext) -> bool:
        """Whether a ceiling kept something that was planned from being asked."""
        findings = self._findings
        if any(not findings.of(name).asked for name in findings.left_out):
            return True
        return self._narrowed and bool(findings.plan) and queries_of(findings.plan, context.engines.queries) > 0

    async def once_more(
        self, queries: Sequence[FollowUp], context: ResearchContext, needs: tuple[str, ...] = ()
    ) -> str:
        """Ask these queries, which come from these steps, and read what they find, while the report is written.

        Returns the ceiling that left no room for them; "" if they were asked.
        """
        self._more += 1
        number = self._shape.depth + self._more
        room = await self._pace.of_round(number, context.pages_per_query)
        if not room.queries:
            return room.ceiling
        parts = self._findings.sub_questions
        tasks = next_tasks(queries[: room.queries], parts, number, len(queries), 0, needs=needs)
        context.room.begin_later(number, queries[: room.queries], writing=True)
        await self._round(tasks, context.narrowed(room.pages, room.without), self._pace.pages_of(number))
        return ""

    def _stop(self, number: int, why: str) -> None:
        """End the rounds: everything is covered, or nothing is left to ask."""
        findings = self._findings
        findings.enough = True
        findings.ended = f"Stopped after round {number} of {self._shape.depth}: {why}."

    def _still(self, parts: Sequence[SubQuestion], ceiling: str, *, alone: bool = True) -> list[SubQuestion]:
        """The sub-questions that are still asked; the report tells which are left out, and for which ceiling."""
        asked = still_asked(parts, ceiling, alone=alone)
        self._findings.left_out |= {part.id: ceiling for part in parts if part not in asked}
        return asked
