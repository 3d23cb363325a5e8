"""Compose by rule: the report of an engine that asks no model."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deepresearch_mcp.events import EventSink
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.memory import brief_of
from deepresearch_mcp.pipeline.placing import assign_claims, twins
from deepresearch_mcp.pipeline.report.rule_writer import Material, RuleWriter, stated
from deepresearch_mcp.pipeline.report.select_claims import ranked
from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.pipeline.settling import settle
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, SectionPlan
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker

BRIEF_TOKENS = 3_000
_OUTLINED = 4
"""Part of the brief that an outline is made from: it wants to know what each sub-question turned out to be about."""


class RuleReport(NamedTuple):
    """What rules wrote."""

    draft: Draft
    claims: Mapping[str, Claim]
    said: Sequence[Claim]
    """Claims that the direct answer may state."""


class RuleComposer:
    """Writes up findings by rule: sections, then the direct answer."""

    def __init__(self, findings: Findings, thinker: Thinker, settings: ResearchSettings, emit: EventSink) -> None:
        self._findings = findings
        self._settings = settings
        self._writer = RuleWriter(findings.brief, thinker, emit)

    async def write(self) -> RuleReport:
        """The draft with its opening, the claims that there are, and those that the opening may state."""
        findings = self._findings
        if findings.brief.request.mode == "answer":
            draft, needs = Draft(title=findings.brief.question[:200]), findings.steps
        else:
            parts = self._noted(findings.claims_by_sub_question, BRIEF_TOKENS // _OUTLINED)
            outline = await self._writer.outline(parts, findings.steps)
            draft, needs = await self._writer.draft(outline, self._supply)
        claims = weigh(findings.settled(), findings.documents, findings.brief.question)
        said = stated(draft, claims) if draft.sections else self._brief_claims(claims)
        in_short = await self._writer.conclude(draft.sections, said, needs) if said else ()
        return RuleReport(draft.model_copy(update={"in_short": in_short}), claims, said)

    def _noted(self, parts: Sequence[SubQuestionEvidence], tokens: int) -> list[SubQuestionEvidence]:
        return brief_of(parts, tokens, self._settings.notes_tokens)

    def _brief_claims(self, claims: Mapping[str, Claim]) -> list[Claim]:
        """What matters most of all that was found, as the claims that stand for it."""
        parts = ranked(self._findings.claims_by_sub_question, self._findings.brief.question)
        # For the conclusion a thinker is shown what they say, and no quotes.
        noted = brief_of(parts, BRIEF_TOKENS, self._settings.notes_tokens, quoted=False)
        standing = (claims[claim.claim_id] for part in noted for claim in part.claims)
        return list({claim.claim_id: claim for claim in standing}.values())

    async def _supply(self, section: SectionPlan) -> Material:
        """The claims of a section's sub-questions, with those of the whole question that belong there."""
        findings = self._findings
        names = [*(part.id for part in findings.sub_questions), WHOLE_QUESTION]
        placed = assign_claims([claim for name in names for claim in findings.of(name).claims], findings.sub_questions)
        own: list[Claim] = []
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
