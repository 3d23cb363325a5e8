"""The questions that a report is written with: outline, write, conclude, and the answer without research."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.answers import ConcludeAnswer, OutlineAnswer, TextAnswer, WriteAnswer
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    FilledPrompt,
    Halves,
    PromptContext,
    PromptSpec,
    in_two,
    joined,
)
from deepresearch_mcp.thinkers.tasks import AnswerDirectly, ConcludeReport, OutlineReport, WriteParagraph

SECTIONS = 6
"""A report with more of them is too long to be read to its end."""
OUTLINE_LEAST = 0.5
"""Below this share of the claims an outline is shown none: the sub-questions say what the report is about."""

_BESIDE = 100
"""Characters of a claim that another paragraph states."""

Sentences = tuple[Sentence, ...]


def outline(task: OutlineReport, context: PromptContext) -> FilledPrompt[OutlineAnswer, Outline]:
    """Ask for a title and sections; each sub-question stands in the first section that names it."""
    brief, share = task.brief, context.share
    labels = Labels("q", task.parts)
    most = max(1, min(SECTIONS, len(task.parts)))

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

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "sections": str(most),
            "language": material.language(brief),
            "parts": material.parts_text(labels, context.nonce, share if share >= OUTLINE_LEAST else 0.0, tried=False),
        },
        result=result,
        max_tokens=200 + 80 * most,
        limits={"sections": {"minItems": 1, "maxItems": most}, "sub_question_ids": {"minItems": 1}},
    )


def _heading(text: str) -> str:
    return one_line(text.strip(" #*."), 120)


def write(task: WriteParagraph, context: PromptContext) -> FilledPrompt[WriteAnswer, Sentences]:
    """Ask for one paragraph over these claims."""
    brief, section = task.brief, task.section
    labels = Labels("c", task.claims)
    number = len(labels.items)
    own = sum(not section.sub_questions or claim.sub_question in section.sub_questions for claim in labels.items)

    def result(answer: WriteAnswer) -> Sentences | None:
        found = sentences_of((item.text, labels.find_all(item.claim_ids)) for item in answer.sentences)
        return found if found or not (own or answer.sentences) else None

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "heading": one_line(section.heading),
            "language": material.language(brief),
            "angle": f"Angle: {one_line(section.angle)}\n" if section.angle else "",
            "beside": _beside(section, context.nonce),
            "claims": material.claims_to_write(labels, context.nonce),
        },
        result=result,
        max_tokens=300 + 120 * number,
        # Claims may share a sentence, but a paragraph far shorter than its claims has left some out. Only claims found
        # for the question as a whole may belong under another heading.
        limits={
            "sentences": {"minItems": math.ceil(own / 2), "maxItems": max(1, number)},
            "claim_ids": {"minItems": 1},
        },
    )


def _beside(section: SectionPlan, nonce: str) -> str:
    """What the section's other paragraphs state, fenced because it comes from pages."""
    parts = (("before", section.before), ("behind", section.behind))
    told = [fence(name, "", "\n".join(one_line(text, _BESIDE) for text in said), nonce) for name, said in parts if said]
    return "".join(f"{block}\n" for block in told)


def sentences_of(found: Iterable[tuple[str, Sequence[Claim]]]) -> Sentences:
    """The sentences without local marks; those without a claim or without words are left out."""
    return tuple(
        Sentence(text=text, claim_ids=tuple(claim.claim_id for claim in claims))
        for raw, claims in found
        if claims and (text := material.prose(raw))
    )


def conclude(task: ConcludeReport, context: PromptContext) -> FilledPrompt[ConcludeAnswer, Sentences]:
    """Ask for the opening, from the sections' sentences, or from the claims where no section was written."""
    brief, max_chars = task.brief, task.max_chars
    labels = Labels("s", _statements(task.sections, task.claims, context.share))
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
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "length": f"one sentence of {most}" if one else f"two or three sentences, together {most}",
            "language": material.language(brief),
            "statements": fence("statements", "", said, context.nonce),
        },
        result=result,
        max_tokens=600,
        limits={
            "sentences": {"minItems": 1, "maxItems": 1 if one else 3},
            "sentence_ids": {"minItems": 1},
            "text": {"maxLength": max_chars},
        },
    )


def _statements(sections: Sequence[WrittenSection], claims: Sequence[Claim], share: float) -> list[Sentence]:
    # The head of each section: so every section loses the same share.
    written = [sentence for section in sections for sentence in material.kept(section.sentences, share)]
    if written:
        return written
    marked = {claim.claim_id: f" ({claim.verdict})" for claim in claims if claim.verdict in {"partly", "disputed"}}
    return [
        Sentence(text=one_line(claim.text) + marked.get(claim.claim_id, ""), claim_ids=(claim.claim_id,))
        for claim in material.kept(claims, share)
    ]


def direct(task: AnswerDirectly, context: PromptContext) -> FilledPrompt[TextAnswer, str]:
    """Ask for an answer from the model's own knowledge."""
    brief = task.brief

    def result(answer: TextAnswer) -> str:
        text = answer.text.strip()
        return "" if text.strip("*\"'. ").upper() == "UNKNOWN" else text

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "length": "at most 140 characters" if brief.request.mode == "answer" else "a few short paragraphs",
            "language": material.language(brief),
            "background": material.background(brief, context.nonce, context.share),
        },
        result=result,
        max_tokens=1_200,
    )


def _halves(task: WriteParagraph) -> Sequence[WriteParagraph]:
    return [replace(task, claims=some) for some in in_two(task.claims)]


OUTLINE = PromptSpec(prompt="outline", role="writer", lines=lines.outline, fill=outline, shape=OutlineAnswer)
WRITE = PromptSpec(
    prompt="write",
    role="writer",
    lines=lines.write,
    fill=write,
    shape=WriteAnswer,
    halves=Halves(_halves, joined),
)
CONCLUDE = PromptSpec(prompt="conclude", role="writer", lines=lines.conclude, fill=conclude, shape=ConcludeAnswer)
DIRECT = PromptSpec(prompt="direct", role="writer", lines=lines.whole, fill=direct)

HANDLERS = (
    OutlineReport.by(OUTLINE.ask),
    WriteParagraph.by(WRITE.ask),
    ConcludeReport.by(CONCLUDE.ask),
    AnswerDirectly.by(DIRECT.ask),
)
