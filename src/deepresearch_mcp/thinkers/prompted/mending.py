"""The questions that a report is mended with: critique, revise."""

import re
from collections.abc import Mapping, Sequence

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Critique, Draft, Sentence, WrittenSection
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.answers import CritiqueAnswer, ReviseAnswer
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    FilledPrompt,
    PromptContext,
    PromptSpec,
)
from deepresearch_mcp.thinkers.prompted.writing import sentences_of
from deepresearch_mcp.thinkers.tasks import CritiqueDraft, ReviseSection


def critique(task: CritiqueDraft, context: PromptContext) -> FilledPrompt[CritiqueAnswer, Critique]:
    """Ask for notes on a draft and marks for it."""
    brief, nonce = task.brief, context.nonce
    labels = Labels("c", material.kept(task.claims, context.share))

    def result(answer: CritiqueAnswer) -> Critique:
        notes = tuple(_lasting(one_line(note, 400), labels) for note in answer.notes if note.strip())
        return Critique(notes=notes[:5], factuality=answer.factuality, coherence=answer.coherence)

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "claims": material.claims_to_write(labels, nonce),
            "draft": fence("draft", "", _drafted(task.draft, labels), nonce),
        },
        result=result,
        max_tokens=800,
    )


_NAMED = re.compile(r"\bc\d{1,3}\b")
_LASTING = re.compile(r"\bc[0-9a-f]{10}\b")
"""The claim's own id, as `Claim.claim_id` is made."""


def _lasting(note: str, labels: Labels[Claim]) -> str:
    """The note with the claims' own ids, because each call that reads it has its own short names."""
    return _NAMED.sub(lambda name: claim.claim_id if (claim := labels.find(name.group())) else name.group(), note)


def _for_section(note: str, named: Mapping[str, str]) -> str:
    return _LASTING.sub(lambda name: named.get(name.group(), "a claim of another section"), note)


def _drafted(draft: Draft, labels: Labels[Claim]) -> str:
    named = {claim.claim_id: name for name, claim in labels.named()}

    def line(sentences: Sequence[Sentence]) -> str:
        return " ".join(f"{one.text} ({_names(one, named)})" for one in sentences)

    blocks = [f"# {draft.title}", line(draft.in_short)]
    for section in draft.sections:
        blocks += [f"## {section.heading}", *(line(row) for block in section.blocks for row in block.rows)]
    return "\n".join([*blocks, line(draft.differences)])


def _names(sentence: Sentence, named: Mapping[str, str]) -> str:
    return ", ".join(named[name] for name in sentence.claim_ids if name in named)


def revise(task: ReviseSection, context: PromptContext) -> FilledPrompt[ReviseAnswer, WrittenSection]:
    """Ask for the sentences that change, and put them in their places; the others are not written again."""
    brief, section, critique, nonce = task.brief, task.section, task.critique, context.nonce
    labels = Labels("c", material.kept(task.claims, context.share))
    named = {claim.claim_id: name for name, claim in labels.named()}
    rows = [row for block in section.blocks for row in block.rows]
    places = [(number, column) for number, row in enumerate(rows) for column in range(len(row))]
    sentences = Labels("s", places)

    def result(answer: ReviseAnswer) -> WrittenSection:
        mended = [list[Sentence | None](row) for row in rows]
        added: list[Sentence] = []
        for item in answer.changes:
            new = sentences_of([(item.text, labels.find_all(item.claim_ids))])
            place = sentences.find(item.sentence_id)
            if place and (new or not item.text.strip()):
                mended[place[0]][place[1]] = new[0] if new else None
            elif item.sentence_id.strip().lower() == "new":
                added += new
        left = [tuple(sentence for sentence in paragraph if sentence) for paragraph in mended]
        if added:
            left[-1:] = [(*(left[-1] if left else ()), *added)]
        return WrittenSection.of_prose(section.heading, left)

    shown = (
        fence("sentence", name, f"{one.text} ({_names(one, named)})", nonce)
        for name, (row, column) in sentences.named()
        for one in [rows[row][column]]
    )
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "language": material.language(brief),
            "notes": fence(
                "notes", "", "\n".join(f"- {_for_section(one_line(note), named)}" for note in critique.notes), nonce
            ),
            "claims": material.claims_to_write(labels, nonce),
            "heading": one_line(section.heading),
            "sentences": "\n".join(shown),
        },
        result=result,
        max_tokens=300 + 120 * len(places),
        limits={"changes": {"maxItems": len(places) + 2}},
    )


CRITIQUE = PromptSpec(prompt="critique", role="critic", lines=lines.critique, fill=critique, shape=CritiqueAnswer)
REVISE = PromptSpec(prompt="revise", role="writer", lines=lines.revise, fill=revise, shape=ReviseAnswer)

HANDLERS = (CritiqueDraft.by(CRITIQUE.ask), ReviseSection.by(REVISE.ask))
