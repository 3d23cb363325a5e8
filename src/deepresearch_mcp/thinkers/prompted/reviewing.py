"""The question that a whole draft is reviewed with."""

import re
from collections.abc import Iterable

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, FollowUp
from deepresearch_mcp.records.report import Review, SectionNote
from deepresearch_mcp.thinkers.prompted import lines, material, report_material
from deepresearch_mcp.thinkers.prompted.answers import ReviewAnswer
from deepresearch_mcp.thinkers.prompted.marked_rendering import render_report
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.prompted.sketching import FORMS, thin_spot
from deepresearch_mcp.thinkers.tasks import ReviewReport

UNUSED = 30
"""Facts that the draft leaves out, as a reviewer sees them."""
REWRITES = 3
"""Sections that a reviewer may have written again."""


def review(task: ReviewReport, context: PromptContext) -> FilledPrompt[ReviewAnswer, Review]:
    """Ask what has to change; a note names claims by their own ids, because each call has its own short names."""
    brief, nonce, draft = task.brief, context.nonce, task.draft
    labels = Labels("u", material.kept(task.unused[:UNUSED], context.share))
    count = len(draft.sections)

    def places(numbers: Iterable[str]) -> tuple[int, ...]:
        found = (int(digits.group()) - 1 for one in numbers if (digits := re.search(r"\d{1,3}", one)))
        return tuple(dict.fromkeys(place for place in found if 0 <= place < count))

    def lasting(note: str) -> str:
        return _NAMED.sub(lambda name: _own(labels, name.group()), one_line(note, _NOTE))

    def named(note: str) -> tuple[str, ...]:
        return tuple(one.claim_id for one in labels.find_all(_NAMED.findall(note)))

    def result(answer: ReviewAnswer) -> Review:
        notes = {
            place[0]: SectionNote(
                section=place[0],
                note=lasting(item.why),
                form=FORMS.get(item.form.strip().lower()),
                takes_in=tuple(one for one in places(item.takes_in) if one != place[0]),
                claim_ids=named(item.why),
            )
            for item in answer.rewrite[:REWRITES]
            if (place := places([item.section])) and item.why.strip()
        }
        queries = [one_line(query, 200) for query in answer.queries if len(query.split()) > 1]
        return Review(
            rewrite=tuple(notes.values()),
            order=places(answer.order),
            queries=tuple(FollowUp(sub_question="", query=query) for query in queries[: task.queries]),
            missing=tuple(spot for item in answer.missing[:_MISSING] if (spot := thin_spot(item))),
            opening=lasting(answer.opening),
            opening_claim_ids=named(answer.opening),
            worth=answer.worth,
        )

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "asked": report_material.asked(brief),
            "queries": str(task.queries),
            "unused": report_material.facts_text(labels, nonce, kind="unused"),
            "thin": fence("thin", "", "\n".join(f"- {one_line(one)}" for one in task.thin) or "none", nonce),
            "draft": fence("draft", "", render_report(draft, lambda _: "", numbered=True), nonce),
        },
        result=result,
        max_tokens=2_500,
        limits={
            "rewrite": {"maxItems": REWRITES},
            "queries": {"maxItems": task.queries},
            "missing": {"maxItems": _MISSING},
        },
    )


_MISSING = 4
_NOTE = 5_000
"""Characters of a note, before its facts are spelt out: about half of an answer, so that no honest one is cut."""
_NAMED = re.compile(r"\bu\d{1,3}\b")


def _own(labels: Labels[Claim], name: str) -> str:
    claim = labels.find(name)
    return f"“{one_line(claim.text)}”" if claim else name


REVIEW = PromptSpec(prompt="review", role="critic", lines=lines.review, fill=review, shape=ReviewAnswer)

HANDLERS = (ReviewReport.by(REVIEW.ask),)
