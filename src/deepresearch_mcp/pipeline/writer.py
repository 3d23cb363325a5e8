"""Write: sections in parallel from verified claims alone, each once the sub-questions it rests on are done."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from deepresearch_mcp.events import SectionWritten, Tell
from deepresearch_mcp.pipeline.audit import unbacked
from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.settings import ResearchSettings
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.base import Part, Thinker

_PARAGRAPH = 5
"""Sentences."""

IN_SHORT_CHARS = 700
ANSWER_CHARS = 140


@dataclass(frozen=True, slots=True)
class Material:
    """What a section is made of, once its sub-questions are done."""

    claims: tuple[Claim, ...]
    needs: tuple[str, ...]


Supply = Callable[[SectionPlan], Awaitable[Material]]
"""Waits for a section's sub-questions and hands over their verified claims."""


def arrange(outline: Outline, sub_questions: Sequence[SubQuestion], question: str) -> Outline:
    """The outline with every sub-question in exactly one section, and no section without one.

    A heading carries no citation: one with an address or a figure that was not asked about gives way to the question.
    """
    known = {part.id: part for part in sub_questions}
    asked = "\n".join((question, *(part.text for part in sub_questions)))
    placed: set[str] = set()
    sections: list[SectionPlan] = []
    for section in outline.sections:
        ids = tuple(name for name in dict.fromkeys(section.sub_questions) if name in known and name not in placed)
        placed.update(ids)
        if ids:
            heading = _sound(section.heading, asked) or known[ids[0]].text
            sections.append(SectionPlan(heading=heading[:150], sub_questions=ids))
    rest = [part for part in sub_questions if part.id not in placed]
    sections += [SectionPlan(heading=part.text[:150], sub_questions=(part.id,)) for part in rest]
    return Outline(title=_sound(outline.title, asked)[:200] or question[:200], sections=tuple(sections))


def _sound(heading: str, asked: str) -> str:
    """The heading on one line; empty where it states what nobody could check."""
    line = " ".join(heading.split()).strip("# ")
    return "" if unbacked(line, asked) else line


def place(claims: Sequence[Claim], sub_questions: Sequence[SubQuestion]) -> dict[str, list[Claim]]:
    """Claims of the question as a whole, each with the sub-question whose words it is nearest to."""
    placed: dict[str, list[Claim]] = {part.id: [] for part in sub_questions}
    ranker = Ranker([" ".join((part.text, *part.queries)) for part in sub_questions])
    for claim in claims:
        scores = ranker.scores(claim.text)
        placed[sub_questions[scores.index(max(scores))].id].append(claim)
    return placed


def pick(claims: Sequence[Claim], limit: int) -> list[Claim]:
    """The claims worth writing, in reading order: one of each source before a second of any.

    Supported ones before partly supported, then by score, the reader's confidence and witnesses.
    """
    distinct = list({claim.claim_id: claim for claim in claims}.values())
    best = sorted(distinct, key=lambda claim: (claim.verdict != "supported", -_worth(claim)))
    sources: set[str] = set()
    turn = {claim.claim_id: (source := claim.quotes[0].source_id) in sources or sources.add(source) for claim in best}
    best.sort(key=lambda claim: bool(turn[claim.claim_id]))
    chosen = {claim.claim_id for claim in best[:limit]}
    return [claim for claim in distinct if claim.claim_id in chosen]


def _worth(claim: Claim) -> float:
    sure = {"high": 0.1, "medium": 0.0, "low": -0.1}[claim.confidence]
    return claim.score + sure + 0.05 * min(3, claim.independent - 1)


class Writer:
    """Writes one report; every call names its subject, so drafts and sections may be written at once."""

    def __init__(self, brief: Brief, thinker: Thinker, settings: ResearchSettings, tell: Tell) -> None:
        self._brief = brief
        self._thinker = thinker
        self._settings = settings
        self._tell = tell

    async def outline(self, parts: Sequence[Part], needs: tuple[str, ...]) -> Outline:
        """A title and sections; made while claims are still coming in."""
        outline = await self._thinker.outline(self._brief, parts, At("outline", needs))
        return arrange(outline, [part.sub_question for part in parts], self._brief.question)

    async def draft(self, outline: Outline, supply: Supply, number: int = 1) -> tuple[Draft, tuple[str, ...]]:
        """All sections, and the keys of the steps that wrote them."""

        async def section(plan: SectionPlan) -> tuple[WrittenSection, tuple[str, ...]]:
            material = await supply(plan)
            written, keys = await self._section(plan, material, number)
            self._tell(SectionWritten(plan.heading))
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
        count = -(-len(claims) // size)
        # Even paragraphs: 8 claims are 4 and 4, not 6 and 2.
        groups = [claims[len(claims) * i // count : len(claims) * (i + 1) // count] for i in range(count)]

        async def paragraph(group: Sequence[Claim]) -> tuple[tuple[Sentence, ...], str]:
            # With the section: two of them may rest on the very same claims.
            subject = (*plan.sub_questions, *(claim.claim_id for claim in group))
            digest = hashlib.sha256("\0".join(subject).encode()).hexdigest()[:12]
            at = At(f"write/{number}/{digest}", material.needs)
            return tuple(await self._thinker.write(self._brief, plan, group, at)), at.key

        written = list(await anyio.amap(paragraph, groups))
        paragraphs = tuple(part for sentences, _ in written for part in _parted(sentences))
        return WrittenSection(heading=plan.heading, paragraphs=paragraphs), tuple(key for _, key in written)

    async def improve(
        self, drafts: Sequence[Draft], claims: Mapping[str, Claim], needs: tuple[str, ...]
    ) -> tuple[Draft, tuple[str, ...]]:
        """The best draft, revised where its critic is right."""

        async def criticise(numbered: tuple[int, Draft]) -> Critique:
            number, draft = numbered
            at = At(f"critique/{number}", needs)
            return await self._thinker.critique(self._brief, draft, stated(draft, claims), at)

        critiques = list(await anyio.amap(criticise, list(enumerate(drafts, 1))))
        best = max(range(len(drafts)), key=lambda i: (critiques[i].factuality + critiques[i].coherence, -i))
        draft, critique = drafts[best], critiques[best]
        key = f"critique/{best + 1}"
        if not critique.notes:
            return draft, (*needs, key)

        async def revise(numbered: tuple[int, WrittenSection]) -> WrittenSection:
            number, section = numbered
            own = stated(Draft(title="", sections=(section,)), claims)
            return await self._thinker.revise(self._brief, section, critique, own, At(f"revise/{number}", (key,)))

        sections = list(await anyio.amap(revise, list(enumerate(draft.sections, 1))))
        keys = tuple(f"revise/{number}" for number in range(1, len(sections) + 1))
        return draft.model_copy(update={"sections": tuple(sections)}), keys

    async def conclude(
        self, sections: Sequence[WrittenSection], claims: Sequence[Claim], needs: tuple[str, ...]
    ) -> tuple[Sentence, ...]:
        """The direct answer, last: it may say nothing that the sections do not. Its length is `opening`'s to hold."""
        limit = opening_chars(self._brief)
        return tuple(await self._thinker.conclude(self._brief, sections, claims, limit, At("conclude", needs)))


def opening_chars(brief: Brief) -> int:
    """How long the direct answer may be."""
    return ANSWER_CHARS if brief.request.mode == "answer" else IN_SHORT_CHARS


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
    sound.sort(key=lambda claim: (len(claim.text) > limit, -claim.independent, -claim.score))
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
