"""The questions that a report is written with: outline, write, conclude."""

import math
from collections.abc import Iterable, Sequence

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.answers import ConcludeAnswer, OutlineAnswer, WriteAnswer
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptSpec

SECTIONS = 6
"""More of them make a report too long to be read to its end."""
OUTLINE_LEAST = 0.5
"""Share of the claims under which an outline does without any: the sub-questions say what a report is about."""

_BESIDE = 100
"""Characters of a claim that another paragraph tells."""

Sentences = tuple[Sentence, ...]


def outline(
    brief: Brief, parts: Sequence[SubQuestionEvidence], nonce: str, share: float
) -> PromptSpec[OutlineAnswer, Outline]:
    """A title, and each sub-question in the first section that names it."""
    labels = Labels("q", parts)
    most = max(1, min(SECTIONS, len(parts)))

    def result(answer: OutlineAnswer) -> Outline | None:
        taken: set[str] = set()
        sections: list[SectionPlan] = []
        for item in answer.sections:
            ids = [part.sub_question.id for part in labels.find_all(item.sub_question_ids)]
            fresh = tuple(name for name in ids if name not in taken)
            if fresh and item.heading.strip():
                taken.update(fresh)
                sections.append(SectionPlan(heading=_heading(item.heading), sub_questions=fresh))
        title = _heading(answer.title) or one_line(brief.question, 120)
        return Outline(title=title, sections=tuple(sections[:most])) if sections else None

    return PromptSpec(
        prompt="outline",
        role="writer",
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "sections": str(most),
            "language": material.language(brief),
            "parts": material.parts_text(labels, nonce, share if share >= OUTLINE_LEAST else 0.0, tried=False),
        },
        shape=OutlineAnswer,
        lines=lines.outline,
        result=result,
        max_tokens=200 + 80 * most,
        limits={"sections": {"minItems": 1, "maxItems": most}, "sub_question_ids": {"minItems": 1}},
    )


def _heading(text: str) -> str:
    return one_line(text.strip(" #*."), 120)


def write(
    brief: Brief, section: SectionPlan, claims: Sequence[Claim], nonce: str, share: float
) -> PromptSpec[WriteAnswer, Sentences]:
    """One paragraph over these claims."""
    labels = Labels("c", material.kept(claims, share))
    number = len(labels.items)
    own = sum(not section.sub_questions or claim.sub_question in section.sub_questions for claim in labels.items)

    def result(answer: WriteAnswer) -> Sentences | None:
        found = sentences_of((item.text, labels.find_all(item.claim_ids)) for item in answer.sentences)
        return found if found or not (own or answer.sentences) else None

    return PromptSpec(
        prompt="write",
        role="writer",
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "heading": one_line(section.heading),
            "language": material.language(brief),
            "angle": f"Angle: {one_line(section.angle)}\n" if section.angle else "",
            "beside": _beside(section, nonce),
            "claims": material.claims_to_write(labels, nonce),
        },
        shape=WriteAnswer,
        lines=lines.write,
        result=result,
        max_tokens=300 + 120 * number,
        # A few claims may share a sentence; a paragraph far shorter than its claims has left some out. Only what was
        # found for the question as a whole may belong under another heading.
        limits={
            "sentences": {"minItems": math.ceil(own / 2), "maxItems": max(1, number)},
            "claim_ids": {"minItems": 1},
        },
    )


def _beside(section: SectionPlan, nonce: str) -> str:
    """What the section's other paragraphs tell, fenced: it was made from pages."""
    parts = (("before", section.before), ("behind", section.behind))
    told = [fence(name, "", "\n".join(one_line(text, _BESIDE) for text in said), nonce) for name, said in parts if said]
    return "".join(f"{block}\n" for block in told)


def sentences_of(found: Iterable[tuple[str, Sequence[Claim]]]) -> Sentences:
    """What was written, without local marks; a sentence without a claim, or without words, is left out."""
    return tuple(
        Sentence(text=text, claim_ids=tuple(claim.claim_id for claim in claims))
        for raw, claims in found
        if claims and (text := material.prose(raw))
    )


def conclude(
    brief: Brief,
    sections: Sequence[WrittenSection],
    claims: Sequence[Claim],
    max_chars: int,
    nonce: str,
    share: float,
) -> PromptSpec[ConcludeAnswer, Sentences]:
    """The opening, from the sections' sentences; from the claims themselves where no section was written."""
    labels = Labels("s", _statements(sections, claims, share))
    one = brief.request.mode == "answer"

    def result(answer: ConcludeAnswer) -> Sentences | None:
        found: list[Sentence] = []
        for item in answer.sentences:
            rests_on = [name for said in labels.find_all(item.sentence_ids) for name in said.claim_ids]
            if rests_on and (text := material.prose(item.text)):
                found.append(Sentence(text=text, claim_ids=tuple(dict.fromkeys(rests_on))))
        return tuple(found) or None

    said = "\n".join(f"[{name}] {one_line(sentence.text)}" for name, sentence in labels.named())
    most = f"at most {max_chars} characters"
    return PromptSpec(
        prompt="conclude",
        role="writer",
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "length": f"one sentence of {most}" if one else f"two or three sentences, together {most}",
            "language": material.language(brief),
            "statements": fence("statements", "", said, nonce),
        },
        shape=ConcludeAnswer,
        lines=lines.conclude,
        result=result,
        max_tokens=600,
        limits={
            "sentences": {"minItems": 1, "maxItems": 1 if one else 3},
            "sentence_ids": {"minItems": 1},
            "text": {"maxLength": max_chars},
        },
    )


def _statements(sections: Sequence[WrittenSection], claims: Sequence[Claim], share: float) -> list[Sentence]:
    # From the head of each section, so that what does not fit is left out evenly.
    written = [
        sentence
        for section in sections
        for sentence in material.kept([one for paragraph in section.paragraphs for one in paragraph], share)
    ]
    if written:
        return written
    marked = {claim.claim_id: f" ({claim.verdict})" for claim in claims if claim.verdict in {"partly", "disputed"}}
    return [
        Sentence(text=one_line(claim.text) + marked.get(claim.claim_id, ""), claim_ids=(claim.claim_id,))
        for claim in material.kept(claims, share)
    ]
