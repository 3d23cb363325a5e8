"""Compose: the report's stages in order, begun while the last round is still bringing claims in."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import anyio

from deepresearch_mcp.events import Degraded, EventSink
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.memory import brief_of
from deepresearch_mcp.pipeline.placing import assign_claims, twins
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.report.audit import audit
from deepresearch_mcp.pipeline.report.citing import within
from deepresearch_mcp.pipeline.report.differing import both_sided, differences, disputes
from deepresearch_mcp.pipeline.report.digest import digested
from deepresearch_mcp.pipeline.report.restoring import refilled
from deepresearch_mcp.pipeline.report.select_claims import ranked
from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.pipeline.report.writer import (
    Material,
    ReviewMaterial,
    Writer,
    opening,
    opening_chars,
    opening_limit,
    shortened,
    stated,
)
from deepresearch_mcp.pipeline.settling import settle
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.keywords import content_words
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.staged import goes_by_rules
from deepresearch_mcp.thinkers.tasks import AnswerDirectly

_OUTLINED = 4
"""Part of the brief that an outline is made from: it wants to know what each sub-question turned out to be about."""


class _Answer(NamedTuple):
    """The direct answer, with the claims that there are and those that it may state."""

    claims: Mapping[str, Claim]
    said: Sequence[Claim]
    sentences: tuple[Sentence, ...]


class Composer:
    """Writes up findings with one thinker; the draft and what the audit took out land in the findings."""

    def __init__(
        self,
        findings: Findings,
        thinker: Thinker,
        settings: ResearchSettings,
        emit: EventSink,
        ready: Readiness,
        *,
        at_once: bool = False,
    ) -> None:
        """With `at_once` the direct answer is written beside the sections, from the claims that matter most."""
        self._at_once = at_once
        # A thinker that writes all at once, or in no time, waits for everything: then each claim stands where it fits.
        self._together = at_once or thinker.paragraph_claims > 0
        self._findings = findings
        self._thinker = thinker
        self._settings = settings
        self._ready = ready
        self._emit = emit
        self._writer = Writer(findings.brief, thinker, settings, emit)

    async def compose(self) -> None:
        """Outline, sections, critique, the direct answer, audit."""
        findings = self._findings
        await self._ready.last.wait()
        if goes_by_rules(self._thinker, Step(steps.OUTLINE)):
            await self._ready.wait_for_all()
            findings.draft = await digested(findings, self._settings)
            return
        if findings.brief.request.mode == "answer":
            draft, answer = Draft(title=findings.brief.question[:200]), await self._answer_of_claims()
        elif self._at_once:
            draft, answer = await self._both()
        else:
            draft, needs = await self._sections()
            answer = await self._answer_of(draft, needs)
        claims, said, in_short = answer
        at_odds = differences({claim.claim_id: claim for claim in claims.values()}.values())
        whole = renamed(draft.model_copy(update={"in_short": in_short, "differences": at_odds}), claims)
        cited = within(whole, claims, self._settings.max_citations)
        audited = await audit(
            findings.brief, cited.draft, claims, self._titles(), self._thinker, Step(steps.AUDIT, (steps.CONCLUDE,))
        )
        said = [claim for claim in said if cited.may(claim)]
        in_short = _opened(audited.draft, cited.draft.in_short, said, claims, opening_limit(findings.brief))
        findings.draft = audited.draft.model_copy(update={"in_short": in_short})
        findings.removed, findings.repaired, findings.places = audited.removed, audited.repaired, cited.places
        findings.restored = audited.restored

    async def _both(self) -> tuple[Draft, "_Answer"]:
        drafts: list[Draft] = []
        answers: list[_Answer] = []

        async def sections() -> None:
            drafts.append((await self._sections())[0])

        async def answer() -> None:
            answers.append(await self._answer_of_claims())

        async with anyio.create_task_group() as group:
            group.start_soon(sections)
            group.start_soon(answer)
        return drafts[0], answers[0]

    async def _answer_of_claims(self) -> "_Answer":
        return await self._answer_of(Draft(title=""), self._findings.steps)

    async def _answer_of(self, draft: Draft, needs: tuple[str, ...]) -> "_Answer":
        await self._ready.wait_for_all()
        findings = self._findings
        claims = weigh(findings.settled(), findings.documents, findings.brief.question)
        said = stated(draft, claims) if draft.sections else self._brief_claims(claims)
        return _Answer(claims, said, await self._writer.conclude(draft.sections, said, needs) if said else ())

    async def direct(self) -> None:
        """The answer from one's own knowledge, for a research of depth 0."""
        brief = self._findings.brief
        answer = (await self._thinker.ask(AnswerDirectly(brief), Step(steps.DIRECT))).strip()
        if brief.request.mode == "answer":
            answer = shortened(" ".join(answer.split()), opening_chars(brief))
        self._findings.direct = answer

    async def _sections(self) -> tuple[Draft, tuple[str, ...]]:
        findings, brief = self._findings, self._findings.brief
        room = self._settings.brief_tokens // _OUTLINED
        outline = await self._writer.outline(self._noted(findings.claims_by_sub_question, room), findings.steps)
        done: dict[int, tuple[Draft, tuple[str, ...]]] = {}
        failed: list[Exception] = []

        async def one(number: int) -> None:
            try:
                done[number] = await self._writer.draft(outline, self._supply, number)
            except* KeyRefused:
                raise
            except* (ProviderError, BudgetExceeded) as group:
                failed.append(leaf(group))

        async with anyio.create_task_group() as group:
            for number in range(1, brief.request.drafts + 1):
                group.start_soon(one, number)
        if not done:
            raise failed[0]
        if failed:
            self._emit(Degraded(f"{len(failed)} of {brief.request.drafts} drafts could not be written ({failed[0]})."))
        needs = tuple(key for _, keys in done.values() for key in keys)
        drafts = {number: draft for number, (draft, _) in sorted(done.items())}
        if not self._settings.critique and len(drafts) == 1:
            return next(iter(drafts.values())), needs
        await self._ready.wait_for_all()
        claims = findings.settled()
        return await self._writer.improve(
            drafts, ReviewMaterial(claims, self._titles(), self._brief_claims(claims)), needs
        )

    def _noted(self, parts: Sequence[SubQuestionEvidence], tokens: int) -> list[SubQuestionEvidence]:
        return brief_of(parts, tokens, self._settings.notes_tokens)

    def _brief_claims(self, claims: Mapping[str, Claim]) -> list[Claim]:
        """What matters most of all that was found, as the claims that stand for it."""
        parts = ranked(self._findings.claims_by_sub_question, self._findings.brief.question)
        # For the conclusion a thinker is shown what they say, and no quotes.
        noted = brief_of(parts, self._settings.brief_tokens, self._settings.notes_tokens, quoted=False)
        standing = (claims[claim.claim_id] for part in noted for claim in part.claims)
        return list({claim.claim_id: claim for claim in standing}.values())

    def _titles(self) -> dict[str, str]:
        return {name: document.title for name, document in self._findings.documents.items()}

    async def _supply(self, section: SectionPlan) -> Material:
        """The claims of a section's sub-questions, with those of the whole question that belong there."""
        findings = self._findings
        rests_on = [
            name for part in findings.sub_questions if part.id in section.sub_questions for name in part.depends_on
        ]
        others = [part.id for part in findings.sub_questions] if self._together else []
        names = list(dict.fromkeys((*section.sub_questions, *rests_on, *others, WHOLE_QUESTION)))
        for name in names:
            await self._ready.wait(name)
        movable = names if self._together else [WHOLE_QUESTION]
        placed = assign_claims(
            [claim for name in movable for claim in findings.of(name).claims], findings.sub_questions
        )
        fixed = () if self._together else section.sub_questions
        own = [claim for name in fixed for claim in findings.of(name).claims]
        for name in section.sub_questions:
            own += [one if one.sub_question == WHOLE_QUESTION else _moved(one, name) for one in placed[name]]
        doubled = twins(own)
        own = [claim for claim in own if claim.claim_id not in doubled]
        verified = [key for name in names for key in findings.of(name).steps]
        comparisons = [one for name in names for one in findings.of(name).comparisons]
        # What speaks against a claim is told where the claim is, whatever it was read for.
        there = {claim.claim_id for claim in own}
        against = {
            side
            for one in comparisons
            if one.relation == "contradict" and not there.isdisjoint((one.first, one.second))
            for side in (one.first, one.second)
        }
        own += [
            claim
            for name in names
            for claim in findings.of(name).opponents.values()
            if claim.claim_id in against - there
        ]
        # What the section rests on stands in another one; here it tells which claims go on from it.
        claims = {claim.claim_id: claim for claim in (*own, *(c for name in names for c in findings.of(name).claims))}
        known = weigh(claims, findings.documents, findings.brief.question)
        claims_here = [known[claim.claim_id] for claim in own]
        settled = settle(claims_here, findings.documents, comparisons, findings.corroborates)
        return Material(tuple(settled.values()), (steps.OUTLINE, *verified))


def _moved(claim: Claim, sub_question: str) -> Claim:
    return claim.model_copy(update={"sub_question": sub_question})


def _opened(
    draft: Draft, written: Sequence[Sentence], said: Sequence[Claim], claims: Mapping[str, Claim], limit: int
) -> tuple[Sentence, ...]:
    """The direct answer within its limit; of what sources dispute it states both sides or neither.

    A sub-question that it answered as `written`, and no longer does, the best claim on it answers. Where there is
    nothing but disputes, the best founded one is the answer.
    """
    sound = both_sided(draft.in_short, claims)
    # Where nothing is left, `opening` has a rule of its own.
    sound = refilled(written, sound, said, claims) if sound else sound
    if shown := both_sided(opening(sound, said, limit), claims) or opening((), said, limit):
        return shown
    sides = [one.sides for one in disputes(draft.differences, claims)][:1]
    each = (limit - len(sides)) // max(1, *map(len, sides)) if sides else 0
    return tuple(side.model_copy(update={"text": shortened(side.text, each)}) for group in sides for side in group)


def renamed(draft: Draft, claims: Mapping[str, Claim]) -> Draft:
    """The draft with every claim's id replaced by that of the claim that stands for it, and no sentence twice."""
    seen: set[str] = set()

    def one(sentence: Sentence) -> Sentence:
        ids = (claims[name].claim_id if name in claims else name for name in sentence.claim_ids)
        return Sentence(text=sentence.text, claim_ids=tuple(dict.fromkeys(ids)))

    def new(sentence: Sentence) -> bool:
        key = " ".join(content_words(sentence.text)) or sentence.text
        return not (key in seen or seen.add(key))

    def section(written: WrittenSection) -> WrittenSection:
        paragraphs = (tuple(one(s) for s in paragraph if new(s)) for paragraph in written.paragraphs)
        return written.model_copy(update={"paragraphs": tuple(filter(None, paragraphs))})

    return draft.model_copy(
        update={
            "in_short": tuple(map(one, draft.in_short)),
            "sections": tuple(done for written in draft.sections if (done := section(written)).paragraphs),
            "differences": tuple(map(one, draft.differences)),
        }
    )
