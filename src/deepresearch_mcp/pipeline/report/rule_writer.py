"""Write by rule: sections from verified claims alone, each claim as its page words it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from deepresearch_mcp.events import EventSink, SectionWritten
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.report.opening import ANSWER_CHARS
from deepresearch_mcp.pipeline.report.select_claims import grouped, pick
from deepresearch_mcp.pipeline.report.unbacked import unproven
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.tasks import ConcludeReport, OutlineReport, WriteParagraph

SECTION_CLAIMS = 12
PARAGRAPH_CLAIMS = 4
_IN_SHORT_CHARS = 700
"""The most characters of an opening."""
_PARAGRAPH = 5
"""Sentences."""


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


class RuleWriter:
    """Writes one report; every call names its subject, so drafts and sections may be written at once."""

    def __init__(self, brief: Brief, thinker: Thinker, emit: EventSink) -> None:
        self._brief = brief
        self._thinker = thinker
        self._emit = emit

    async def outline(self, parts: Sequence[SubQuestionEvidence], needs: tuple[str, ...]) -> Outline:
        """A title and sections; made while claims are still coming in."""
        outline = await self._thinker.ask(OutlineReport(self._brief, parts), Step(steps.OUTLINE, needs))
        claims = [claim for part in parts for claim in part.claims]
        return arrange(outline, [part.sub_question for part in parts], self._brief.question, claims)

    async def draft(self, outline: Outline, supply: Supply) -> tuple[Draft, tuple[str, ...]]:
        """All sections, and the keys of the steps that wrote them."""

        async def section(plan: SectionPlan) -> tuple[WrittenSection, tuple[str, ...]]:
            material = await supply(plan)
            written, keys = await self._section(plan, material)
            self._emit(SectionWritten(plan.heading, tuple(claim.claim_id for claim in material.claims)))
            return written, keys

        results = list(await anyio.amap(section, outline.sections))
        sections = tuple(written for written, _ in results if written.blocks)
        return Draft(title=outline.title, sections=sections), tuple(key for _, keys in results for key in keys)

    async def _section(self, plan: SectionPlan, material: Material) -> tuple[WrittenSection, tuple[str, ...]]:
        size = self._thinker.paragraph_claims or PARAGRAPH_CLAIMS
        # A thinker that takes more at once than a section is given can choose from more.
        claims = pick(material.claims, max(SECTION_CLAIMS, self._thinker.paragraph_claims))

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
            key = steps.write(1, plan.sub_questions, [claim.claim_id for claim in group])
            step = Step(key, material.needs)
            return tuple(await self._thinker.ask(WriteParagraph(self._brief, beside, group), step)), step.key

        written = list(await anyio.amap(paragraph, range(len(groups))))
        paragraphs = tuple(part for sentences, _ in written for part in _parted(sentences))
        return WrittenSection.of_prose(plan.heading, paragraphs), tuple(key for _, key in written)

    async def conclude(
        self, sections: Sequence[WrittenSection], claims: Sequence[Claim], needs: tuple[str, ...]
    ) -> tuple[Sentence, ...]:
        """The direct answer, last: it may say nothing that the sections do not. Its length is `opening`'s to hold."""
        limit = ANSWER_CHARS if self._brief.request.mode == "answer" else _IN_SHORT_CHARS
        task = ConcludeReport(self._brief, sections, claims, limit)
        return tuple(await self._thinker.ask(task, Step(steps.CONCLUDE, needs)))


def _parted(sentences: Sequence[Sentence]) -> list[tuple[Sentence, ...]]:
    """Paragraphs of about equal length that a reader can take in."""
    count = -(-len(sentences) // _PARAGRAPH)
    return [tuple(sentences[len(sentences) * i // count : len(sentences) * (i + 1) // count]) for i in range(count)]


def stated(draft: Draft, claims: Mapping[str, Claim]) -> list[Claim]:
    """The claims that stand for those a draft's sentences name, in order, each once."""
    ids = [name for section in draft.sections for sentence in section.sentences for name in sentence.rests_on]
    return list({claims[name].claim_id: claims[name] for name in ids if name in claims}.values())
