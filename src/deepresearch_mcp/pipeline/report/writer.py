"""Write: sections in parallel from verified claims alone, each once the sub-questions it rests on are done."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from deepresearch_mcp.events import EventSink, SectionWritten
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.report.audit import soundness, unproven
from deepresearch_mcp.pipeline.report.select_claims import grouped, pick
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.tasks import ConcludeReport, CritiqueDraft, OutlineReport, ReviseSection, WriteParagraph

_PARAGRAPH = 5
"""Sentences."""

IN_SHORT_CHARS = 700
"""Asked of the writer."""
_OVER = 1.3
"""How much longer it may come out: a sentence that was worded down is sometimes longer than it was."""
ANSWER_CHARS = 140

ANGLES = (
    "",
    "the answer to the question first, then what it rests on",
    "what is surest and best witnessed first, then what is less so; doubts beside what they touch",
    "in the order of time, or of the steps of what happens, where the claims have one",
    "one subject after the other, all claims on one together, in the fewest words that lose nothing",
)
"""What tells the drafts of one report apart; the first draft is the one that is made where there is only one."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a section is made of, once its sub-questions are done."""

    claims: tuple[Claim, ...]
    needs: tuple[str, ...]


Supply = Callable[[SectionPlan], Awaitable[Material]]
"""Waits for a section's sub-questions and hands over their verified claims."""


def arrange(
    outline: Outline, sub_questions: Sequence[SubQuestion], question: str, claims: Sequence[Claim] = ()
) -> Outline:
    """The outline with every sub-question in exactly one section, and no section without one.

    A heading carries no citation: one with an address, a figure, a name or a comparison that neither the question nor
    the claims hold gives way to what was asked.
    """
    known = {part.id: part for part in sub_questions}
    asked = "\n".join((question, *(part.text for part in sub_questions)))
    held = "\n".join((asked, *(claim.text for claim in claims), *(claim.quotes[0].context for claim in claims)))
    placed: set[str] = set()
    sections: list[SectionPlan] = []
    for section in outline.sections:
        ids = tuple(name for name in dict.fromkeys(section.sub_questions) if name in known and name not in placed)
        placed.update(ids)
        if ids:
            heading = _sound(section.heading, held) or known[ids[0]].text
            sections.append(SectionPlan(heading=heading[:150], sub_questions=ids))
    rest = [part for part in sub_questions if part.id not in placed]
    sections += [SectionPlan(heading=part.text[:150], sub_questions=(part.id,)) for part in rest]
    return Outline(title=_sound(outline.title, held)[:200] or question[:200], sections=tuple(sections))


def _sound(heading: str, known: str) -> str:
    """The heading on one line; empty where it states what cannot be checked."""
    line = " ".join(heading.split()).strip("# ")
    return "" if unproven(line, known) else line


@dataclass(frozen=True, slots=True)
class ReviewMaterial:
    """What drafts are judged and revised by."""

    claims: Mapping[str, Claim]
    """Every claim's id with the claim that stands for it."""
    titles: Mapping[str, str]
    """Every source's id with its title."""
    brief: Sequence[Claim] = ()
    """What matters most of all that was found: what a draft should not leave out."""


_UNREAD = Critique(factuality=5, coherence=5)
"""Of a draft that could not be judged: neither good nor bad."""


class Writer:
    """Writes one report; every call names its subject, so drafts and sections may be written at once."""

    def __init__(self, brief: Brief, thinker: Thinker, settings: ResearchSettings, emit: EventSink) -> None:
        self._brief = brief
        self._thinker = thinker
        self._settings = settings
        self._emit = emit

    async def outline(self, parts: Sequence[SubQuestionEvidence], needs: tuple[str, ...]) -> Outline:
        """A title and sections; made while claims are still coming in."""
        outline = await self._thinker.ask(OutlineReport(self._brief, parts), Step(steps.OUTLINE, needs))
        claims = [claim for part in parts for claim in part.claims]
        return arrange(outline, [part.sub_question for part in parts], self._brief.question, claims)

    async def draft(self, outline: Outline, supply: Supply, number: int = 1) -> tuple[Draft, tuple[str, ...]]:
        """All sections, and the keys of the steps that wrote them."""

        async def section(plan: SectionPlan) -> tuple[WrittenSection, tuple[str, ...]]:
            material = await supply(plan)
            angled = plan.model_copy(update={"angle": ANGLES[(number - 1) % len(ANGLES)]})
            written, keys = await self._section(angled, material, number)
            self._emit(SectionWritten(plan.heading, tuple(claim.claim_id for claim in material.claims)))
            return written, keys

        results = list(await anyio.amap(section, outline.sections))
        sections = tuple(written for written, _ in results if written.paragraphs)
        return Draft(title=outline.title, sections=sections), tuple(key for _, keys in results for key in keys)

    async def _section(
        self, plan: SectionPlan, material: Material, number: int
    ) -> tuple[WrittenSection, tuple[str, ...]]:
        size = self._thinker.paragraph_claims or self._settings.paragraph_claims
        # Who takes more at once than a section is given can choose from more.
        claims = pick(material.claims, max(self._settings.section_claims, self._thinker.paragraph_claims))

        groups = grouped(claims, size)

        async def paragraph(number_of: int) -> tuple[tuple[Sentence, ...], str]:
            group = groups[number_of]
            # They are written at once: each is told what the others tell.
            beside = plan.model_copy(
                update={
                    "before": tuple(claim.text for other in groups[:number_of] for claim in other),
                    "behind": tuple(claim.text for other in groups[number_of + 1 :] for claim in other),
                }
            )
            key = steps.write(number, plan.sub_questions, [claim.claim_id for claim in group])
            step = Step(key, material.needs)
            return tuple(await self._thinker.ask(WriteParagraph(self._brief, beside, group), step)), step.key

        written = list(await anyio.amap(paragraph, range(len(groups))))
        paragraphs = tuple(part for sentences, _ in written for part in _parted(sentences))
        return WrittenSection(heading=plan.heading, paragraphs=paragraphs), tuple(key for _, key in written)

    async def improve(
        self, drafts: Mapping[int, Draft], evidence: ReviewMaterial, needs: tuple[str, ...]
    ) -> tuple[Draft, tuple[str, ...]]:
        """The best draft by its number, revised where its critic is right.

        Coherence is the critic's mark, 1 to 10. Factuality is the critic's too, times the share of sentences in which
        the machine finds nothing wrong: what would be removed anyway speaks for no draft. A critic or reviser that
        fails leaves a draft as it is.
        """
        claims = evidence.claims

        async def criticise(numbered: tuple[int, Draft]) -> tuple[int, Critique]:
            number, draft = numbered
            step = Step(steps.critique(number), needs)
            try:
                return number, await self._thinker.ask(CritiqueDraft(self._brief, draft, _shown(draft, evidence)), step)
            except KeyRefused:
                raise
            except (ProviderError, BudgetExceeded):
                return number, _UNREAD

        critiques = dict(await anyio.amap(criticise, list(drafts.items())))

        def worth(number: int) -> tuple[float, int]:
            sound = soundness(drafts[number], claims, evidence.titles, self._brief.language)
            return critiques[number].factuality * sound + critiques[number].coherence, -number

        best = max(drafts, key=worth)
        draft, critique = drafts[best], critiques[best]
        unsaid = _shown(draft, evidence)[len(stated(draft, claims)) :]
        key = steps.critique(best)
        if not critique.notes:
            return draft, (*needs, key)

        async def revise(numbered: tuple[int, WrittenSection]) -> WrittenSection:
            number, section = numbered
            own = stated(Draft(title="", sections=(section,)), claims)
            about = {claim.sub_question for claim in own}
            own += [claim for claim in unsaid if claim.sub_question in about]
            step = Step(steps.revise(number), (key,))
            try:
                return await self._thinker.ask(ReviseSection(self._brief, section, critique, own), step)
            except KeyRefused:
                raise
            except (ProviderError, BudgetExceeded):
                return section

        sections = list(await anyio.amap(revise, list(enumerate(draft.sections, 1))))
        keys = tuple(steps.revise(number) for number in range(1, len(sections) + 1))
        return draft.model_copy(update={"sections": tuple(sections)}), keys

    async def conclude(
        self, sections: Sequence[WrittenSection], claims: Sequence[Claim], needs: tuple[str, ...]
    ) -> tuple[Sentence, ...]:
        """The direct answer, last: it may say nothing that the sections do not. Its length is `opening`'s to hold."""
        limit = opening_chars(self._brief)
        task = ConcludeReport(self._brief, sections, claims, limit)
        return tuple(await self._thinker.ask(task, Step(steps.CONCLUDE, needs)))


def opening_chars(brief: Brief) -> int:
    """How long the direct answer may be."""
    return ANSWER_CHARS if brief.request.mode == "answer" else IN_SHORT_CHARS


def opening_limit(brief: Brief) -> int:
    """How long it may stay once it was audited; an answer of `mode=answer` never exceeds what was promised."""
    return ANSWER_CHARS if brief.request.mode == "answer" else round(_OVER * IN_SHORT_CHARS)


def opening(sentences: Sequence[Sentence], claims: Sequence[Claim], limit: int) -> tuple[Sentence, ...]:
    """The direct answer in at most `limit` characters, blanks between sentences included.

    Whole sentences from the first on; where not one fits or none is left, the best supported claim that fits, as it
    stands; only then a sentence cut with `…`.
    """
    kept: list[Sentence] = []
    left = limit
    for sentence in sentences:
        if len(sentence.text) > left:
            break
        kept.append(sentence)
        left -= len(sentence.text) + 1
    if kept:
        return tuple(kept)
    sound = [claim for claim in claims if claim.verdict == "supported"]
    sound.sort(key=lambda claim: (len(claim.text) > limit, -claim.backing, -claim.score))
    own = [Sentence(text=claim.text, claim_ids=(claim.claim_id,)) for claim in sound]
    whole = [sentence for sentence in own if len(sentence.text) <= limit]
    if whole or not (too_long := [*sentences, *own]):
        return tuple(whole[:1])
    return (too_long[0].model_copy(update={"text": shortened(too_long[0].text, limit)}),)


def shortened(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut between words and marked with `…` where it is longer."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if text[limit - 1].isalnum() and " " in head:
        head = head[: head.rfind(" ")]
    return head.rstrip(" ,;:–—-") + "…"


def _shown(draft: Draft, evidence: ReviewMaterial) -> list[Claim]:
    """What a draft states, and behind it what of the brief it leaves out."""
    said = stated(draft, evidence.claims)
    names = {claim.claim_id for claim in said}
    return [*said, *(claim for claim in evidence.brief if claim.claim_id not in names)]


def _parted(sentences: Sequence[Sentence]) -> list[tuple[Sentence, ...]]:
    """Paragraphs of about equal length that a reader can take in."""
    count = -(-len(sentences) // _PARAGRAPH)
    return [tuple(sentences[len(sentences) * i // count : len(sentences) * (i + 1) // count]) for i in range(count)]


def stated(draft: Draft, claims: Mapping[str, Claim]) -> list[Claim]:
    """The claims that stand for those a draft's sentences name, in order, each once."""
    ids = [
        name
        for section in draft.sections
        for paragraph in section.paragraphs
        for sentence in paragraph
        for name in sentence.claim_ids
    ]
    return list({claims[name].claim_id: claims[name] for name in ids if name in claims}.values())
