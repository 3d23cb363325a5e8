"""Order and rounds: one research from a request to everything its report is made of."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date

import anyio
from anyio.abc import TaskGroup

from deepresearch_mcp.events import Degraded, Planned, RoundEnded, StageEntered, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, InvalidRequest, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.pages import Pages
from deepresearch_mcp.pipeline.report.composing import Composer, Ready
from deepresearch_mcp.pipeline.report.listing import listed
from deepresearch_mcp.pipeline.report.memory import notes
from deepresearch_mcp.pipeline.report.shortcomings import unmet
from deepresearch_mcp.pipeline.research.affording import afford, load_of
from deepresearch_mcp.pipeline.research.analyst import (
    NOTHING_TO_BACK,
    Decision,
    Reflection,
    assess,
    counted,
    decide,
    next_queries,
)
from deepresearch_mcp.pipeline.research.consent import Consent
from deepresearch_mcp.pipeline.research.corroboration import corroboration_of
from deepresearch_mcp.pipeline.research.dead_engines import engines_dead
from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.pipeline.research.named_pages import named_pages, searchable
from deepresearch_mcp.pipeline.research.pace import Pacer, Room, context_of, kept
from deepresearch_mcp.pipeline.research.planner import default_plan, engines_asked, make_plan, pages_of_query
from deepresearch_mcp.pipeline.research.searcher import Engines, query_key
from deepresearch_mcp.pipeline.research.sub_question import ResearchContext, SubQuestionWorker, Task
from deepresearch_mcp.pipeline.research.tasks import first_tasks, marked_as, next_tasks
from deepresearch_mcp.pipeline.scope import scope
from deepresearch_mcp.pipeline.signal import at_most, leaf
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import FollowUp
from deepresearch_mcp.records.plan import Estimate, Plan, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RoundAssessment
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.staged import goes_by_rules

_log = logging.getLogger(__name__)

_NOTHING_NEW = 2
"""Stop after this many rounds in a row without a new claim."""


class Research:
    """One research; `findings` grows while it runs, so that a cancelled one can still be written up."""

    def __init__(self, request: ResearchRequest, parts: Dependencies, background: str = "") -> None:
        self._parts = parts
        self._request = request
        self._background = background
        self._shape = request.shape
        self._ready = Ready()
        self._pace = Pacer(request.shape, parts.journal, parts.ledger, parts.emit)
        self._estimate: Estimate | None = None
        self._backed = -1
        """Key claims with a second source when they were last counted."""
        self.findings = Findings(scope(request, date.min, background), scale=parts.scale)

    async def run(self) -> None:
        """Plan, search, read, verify in rounds, then write and audit: everything lands in `findings`.

        Raises:
            EnginesDead: No engine answered, and no page that the question names could be read; no model was paid.
            KeyRefused: A model's key is not accepted; going on would fail in the same way.
            ModelUnusable: The first call to the model that was asked for failed.
        """
        parts, clock = self._parts, self._parts.clock
        today = await parts.journal.step(Step(steps.TODAY), self._today, kind="decision", result=date)
        self.findings.brief = scope(self._request, today, self._background)
        if self._shape.depth == 0:
            await self._direct()
            return
        async with anyio.create_task_group() as tasks:
            context = self._context(tasks)
            try:
                async with anyio.create_task_group() as group:
                    group.start_soon(self._compose)
                    left = parts.ledger.research_seconds_left
                    if not await at_most(clock, left, lambda: self._research(context)):
                        self._met("max_minutes")
                    self._note(context)
                    self._unasked()
                    parts.emit(StageEntered("synthesizing"))
                    self._ready.everything()
                    # While the report is being written: the end of time is the end of this too.
                    await at_most(clock, parts.ledger.seconds_left, self._look_back)
            finally:
                self._met(parts.ledger.refused)
                self._note(context)
                tasks.cancel_scope.cancel()

    async def write_up(self) -> None:
        """Write what is verified so far, at once and without paying: as prose, and where that fails claim by claim."""
        self._ready.everything()
        if self.findings.draft.sections or self.findings.draft.in_short:
            return
        last = self._parts.last_resort
        self.findings.by_rule = "write"
        try:
            await self._composer(last).compose()
        except* Exception as group:  # noqa: BLE001 - verified claims are reported whatever fails
            _log.error("The report was not written", exc_info=leaf(group))
            why = type(leaf(group)).__name__
            self._parts.emit(
                degraded(last.name, "write the report", why, "the verified claims are listed as they stand")
            )
            self.findings.draft = listed(self.findings)

    async def _today(self) -> date:
        return self._parts.clock.today()

    async def _direct(self) -> None:
        parts = self._parts
        try:
            if not await at_most(parts.clock, parts.ledger.seconds_left, self._composer(parts.thinker).direct):
                self._met("max_minutes")
        except* BudgetExceeded as group:
            self._met(leaf(group).kind)
        if not self.findings.direct and not self.findings.ceiling:
            raise InvalidRequest(
                "No answer came without research (depth=0): the model knew none, or could not be asked.",
                "Ask with depth=1 or more; the report's notes say what failed.",
            )

    async def _compose(self) -> None:
        """The report by the thinker; at the end of time by the last resort."""
        left = self._parts.ledger.seconds_left
        done = False
        failed: ProviderError | None = None
        try:
            done = await at_most(self._parts.clock, left, self._composer(self._parts.thinker).compose)
        except* BudgetExceeded as group:
            self._met(leaf(group).kind)
        except* KeyRefused:
            raise
        except* ProviderError as group:
            failed = leaf(group)
        if failed:
            # A ceiling ends the research; this does not.
            await at_most(self._parts.clock, left, self._ready.wait_for_all)
            thinker, last = self._parts.thinker.name, self._parts.last_resort.name
            then = f"the {last} engine did it instead"
            self._parts.emit(degraded(thinker, "write the report", failed.reason, then, by_rule="write"))
        elif not done:
            self._met("max_minutes")
        if not done:
            await self.write_up()

    def _composer(self, thinker: Thinker) -> Composer:
        parts = self._parts
        return Composer(self.findings, thinker, parts.settings, parts.emit, self._ready, at_once=parts.in_rounds)

    def _met(self, ceiling: str) -> None:
        self.findings.ceiling = self.findings.ceiling or ceiling

    def _unasked(self) -> None:
        """Planned work that a ceiling left no room for, in any round, makes the report partial."""
        findings = self.findings
        findings.left_out = {name: why for name, why in findings.left_out.items() if not findings.of(name).asked}
        for ceiling in findings.left_out.values():
            self._met(ceiling)

    def _context(self, tasks: TaskGroup) -> ResearchContext:
        parts, settings, shape = self._parts, self._parts.settings, self._shape
        engines = parts.engines[: engines_asked(shape, [engine.name for engine in parts.engines])]
        asked = Engines(engines, parts.clock, parts.journal, parts.emit, parts.search_window, keeper=parts.keeper)
        grader = self.findings.grader = Grader(self.findings.brief, parts.scale)
        frontier = Frontier(self._request.filters, settings.domain_cap, strict_dates=settings.strict_dates)

        def objection(document: Document) -> Unread | None:
            return frontier.objection(document) or grader.objection(document, settings)

        return ResearchContext(
            brief=self.findings.brief,
            thinker=parts.thinker,
            engines=asked,
            pages=Pages(parts.web, tasks, parts.emit, objection),
            frontier=frontier,
            journal=parts.journal,
            clock=parts.clock,
            emit=parts.emit,
            settings=settings,
            pages_per_query=pages_of_query(shape, settings.pages_per_query, len(asked.groups())),
            grader=grader,
            elsewhere=parts.elsewhere,
            by_rule=parts.last_resort,
        )

    def _note(self, context: ResearchContext) -> None:
        findings, engines = self.findings, context.engines
        findings.documents = context.pages.documents
        frontier = context.frontier
        findings.unread = [*context.pages.unread, *frontier.refused.values(), *frontier.crowded_out.values()]
        findings.failures, findings.returned = tuple(engines.failures), context.frontier.returned
        findings.searched = tuple(engines.searched)
        findings.engines = {
            name: {"asked": asked, "answered": engines.answered.get(name, 0)} for name, asked in engines.asked.items()
        }
        for state in findings.states.values():
            if state.spent:
                self._met(state.spent)
        if any(page.reason == "ceiling" for page in findings.unread):
            self._met("max_pages")

    async def _research(self, context: ResearchContext) -> None:
        """All rounds; every sub-question that will bring nothing more is told to be ready."""
        self._parts.emit(StageEntered("planning"))
        await self._afford()
        async with anyio.create_task_group() as group:
            group.start_soon(self._parts.warm)
            if self._request.approve_plan:
                # Before its user has agreed a run spends nothing but the plan itself.
                await self._plan(context)
                context = replace(context, brief=self.findings.brief)
            group.start_soon(self._whole, context)
            engines = context.engines
            await engines.news.wait_until(
                lambda: engines.alive or engines.dead or bool(self.findings.of(WHOLE_QUESTION).spent)
            )
            if engines.dead:
                dead = engines_dead(engines.failures)
                if not await self._read_named(context):
                    raise dead
                why = dead.message.rstrip(".")
                self._parts.emit(Degraded(f"{why}; the research rests on the pages that the question names."))
            elif not engines.alive:
                return
            if not self._request.approve_plan:
                await self._plan(context)
                context = replace(context, brief=self.findings.brief)
            self._parts.emit(StageEntered("researching"))
            room = await self._pace.of_round(1, context.pages_per_query)
            tasks = first_tasks(
                self._still(self.findings.sub_questions, room.ceiling),
                max(1, room.queries),
                context.engines.queries,
                context.settings.leads,
            )
            # Each sub-question reads them for itself; they are fetched once.
            tasks = [replace(task, urls=self._named(context)) for task in tasks]
            if room.ceiling:
                busy = {task.sub_question.id for task in tasks}
                self.findings.left_out |= {p.id: room.ceiling for p in self.findings.sub_questions if p.id not in busy}
            self.findings.rounds = 1
            if self._shape.depth == 1:
                self._last(tasks)
            await self._round(tasks, context_of(context, room))
        await self._later_rounds(context)

    async def _whole(self, context: ResearchContext) -> None:
        """The question itself, searched and read while the plan is made."""
        question = searchable(self.findings.brief.question)
        query = question if len(question) <= 300 else " ".join(keywords(question, 12))
        await self._pursue(Task(self.findings.whole, 1, (query,), 0, urls=self._named(context)), context)
        context.engines.news.notify()
        if self._shape.depth == 1:
            self._ready.done(WHOLE_QUESTION)

    def _named(self, context: ResearchContext) -> tuple[str, ...]:
        """Pages that the question names, within its limits; a run without the web reads none of them."""
        return context.frontier.within(named_pages(self._request.question)) if self._request.web else ()

    async def _read_named(self, context: ResearchContext) -> bool:
        """Whether a page that the question names could be read; each is fetched once."""
        pages = [context.pages.want(url, WHOLE_QUESTION, ()) for url in self._named(context)]
        for page in pages:
            await page.done.wait()
        return any(page.document for page in pages)

    async def _plan(self, context: ResearchContext) -> None:
        """A plan, as the user wants it where the user is asked."""
        findings, parts = self.findings, self._parts
        consent = Consent(
            asker=parts.asker,
            journal=parts.journal,
            plan_again=lambda brief, step: make_plan(brief, parts.thinker, step),
            priced=self._priced,
            ceilings=self._shape,
        )
        plan = self._priced(await self._planned(Step(steps.PLAN, tuple(context.engines.answered_keys))))
        self._emit_plan(plan)
        agree = consent.approve if self._request.approve_plan else consent.clarify
        agreed, findings.brief = await agree(plan, findings.brief)
        findings.plan = self._priced(agreed)
        if agreed is not plan:
            self._emit_plan(agreed)

    async def _planned(self, step: Step) -> Plan:
        try:
            return await make_plan(self.findings.brief, self._parts.thinker, step)
        except BudgetExceeded as error:
            self._met(error.kind)
            return default_plan(self.findings.brief)

    async def _afford(self) -> None:
        """What it would cost, before anything is spent."""
        parts, request = self._parts, self._request
        thinks = not goes_by_rules(parts.thinker)
        means = replace(parts.means, engines=tuple(engine.name for engine in parts.engines), models=thinks)
        self._estimate = await afford(request, means, parts.asker, parts.journal, parts.emit)
        self._pace.load = load_of(self._estimate, request, means)

    def _priced(self, plan: Plan) -> Plan:
        return plan.model_copy(update={"estimate": self._estimate})

    def _emit_plan(self, plan: Plan) -> None:
        self._parts.emit(Planned(plan.made_by, tuple(part.text for part in plan.sub_questions)))
        if plan.made_by == "default":
            self._parts.emit(Degraded("No usable plan was made: the question was researched as a whole."))

    async def _round(self, tasks: Sequence[Task], context: ResearchContext) -> None:
        done = {task.sub_question.id: anyio.Event() for task in tasks}

        async def one(task: Task) -> None:
            before = [name for name in task.sub_question.depends_on if name in done]
            for name in before:
                await done[name].wait()
            asks = len(task.queries)
            room = await self._pace.of_task(task, context.pages_per_query) if before else Room(asks)
            if not room.queries:
                self.findings.left_out[task.sub_question.id] = room.ceiling
            elif self._still((task.sub_question,), room.ceiling, alone=False):
                await self._pursue(replace(task, queries=task.queries[: room.queries]), context_of(context, room))
            done[task.sub_question.id].set()
            if self._ready.last.is_set():
                self._ready.done(task.sub_question.id)

        async with anyio.create_task_group() as group:
            for task in tasks:
                group.start_soon(one, task)

    async def _pursue(self, task: Task, context: ResearchContext) -> None:
        await SubQuestionWorker(task, context, self.findings.of(task.sub_question.id)).run()
        self._note(context)

    def _last(self, tasks: Sequence[Task]) -> None:
        """The round that begins now is the last: sub-questions without a task in it are ready."""
        busy = {task.sub_question.id for task in tasks}
        if self._shape.depth == 1:
            busy.add(WHOLE_QUESTION)
        for part in self.findings.parts:
            if part.sub_question.id not in busy:
                self._ready.done(part.sub_question.id)
        self._ready.last.set()

    async def _later_rounds(self, context: ResearchContext) -> None:
        known, stale = 0, 0
        for number in range(2, self._shape.depth + 1):
            stale = stale + 1 if len(self.findings.claims) == known else 0
            known = len(self.findings.claims)
            if spent := self._pace.spent(number):
                self._met(spent)
            if self.findings.ceiling or stale >= _NOTHING_NEW:
                self._stop(number - 1, f"{_NOTHING_NEW} rounds in a row brought no new claim")
                return
            room = await self._pace.of_round(number, context.pages_per_query)
            breadth = max(1, room.queries)
            found = await self._reflect(number - 1, breadth, context)
            if not found.queries:
                reason = "the evidence is sufficient" if found.decision.enough else "no new query was left"
                self._stop(number - 1, f"{reason} ({found.decision.why})")
                return
            parts = self._still(self.findings.sub_questions, room.ceiling)
            tasks = next_tasks(found.queries, parts, number, breadth, context.settings.leads)
            self.findings.rounds = number
            if number == self._shape.depth:
                self._last(tasks)
            self._parts.emit(StageEntered("researching"))
            await self._round(tasks, context_of(context, room))

    def _stop(self, number: int, why: str) -> None:
        """End the rounds: the evidence is enough, there is nothing to ask, or a ceiling is met."""
        self.findings.enough = not self.findings.ceiling
        if self.findings.enough:
            self.findings.ended = f"Stopped after round {number} of {self._shape.depth}: {why}."

    def _still(self, parts: Sequence[SubQuestion], ceiling: str, *, alone: bool = True) -> list[SubQuestion]:
        """Those that are still asked; what is left out is told in the report, with the ceiling."""
        asked = kept(parts, ceiling, alone=alone)
        self.findings.left_out |= {part.id: ceiling for part in parts if part not in asked}
        return asked

    async def _reflect(self, number: int, breadth: int, context: ResearchContext) -> Reflection:
        """What comes after a round: the queries of the next one; none when it is enough."""
        self._parts.emit(StageEntered("reflecting"))
        findings = self.findings
        weighed = self._weighed()
        asked = context.engines.queries
        met = ""
        assessment = counted(weighed)
        try:
            step = Step(steps.assess(number), findings.steps)
            assessment = await assess(
                findings.brief, self._noted(_open(weighed, asked), step), self._parts.thinker, breadth, step
            )
        except* BudgetExceeded as group:
            met = leaf(group).kind
            self._met(met)
        findings.assessment = assessment
        self._mark(weighed)
        weighed = self._weighed()
        stands = corroboration_of(weighed, findings.settled())
        # Where a round brought no second source there may be none: it is not looked for again.
        if (backed := stands.backed) <= self._backed:
            stands = NOTHING_TO_BACK
        self._backed = backed

        async def reflect() -> Reflection:
            decision = decide(assessment, findings.parts, findings.documents, self._parts.settings, stands)
            if decision.enough:
                return Reflection(decision)
            leads = [
                FollowUp(sub_question=part.sub_question.id, query=query, lead=True)
                for part in weighed
                for query in part.leads
            ]
            return Reflection(decision, tuple(next_queries(assessment, weighed, breadth, asked, leads, stands.queries)))

        if met:
            # Never kept: a run that gets a larger ceiling goes on.
            found = Reflection(Decision(enough=True, why=f"{met} is met"))
        else:
            # It hangs on which pages were there, and who was read first: after a crash all are there at once.
            step = steps.reflect(number, findings.steps)
            found = await self._parts.journal.step(
                step, reflect, kind="decision", result=Reflection, request=(self._shape, breadth)
            )
        decision = found.decision
        known = {"round": number, "sufficiency": assessment.sufficiency, "enough": decision.enough, "why": decision.why}
        findings.assessed.append(RoundAssessment.model_validate(known))
        self._parts.emit(RoundEnded(number, assessment.sufficiency, decision.enough, decision.why))
        return found

    def _mark(self, weighed: Sequence[SubQuestionEvidence]) -> None:
        """Write into the plan how far each of its sub-questions has come."""
        if self.findings.plan:
            marked = tuple(marked_as(part, self.findings) for part in weighed)
            self.findings.plan = self.findings.plan.model_copy(update={"sub_questions": marked})

    def _weighed(self) -> list[SubQuestionEvidence]:
        """The plan's parts, each with the claims that belong to it, whatever they were read for."""
        return self.findings.claims_by_sub_question

    def _noted(self, weighed: Sequence[SubQuestionEvidence], step: Step) -> list[SubQuestionEvidence]:
        """What the thinker of a step is shown: a model, which pays for words, a part of it; rules see all."""
        if goes_by_rules(self._parts.thinker, step):
            return list(weighed)
        return [notes(part, self._parts.settings.notes_tokens) for part in weighed]

    async def _look_back(self) -> None:
        """What the last round left open, told while the report is written."""
        findings = self.findings
        weighed = self._weighed()
        self._mark(weighed)
        findings.assessment = counted(weighed)
        findings.gate = unmet(findings, self._parts.settings)
        try:
            # A key of its own: the round may have been assessed already, to tell whether it is enough.
            step = Step(steps.GAPS, findings.steps)
            noted = self._noted(weighed, step)
            findings.assessment = await assess(findings.brief, noted, self._parts.thinker, 0, step)
        except* BudgetExceeded:
            # Counting is enough to say what is missing; the writer tells of the ceiling.
            findings.assessment = counted(weighed)
        findings.gate = unmet(findings, self._parts.settings)


def _open(parts: Sequence[SubQuestionEvidence], asked: Collection[str]) -> list[SubQuestionEvidence]:
    """The parts with those of their leads that were not asked yet."""
    return [replace(part, leads=tuple(one for one in part.leads if query_key(one) not in asked)) for part in parts]
