"""Compose: wait for the evidence, write the report, audit it, and put it into the findings."""

from collections.abc import Callable, Sequence

import anyio

from deepresearch_mcp.events import EventSink, PlanMarked, SectionWritten
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import MoreEvidence, NoMoreEvidence
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.report.absences import StoredPages
from deepresearch_mcp.pipeline.report.audit import Audited, audit
from deepresearch_mcp.pipeline.report.block_markdown import written_text
from deepresearch_mcp.pipeline.report.citing import within
from deepresearch_mcp.pipeline.report.differing import differences, worth_telling
from deepresearch_mcp.pipeline.report.digest import digested
from deepresearch_mcp.pipeline.report.editing import all_sentences, renamed, stated
from deepresearch_mcp.pipeline.report.gap_check import checked
from deepresearch_mcp.pipeline.report.gaps import open_gaps
from deepresearch_mcp.pipeline.report.nearest_passages import NearestPassages
from deepresearch_mcp.pipeline.report.opening import (
    ANSWER_CHARS,
    opened,
    shortened,
)
from deepresearch_mcp.pipeline.report.thin_tables import without_thin
from deepresearch_mcp.pipeline.report.writer import ReportWriter, Written
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import GapCheck
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.staged import goes_by_rules
from deepresearch_mcp.thinkers.tasks import AnswerDirectly


class Composer:
    """Writes up findings with one thinker; the draft and what the audit took out land in the findings."""

    def __init__(
        self,
        findings: Findings,
        thinker: Thinker,
        settings: ResearchSettings,
        emit: EventSink,
        ready: Readiness,
        more: MoreEvidence | None = None,
        *,
        in_rounds: bool = False,
        auditing: Callable[[], None] = lambda: None,
    ) -> None:
        """`more`: finds what the report still needs; `in_rounds`: the thinker answers in rounds that count.

        `auditing` is told when the audit begins, which has a share of the ceilings to itself.
        """
        self._findings = findings
        self._thinker = thinker
        self._settings = settings
        self._emit = emit
        self._ready = ready
        self._more = more or NoMoreEvidence()
        self._in_rounds = in_rounds
        self._nearest = NearestPassages()
        self._auditing = auditing

    async def compose(self) -> None:
        """Write the report from all that was found, and audit it.

        Raises:
            KeyRefused, ProviderError, BudgetExceeded: The thinker could write nothing.
        """
        await self._ready.wait_for_all()
        if goes_by_rules(self._thinker, Step(steps.SKETCH)):
            draft = self._findings.draft = await digested(self._findings, self._settings)
            for part in self._findings.digest:
                # The plan says what the report says, not how many sentences were read for a part.
                self._emit(PlanMarked(part.sub_question, part.text, "done" if part.passages else "blocked"))
            for section in draft.sections:
                cited = dict.fromkeys(name for one in section.sentences for name in one.rests_on)
                self._emit(SectionWritten(section.heading, tuple(cited), written_text(section)))
            return
        writer = ReportWriter(
            self._findings,
            self._thinker,
            self._settings,
            self._emit,
            self._more,
            in_rounds=self._in_rounds,
            nearest=self._nearest,
        )
        if self._brief.request.mode == "answer":
            written = await writer.answer(ANSWER_CHARS)
            said = list({one.claim_id: one for one in written.claims.values()}.values())
        else:
            written = await writer.write()
            said = stated(all_sentences(written.draft), written.claims)
        await self._finish(written, said)

    async def direct(self) -> None:
        """The answer from one's own knowledge, for a research of depth 0."""
        answer = (await self._thinker.ask(AnswerDirectly(self._brief), Step(steps.DIRECT))).strip()
        if self._brief.request.mode == "answer":
            answer = shortened(" ".join(answer.split()), ANSWER_CHARS)
        self._findings.direct = answer

    @property
    def _brief(self) -> Brief:
        return self._findings.brief

    async def _finish(self, written: Written, said: Sequence[Claim]) -> None:
        """Add where sources differ, audit, and see that an opening is left."""
        findings, claims = self._findings, written.claims
        weighty = {one.claim_id: one for one in claims.values() if one.claim_id not in written.trifles}
        draft = renamed(written.draft, claims)
        at_odds = differences(weighty.values(), self._brief.question)
        at_odds = worth_telling(at_odds, claims, all_sentences(draft))
        whole = draft.model_copy(update={"differences": at_odds})
        cited = within(whole, claims, self._settings.max_citations)
        step = Step(steps.AUDIT, written.needs)
        self._auditing()
        titles = {name: document.title for name, document in findings.documents.items()}
        pages = StoredPages(findings.documents, findings.gaps, self._nearest)
        asked, done = list[GapCheck](), list[Audited]()

        async def check_gaps() -> None:
            asked.extend(await checked(findings, cited.draft, open_gaps(findings), self._thinker, written.needs, pages))

        async with anyio.create_task_group() as tasks:
            if not self._in_rounds:
                # First, as a false gap costs more trust than a repair that can no longer be paid.
                tasks.start_soon(check_gaps)
            done.append(await audit(self._brief, cited.draft, claims, titles, self._thinker, step, pages))
        findings.gap_checks, audited = tuple(asked), done[0]
        said = [claim for claim in said if cited.may(claim)]
        in_short = opened(self._brief, audited.draft, whole.in_short, said, claims)
        findings.draft = without_thin(audited.draft.model_copy(update={"in_short": in_short}))
        findings.removed, findings.repaired, findings.places = audited.removed, audited.repaired, cited.places
        findings.restored = audited.restored
