"""The questions that a report is written with: section, edit, opening, and the answer without research."""

import re
from collections.abc import Container, Mapping, Sequence

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, ClaimDraft
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, SectionDraft, Sentence, WrittenSection
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.prompted import lines, material, report_material
from deepresearch_mcp.thinkers.prompted.answers import TextAnswer
from deepresearch_mcp.thinkers.prompted.marked_rendering import render_blocks, render_report
from deepresearch_mcp.thinkers.prompted.marked_text import (
    Resolve,
    parse_blocks,
    parse_report,
)
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.prompted.sketching import heading_of
from deepresearch_mcp.thinkers.tasks import AnswerDirectly, EditReport, WriteOpening, WriteSection

_PROPOSED = re.compile(r"(?im)^\W*PROPOSED\W*$")
_FORMS = {
    "prose": "Form: prose.",
    "list": "Form: a list, with the prose it needs.",
    "steps": "Form: numbered steps, each under a label that says what is done, with the prose they need.",
    "table": "Form: a table, and prose around it for what a table cannot say.",
}
_CELL = 30
"""Tokens of a fact in a table, which no count of words holds."""
_MARKED = 2.2
"""Tokens of a word with its share of marks; honest answers stay well below."""


def section(task: WriteSection, context: PromptContext) -> FilledPrompt[TextAnswer, SectionDraft]:
    """Ask for the Markdown of one section, with claims of the writer's own behind it."""
    brief, plan, nonce = task.brief, task.section, context.nonce
    groups = _groups(task)
    labels = Labels("c", [fact for _, group in groups for fact in group])
    blocks = Labels("b", material.kept(task.blocks, context.share))
    proposals = task.may_propose and bool(blocks.items)

    def result(answer: TextAnswer) -> SectionDraft | None:
        text, *below = _PROPOSED.split(answer.text, maxsplit=1)
        proposed = _proposed(below[0], blocks) if below and proposals else {}
        found = parse_blocks(text, _resolver(labels, proposed))
        # A heading that only repeats the section's own.
        if found and found[0].title.casefold() == plan.heading.casefold():
            found = (found[0].model_copy(update={"title": ""}), *found[1:])
        if not any(one.rests_on for block in found for one in block.sentences):
            return None
        return SectionDraft(section=WrittenSection(heading=plan.heading, blocks=found), proposed=proposed)

    task_lines = [f"{_FORMS[plan.form]} At most about {task.words} words, tables not counted; what decides least goes."]
    if plan.angle:
        task_lines.append(f"Angle: {one_line(plan.angle)}.")
    if task.note:
        task_lines.append(
            "It does not grow: what is new replaces what decides less, and what no fact here holds is left aside."
        )
        task_lines.append(f"It is written again. What was asked for, and what came of it: {_named(task.note, labels)}")
    names = report_material.names_by_id(labels)
    sources = report_material.source_labels(task.facts, task.sources)
    outline = task.sketch.sections
    present = render_blocks(task.present.blocks, lambda one: names.get(one, "")) if task.present else ""
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "asked": report_material.asked(brief),
            "positions": report_material.positions_text(task.sketch.positions),
            "outline": report_material.outline_text(outline, plan),
            "section": f"{one_line(plan.heading)}{f' – {one_line(plan.thesis)}' if plan.thesis else ''}",
            "language": material.language(brief),
            "task": "\n".join(task_lines),
            "sources": report_material.sources_text(sources, nonce),
            "facts": report_material.facts_text(
                labels,
                nonce,
                sources,
                also=lambda fact: report_material.told_elsewhere(fact, outline, plan),
                heads={group[0].claim_id: title for title, group in groups},
            ),
            "blocks": report_material.blocks_text(blocks, labels, sources, nonce),
            "present": fence("present", "", present, nonce) + "\n" if present else "",
            "proposals": _PROPOSE if proposals else "",
        },
        result=result,
        max_tokens=800 + round(_MARKED * 1.5 * task.words) + (_CELL if plan.form == "table" else 10) * len(task.facts),
    )


def _groups(task: WriteSection) -> list[tuple[str, Sequence[Claim]]]:
    """The facts of a section, each group under words that say how they weigh or where they belong."""
    if task.present:
        told = {name for one in task.present.sentences for name in one.rests_on}
        new = [fact for fact in task.facts if fact.claim_id not in told]
        parts = [("New since it was written", new), ("Told now", _others(task.facts, {one.claim_id for one in new}))]
        return [(title, group) for title, group in parts if group]
    answered = (one.premises for one in task.sketch.positions if one.deliverable in task.section.answers)
    first = {fact.claim_id for fact in task.facts[: report_material.CARRY]}.union(*answered)
    parts = [("These carry the section", [fact for fact in task.facts if fact.claim_id in first])]
    rest = _others(task.facts, first)
    if task.section.form == "table":
        return [*parts[: len(first)], *report_material.by_point(rest, task.brief)]
    return [(title, group) for title, group in (*parts, ("Detail", rest)) if group]


_PROPOSE = (
    "If a block holds something that the section needs and no fact states, propose it: mark it `[n1]`, `[n2]` …, and "
    "put behind the section a line PROPOSED and one line for each: its name, the block, the claim as a sentence of its "
    "own, and the exact words of the block that carry it. It is checked, and goes with its sentence if the words are "
    'not there.\nPROPOSED\nn1 | b3 | The claim. | "the words of the block"'
)


def _resolver(
    labels: Labels[Claim], proposed: Mapping[str, ClaimDraft], sources: Labels[DocumentCard] | None = None
) -> Resolve:
    def resolve(name: str) -> str | None:
        if name.startswith("n"):
            return name if name in proposed else None
        if name.startswith("s"):
            card = sources.find(name) if sources else None
            own = (fact for fact in labels.items if card and fact.quotes[0].source_id == card.source_id)
            return next((fact.claim_id for fact in own), None)
        claim = labels.find(name)
        return claim.claim_id if claim else None

    return resolve


_PROPOSAL = re.compile(r"^(?=[ \t]*(?:[-*][ \t]+)?\[?n\d{1,3}\]?[ \t]*\|)", re.IGNORECASE | re.MULTILINE)
"""Before a claim that a writer proposes."""


def _proposed(text: str, blocks: Labels[Passage]) -> dict[str, ClaimDraft]:
    """`n1 | b3 | claim | "quote"`; a quote may go on over the lines that it has in its block."""
    found: dict[str, ClaimDraft] = {}
    for whole in _PROPOSAL.split(text)[1:]:
        row = [part.strip() for part in whole.strip().strip("-* ").split("|", 3)]
        if len(row) < 4:
            continue
        block = blocks.find(row[1])
        quote = row[3].split("\n\n")[0].strip().strip('"“”„«»').strip()
        if block is not None and row[2] and quote:
            found[row[0].strip("[]").lower()] = ClaimDraft(
                text=material.prose(row[2]), quote=quote, passage_id=block.passage_id
            )
    return found


def edit(task: EditReport, context: PromptContext) -> FilledPrompt[TextAnswer, Draft]:
    """Ask for the whole text again, edited; what the program has to keep of it, the stage checks."""
    brief, nonce = task.brief, context.nonce
    labels = Labels("c", task.facts)
    names = report_material.names_by_id(labels)
    sources = report_material.source_labels(task.facts, task.sources)

    def result(answer: TextAnswer) -> Draft | None:
        found = parse_report(answer.text, _resolver(labels, {}, sources))
        if not found.sections:
            return None
        sections = tuple(
            one.model_copy(update={"heading": heading_of(one.heading)}) for one in found.sections if one.heading.strip()
        )
        return task.draft.model_copy(
            update={
                "title": heading_of(found.title) or task.draft.title,
                "in_short": found.opening or task.draft.in_short,
                "described": found.described,
                "sections": sections,
            }
        )

    # The opening is written anew, from the positions.
    bare = task.draft.model_copy(update={"in_short": (), "described": ()})
    draft = render_report(bare, lambda one: names.get(one, ""))
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "asked": report_material.asked(brief),
            "positions": report_material.positions_text(task.positions, labels),
            "language": material.language(brief),
            "words": str(task.words),
            "opening": str(report_material.opening_words(brief)),
            "sources": report_material.sources_text(sources, nonce),
            "facts": report_material.facts_text(labels, nonce, sources),
            "draft": fence("draft", "", draft, nonce),
        },
        result=result,
        max_tokens=1_200 + _opening_tokens(brief) + round(1.4 * max(estimate(draft), 1.5 * task.words)),
    )


def opening(task: WriteOpening, context: PromptContext) -> FilledPrompt[TextAnswer, tuple[Sentence, ...]]:
    """Ask for the direct answer alone."""
    brief, nonce, most = task.brief, context.nonce, task.max_chars
    room = _BESIDE_DRAFT if task.draft.sections else _OPENING_TOKENS
    premises = {name for one in task.positions for name in one.premises}
    # Beside a draft that tells the others, what the answers and its opening rest on is enough.
    premises |= {name for one in task.draft.in_short for name in one.rests_on}
    premises |= {fact.claim_id for fact in task.facts if _quoted(fact) in one_line(task.note)}
    carried = [fact for fact in task.facts if task.draft.sections and fact.claim_id in premises] or task.facts
    shown = {fact.claim_id for fact in report_material.best_facts(carried, room, context.share)}
    # The draft may name facts that are not listed beside it.
    labels = Labels("c", [*(one for one in task.facts if one.claim_id in shown), *_others(task.facts, shown)])
    listed = Labels("c", labels.items[: len(shown)])
    names = report_material.names_by_id(labels)

    def result(answer: TextAnswer) -> tuple[Sentence, ...] | None:
        found = parse_report(answer.text, _resolver(labels, {}))
        said = [*found.opening, *(one for section in found.sections for one in section.sentences)]
        return tuple(one for one in said if one.rests_on) or None

    draft = render_report(task.draft, lambda one: names.get(one, "")) if task.draft.sections else ""
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "asked": report_material.asked(brief),
            "positions": report_material.positions_text(task.positions, labels),
            "language": material.language(brief),
            "length": f"one sentence alone, of at most {most} characters, marks not counted"
            if most
            else f"at most about {report_material.opening_words(brief)} words",
            "task": f"It is written again, because a reviewer says: {_named(task.note, listed)}" if task.note else "",
            "facts": report_material.facts_text(listed, nonce),
            "draft": fence("draft", "", draft, nonce) + "\n" if draft else "",
        },
        result=result,
        max_tokens=600 + _opening_tokens(brief),
    )


def _opening_tokens(brief: Brief) -> int:
    """Tokens of an opening with its marks."""
    return round(_MARKED * 1.5 * report_material.opening_words(brief))


_OPENING_TOKENS = 12_000
_BESIDE_DRAFT = 2_000
"""Tokens of facts beside a draft that tells them."""


def _named(note: str, labels: Labels[Claim]) -> str:
    """A reviewer's note, whole, with the names of the facts that it quotes."""
    note = one_line(note)
    for name, claim in labels.named():
        note = note.replace(_quoted(claim), name)
    return note


def _quoted(claim: Claim) -> str:
    """A fact as a reviewer's note names it; see `reviewing`."""
    return f"“{one_line(claim.text)}”"


def _others(facts: Sequence[Claim], shown: Container[str]) -> list[Claim]:
    return [one for one in facts if one.claim_id not in shown]


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


SECTION = PromptSpec(prompt="section", role="writer", lines=lines.whole, fill=section)
EDIT = PromptSpec(prompt="edit", role="writer", lines=lines.whole, fill=edit)
OPENING = PromptSpec(prompt="opening", role="writer", lines=lines.whole, fill=opening)
DIRECT = PromptSpec(prompt="direct", role="writer", lines=lines.whole, fill=direct)

HANDLERS = (
    WriteSection.by(SECTION.ask),
    EditReport.by(EDIT.ask),
    WriteOpening.by(OPENING.ask),
    AnswerDirectly.by(DIRECT.ask),
)
