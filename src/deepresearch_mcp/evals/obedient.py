"""A thinker that does whatever the text it is shown tells it to do: the worst reader that a page can find."""

import re
from collections.abc import Iterable, Sequence

from typing_extensions import override

from deepresearch_mcp.injection.orders import is_order
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Claim, ClaimDraft, FollowUp, Judgement, Lead, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.urls import addresses_in
from deepresearch_mcp.thinkers.base import Doubt, SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

RUN = 6
"""Words in a row of an instruction that tell it from anything else; all of them, where it is shorter."""

_WORD = re.compile(r"\w+")


def runs_of(instruction: str) -> frozenset[str]:
    """What is looked for: every `RUN` consecutive words, in lower case with one blank between them."""
    said = _WORD.findall(instruction.casefold())
    size = min(RUN, len(said))
    return (
        frozenset(f" {' '.join(said[at : at + size])} " for at in range(len(said) - size + 1)) if size else frozenset()
    )


def holds(text: str, runs: Iterable[str]) -> bool:
    """Whether one of the runs stands in a text."""
    said = f" {' '.join(_WORD.findall(text.casefold()))} "
    return any(run in said for run in runs)


class Obedient(Extractive):
    """Does the work of the extractive engine, and above that every instruction that it can see.

    It knows the planted instructions by heart (`runs`), so that none escapes it however it is cut; and it takes
    whatever else reads like an order for one. Each is copied wherever there is a field for it: as a claim with its own
    words as quote, as a claim on somebody else's words, as a query, bare and behind the words of the question, as an
    address, a sub-question, a heading, a gap, a sentence of every text. It finds every claim supported.
    """

    def __init__(self, runs: Iterable[str]) -> None:
        self.runs = frozenset(runs)
        self.obeyed: set[str] = set()
        """What it saw and did."""

    @property
    @override
    def name(self) -> str:
        return "obedient"

    def _orders(self, *texts: str) -> list[str]:
        found: dict[str, None] = {}
        for text in texts:
            whole = holds(text, self.runs)
            cut = [text[span.start : span.end] for span in sentences(text)]
            known = [one for one in cut if whole and holds(one, self.runs)]
            # A run that the cut goes through is in no sentence: then the whole text is taken.
            found |= dict.fromkeys(known or ([text] if whole else []))
            found |= dict.fromkeys(one for one in cut if is_order(one))
        self.obeyed.update(found)
        return list(found)

    @override
    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        honest = await super().plan(brief, parts, queries, step)
        orders = self._orders(brief.background)
        more = tuple(SubQuestion(id=f"o{n}", text=text[:1000], queries=(text[:300],)) for n, text in enumerate(orders))
        return honest.model_copy(update={"sub_questions": (*more, *honest.sub_questions)[:8]})

    @override
    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        honest = await super().read(brief, sub_question, passages, limit, step)
        claims: list[ClaimDraft] = []
        leads: list[Lead] = []
        for passage in passages:
            first = next((passage.text[s.start : s.end] for s in sentences(passage.text)), passage.text)
            for order in self._orders(passage.heading, passage.text):
                claims += (
                    ClaimDraft(text=order, quote=order, passage_id=passage.passage_id),
                    ClaimDraft(text=order, quote=first, passage_id=passage.passage_id),
                )
                leads += (Lead(query=order), Lead(query=f"{sub_question.text} {order}"))
                leads += (Lead(url=url if "://" in url else f"https://{url}/") for url in addresses_in(order))
        return Reading(claims=(*claims, *honest.claims), leads=(*leads, *honest.leads))

    @override
    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        return tuple(Judgement(claim_id=claim.claim_id, verdict="supported") for claim in claims)

    @override
    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        honest = await super().assess(brief, parts, queries, step)
        seen = [(part.sub_question.id, order) for part in parts for order in self._orders(*_shown(part.claims))]
        asked = tuple(FollowUp(sub_question=name, query=order) for name, order in seen)
        gaps = tuple(order for _, order in seen)
        return honest.model_copy(update={"follow_ups": (*asked, *honest.follow_ups), "gaps": (*gaps, *honest.gaps)})

    @override
    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        honest = await super().outline(brief, parts, step)
        orders = self._orders(*(text for part in parts for text in _shown(part.claims)))
        if not orders:
            return honest
        own = tuple(
            SectionPlan(heading=order, sub_questions=section.sub_questions)
            for order, section in zip(orders * len(honest.sections), honest.sections, strict=False)
        )
        return Outline(title=orders[0], sections=own)

    @override
    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return (*self._prose(claims, section.heading), *await super().write(brief, section, claims, step))

    @override
    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        written = [said.text for section in sections for paragraph in section.paragraphs for said in paragraph]
        return (*self._prose(claims, *written), *await super().conclude(brief, sections, claims, max_chars, step))

    @override
    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        return Critique(notes=tuple(self._orders(*_shown(claims))), factuality=10, coherence=10)

    @override
    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        more = self._prose(claims, *critique.notes)
        return section.model_copy(update={"paragraphs": (*section.paragraphs, more)}) if more else section

    @override
    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return tuple(doubt.sentence for doubt in doubts)

    def _prose(self, claims: Sequence[Claim], *texts: str) -> tuple[Sentence, ...]:
        ids = tuple(claim.claim_id for claim in claims[:1])
        return tuple(Sentence(text=order, claim_ids=ids) for order in self._orders(*_shown(claims), *texts))


def _shown(claims: Iterable[Claim]) -> list[str]:
    """What a model is shown of claims to write or ask by: context is for its verdict only."""
    return [text for claim in claims for text in (claim.text, *(quote.text for quote in claim.quotes))]
