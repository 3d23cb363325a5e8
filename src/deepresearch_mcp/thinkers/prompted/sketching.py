"""The question that a report is sketched with."""

import re
from collections.abc import Mapping
from typing import get_args

from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.report import Position, SectionForm, SectionPlan, Sentence, Sketch, ThinSpot
from deepresearch_mcp.records.request import Effort
from deepresearch_mcp.thinkers.prompted import lines, material, report_material
from deepresearch_mcp.thinkers.prompted.answers import Missing
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.prompted.sketch_answers import SketchAnswer
from deepresearch_mcp.thinkers.tasks import SketchReport

SKETCH_TOKENS: Mapping[Effort, int] = {"quick": 8_000, "standard": 14_000, "deep": 24_000, "exhaustive": 40_000}
"""Tokens of facts in short form."""
_THIN = 8
_LABEL = 60
"""Characters of the words that stand before an answer in the opening."""
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]\s+")
FORMS: Mapping[str, SectionForm] = {one: one for one in get_args(SectionForm)}


def sketch(task: SketchReport, context: PromptContext) -> FilledPrompt[SketchAnswer, Sketch]:
    """Ask for positions, sections and what is thin, over all facts in short form."""
    brief = task.brief
    facts = report_material.best_facts(task.facts, SKETCH_TOKENS[brief.request.effort], context.share)
    groups = report_material.by_point(facts, brief)
    labels = Labels("c", [fact for _, group in groups for fact in group])
    sources = report_material.source_labels(labels.items, task.sources)

    def ids(names: list[str]) -> tuple[str, ...]:
        return tuple(claim.claim_id for claim in labels.find_all(names))

    def shown_by(names: list[str]) -> tuple[str, ...]:
        """The facts named, and of each source named the first fact."""
        pages = {card.source_id for card in sources.find_all([n for n in names if n.strip().lower().startswith("s")])}
        own = ids([name for name in names if not name.strip().lower().startswith("s")])
        firsts = (next((f.claim_id for f in facts if f.quotes[0].source_id == page), "") for page in pages)
        return tuple(dict.fromkeys((*own, *filter(None, firsts))))

    def result(answer: SketchAnswer) -> Sketch | None:
        known = {one.id for one in report_material.deliverables(brief)}
        sections = tuple(
            SectionPlan(
                heading=heading,
                thesis=one_line(item.thesis, 400),
                form=FORMS.get(item.form.strip().lower(), "prose"),
                claim_ids=own,
                answers=tuple(dict.fromkeys(name for one in item.answers if (name := _point(one)) in known)),
            )
            for item in answer.sections
            if (heading := heading_of(item.heading)) and (own := ids(item.facts))
        )
        positions = tuple(
            Position(
                deliverable=name,
                label=heading_of(item.label)[:_LABEL].rstrip(" :"),
                position=material.prose(item.position),
                premises=ids(item.premises),
                would_change=material.prose(item.would_change),
            )
            for item in answer.positions
            if (name := _point(item.deliverable)) in known and item.position.strip()
        )
        told = tuple(
            Sentence(text=text, claim_ids=shown)
            for item in answer.described
            if (text := material.prose(item.text)) and (shown := shown_by(item.shown_by))
        )
        title = heading_of(answer.title) or one_line(brief.question, 120)
        thin = tuple(spot for item in answer.thin[:_THIN] if (spot := thin_spot(item)))
        return (
            Sketch(
                title=title,
                positions=positions,
                sections=sections,
                described=told,
                trifles=ids(answer.trifles),
                thin=thin,
            )
            if sections
            else None
        )

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "asked": report_material.asked(brief),
            "language": material.language(brief),
            "words": str(task.words),
            "sources": report_material.sources_text(sources, context.nonce),
            "facts": report_material.grouped_facts_text(
                groups, labels, context.nonce, sources, task.more + len(task.facts) - len(facts)
            ),
        },
        result=result,
        max_tokens=2_500 + 12 * len(facts) + 250 * len(report_material.deliverables(brief)),
        limits={"sections": {"minItems": 1}, "thin": {"maxItems": _THIN}},
    )


def heading_of(text: str) -> str:
    """A heading on one line without Markdown and without a number of its own."""
    return one_line(_NUMBERED.sub("", text.strip(" #*.")), 150)


def thin_spot(item: Missing) -> ThinSpot | None:
    """What is missing, with a query for it; None for an item without words."""
    missing, query = one_line(item.missing, 300), one_line(item.query, 200)
    if not missing and not query:
        return None
    return ThinSpot(missing=missing or query, query=query or missing, point=_point(item.point), decisive=item.decisive)


def _point(name: str) -> str:
    return name.strip().lower().strip("[]().: ")


SKETCH = PromptSpec(prompt="sketch", role="writer", lines=lines.sketch, fill=sketch, shape=SketchAnswer)

HANDLERS = (SketchReport.by(SKETCH.ask),)
