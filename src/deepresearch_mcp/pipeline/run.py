"""One research, from its request to everything that its report is made of."""

import logging
from datetime import date

import anyio
from anyio.abc import TaskGroup

from deepresearch_mcp.events import Cautioned, StageEntered, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, InvalidRequest, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.more_evidence import MoreEvidence
from deepresearch_mcp.pipeline.pages import Pages
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.report.composing import Composer
from deepresearch_mcp.pipeline.report.listing import listed_claims
from deepresearch_mcp.pipeline.research.consolidating import consolidated
from deepresearch_mcp.pipeline.research.context import ResearchContext
from deepresearch_mcp.pipeline.research.estimating import pages_of_query, pages_of_site, web_at_once
from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.pipeline.research.gathering import Gatherer
from deepresearch_mcp.pipeline.research.preference import preference_of
from deepresearch_mcp.pipeline.research.private_words import PrivateWords
from deepresearch_mcp.pipeline.research.reading_room import ReadingRoom
from deepresearch_mcp.pipeline.research.rounds import Rounds
from deepresearch_mcp.pipeline.research.searcher import Engines
from deepresearch_mcp.pipeline.scope import scope
from deepresearch_mcp.pipeline.signal import at_most, leaf
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.staged import goes_by_rules

_log = logging.getLogger(__name__)

_BEGUN_EARLIER = (
    "An earlier version of this program began this research: its searches and pages are used again, and what this "
    "version asks or writes in another way was done anew."
)


class Research:
    """One research. `findings` grows while it runs, so a cancelled research can still be written up."""

    def __init__(self, request: ResearchRequest, parts: Dependencies, background: str = "") -> None:
        self._parts = parts
        self._request = request
        self._background = background
        self._shape = request.shape
        self._ready = Readiness()
        self.findings = Findings(
            scope(request, date.min, background, parts.router.profile, parts.settings, parts.template),
            scale=parts.scale,
        )

    async def run(self) -> None:
        """Plan, search, read and verify in rounds, then write and audit. All results go into `findings`.

        Raises:
            EnginesDead: No engine answered, and no page that the question names could be read; no model was paid.
            KeyRefused: A model's key is not accepted; every later call would fail too.
            ModelUnusable: The first call to the model that was asked for failed.
        """
        parts, clock = self._parts, self._parts.clock
        if any(steps.is_of_an_earlier_version(row.key) for row in await parts.journal.rows()):
            parts.emit(Cautioned(_BEGUN_EARLIER))
        today = await parts.journal.step(Step(steps.TODAY), self._today, kind="decision", result=date)
        self.findings.brief = scope(
            self._request, today, self._background, parts.router.profile, parts.settings, parts.template
        )
        if self._shape.depth == 0:
            await self._direct()
            return
        parts.ledger.enter("research")
        async with anyio.create_task_group() as tasks:
            context = self._context(tasks)
            rounds = Rounds(self._request, parts, self.findings, self._ready)
            try:
                more = Gatherer(context, rounds, self.findings)
                async with anyio.create_task_group() as group:
                    group.start_soon(self._compose, more)
                    left = parts.ledger.research_seconds_left
                    if not await at_most(clock, left, lambda: rounds.run(context)):
                        self.findings.use_up("max_minutes")
                    context.note(self.findings)
                    parts.ledger.enter("writing")
                    self._unasked()
                    parts.emit(StageEntered("synthesizing"))
                    if rounds.leaves_open and not parts.in_rounds and not goes_by_rules(parts.thinker):
                        # What is told as missing was looked for in all pages, and searched for by itself.
                        await at_most(clock, parts.ledger.research_seconds_left, lambda: self._fill(rounds, more))
                        context.note(self.findings)
                    await at_most(clock, parts.ledger.seconds_left, self._consolidate)
                    self._ready.everything()
                    # This runs while the report is written, and ends when the time is over.
                    await at_most(clock, parts.ledger.seconds_left, rounds.look_back)
            finally:
                self.findings.meet(parts.ledger.refused)
                context.note(self.findings)
                rounds.look_at(self.findings.draft)
                tasks.cancel_scope.cancel()

    async def write_up(self) -> None:
        """Write what is verified so far, at once and without cost: as prose, or as a list of claims if that fails."""
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
            self.findings.draft = listed_claims(self.findings)

    async def _fill(self, rounds: Rounds, more: Gatherer) -> None:
        """Look back, and once more for what is open, before the report is written."""
        await rounds.look_back()
        await more.fill((steps.GAPS,))

    async def _consolidate(self) -> None:
        """Find the claims that state one fact; afterwards they are settled as one."""
        findings = self.findings
        claims = list(findings.settled().values())
        findings.consolidated = await consolidated(findings.brief, claims, self._parts.thinker, findings.steps)

    async def _today(self) -> date:
        return self._parts.clock.today()

    async def _direct(self) -> None:
        parts = self._parts
        try:
            if not await at_most(parts.clock, parts.ledger.seconds_left, self._composer(parts.thinker).direct):
                self.findings.meet("max_minutes")
        except* BudgetExceeded as group:
            self.findings.meet(leaf(group).kind)
        if not self.findings.direct and not self.findings.ceiling:
            raise InvalidRequest(
                "No answer came without research (depth=0): the model knew none, or could not be asked.",
                "Ask with depth=1 or more; the report's notes say what failed.",
            )

    async def _compose(self, more: MoreEvidence) -> None:
        """Write the report with the thinker; with the last resort if the time ends or the thinker fails."""
        left = self._parts.ledger.seconds_left
        done = False
        failed: ProviderError | None = None
        try:
            done = await at_most(self._parts.clock, left, self._composer(self._parts.thinker, more).compose)
        except* BudgetExceeded as group:
            self.findings.meet(leaf(group).kind)
        except* KeyRefused:
            raise
        except* ProviderError as group:
            failed = leaf(group)
        if failed:
            # A writer that fails does not end the research, as a ceiling does.
            await at_most(self._parts.clock, left, self._ready.wait_for_all)
            thinker, last = self._parts.thinker.name, self._parts.last_resort.name
            then = f"the {last} engine did it instead"
            self._parts.emit(degraded(thinker, "write the report", failed.reason, then, by_rule="write"))
        elif not done:
            self.findings.meet("max_minutes")
        if not done:
            await self.write_up()

    def _composer(self, thinker: Thinker, more: MoreEvidence | None = None) -> Composer:
        parts = self._parts
        in_rounds = parts.in_rounds
        return Composer(
            self.findings,
            thinker,
            parts.settings,
            parts.emit,
            self._ready,
            more,
            in_rounds=in_rounds,
            auditing=lambda: parts.ledger.enter("audit"),
        )

    def _unasked(self) -> None:
        """Mark the report as partial if a ceiling left a sub-question without a query, or without a page."""
        findings = self.findings
        findings.left_out = {name: why for name, why in findings.left_out.items() if not findings.of(name).asked}
        for ceiling in findings.left_out.values():
            findings.meet(ceiling)
        if any(page.reason == "ceiling" for page in findings.unread):
            if all(findings.of(part.id).sources for part in findings.sub_questions):
                findings.used_up = findings.used_up or "max_pages"
            else:
                findings.meet("max_pages")

    def _context(self, tasks: TaskGroup) -> ResearchContext:
        parts, settings, shape = self._parts, self._parts.settings, self._shape
        grader = self.findings.grader = Grader(self.findings.brief, parts.scale)
        names = parts.router.regular([engine.name for engine in parts.engines])
        asked = Engines(
            parts.engines,
            parts.clock,
            parts.journal,
            parts.emit,
            parts.search_window,
            earlier_answers=parts.earlier_answers,
            router=parts.router,
            preference=preference_of(self.findings.brief, grader.own_scale),
            web_at_once=web_at_once(shape, names, parts.router.profile.sources),
        )
        cap = pages_of_site(self._request, settings.domain_cap)
        frontier = Frontier(self.findings.brief.filters, cap, strict_dates=settings.strict_dates, web=self._request.web)

        def objection(document: Document) -> Unread | None:
            return frontier.objection(document) or grader.objection(document, settings)

        return ResearchContext(
            brief=self.findings.brief,
            thinker=parts.thinker,
            engines=asked,
            pages=Pages(parts.web, tasks, parts.emit, objection, frontier.is_also_at),
            frontier=frontier,
            journal=parts.journal,
            clock=parts.clock,
            emit=parts.emit,
            settings=settings,
            pages_per_query=pages_of_query(shape, settings.pages_per_query, len(asked.groups())),
            grader=grader,
            room=ReadingRoom(shape, settings, parts.ledger, by_rule=goes_by_rules(parts.thinker)),
            elsewhere=parts.elsewhere,
            by_rule=parts.last_resort,
            private=self._private(),
        )

    def _private(self) -> PrivateWords | None:
        request = self._request
        # A follow-up reads the pages of the run before it, which may be of a collection.
        both = request.web and (request.collections or request.follow_up_of)
        return PrivateWords(self.findings.brief) if both and not self._parts.settings.library_to_web else None
