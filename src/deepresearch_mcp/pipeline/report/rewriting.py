"""What a review does to a draft: which sections are written again, merged, moved or left out."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from deepresearch_mcp.pipeline.report.editing import stated
from deepresearch_mcp.pipeline.report.report_facts import DECISIVE
from deepresearch_mcp.pipeline.report.sectioning import placed_in
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import (
    Draft,
    Review,
    SectionForm,
    SectionNote,
    SectionPlan,
    Sketch,
    WrittenSection,
)

_FOUND = "What was searched for brought new facts for this section: work them in where they help the reader."
_NOTHING_FOUND = "What was searched for brought nothing new for this section: leave open what no fact answers."
_FEWEST = 2
_OF_ALL = 3
"""One section of so many is written again at most, and two of a short report."""
_MORE = 1
"""Sections beside these that are written again for new facts that decide."""
_LEFT_OUT = 0.5
"""A new order that names fewer of the sections than this share is a mistake."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A section that is written again."""

    at: int
    """Its place in the draft."""
    plan: SectionPlan
    present: WrittenSection
    note: str


def plans_of(draft: Draft, sketch: Sketch, claims: Mapping[str, Claim]) -> list[SectionPlan]:
    """The sections of a draft as plans: what each states, with the thesis that the sketch gave it."""
    theses = {one.heading: one.thesis for one in sketch.sections}
    return [
        SectionPlan(
            heading=section.heading,
            thesis=theses.get(section.heading, ""),
            form=_form(section),
            claim_ids=tuple(claim.claim_id for claim in stated(section.sentences, claims)),
        )
        for section in draft.sections
    ]


def _form(section: WrittenSection) -> SectionForm:
    """The most telling form of its blocks: one with a table is a table, whatever stands around it."""
    kinds = {block.kind for block in section.blocks}
    return "table" if "table" in kinds else "steps" if "steps" in kinds else "list" if kinds == {"list"} else "prose"


def rewrites(
    draft: Draft,
    review: Review,
    plans: Sequence[SectionPlan],
    new: Sequence[Claim],
    claims: Mapping[str, Claim],
    unused: Sequence[Claim] = (),
) -> list[Rewrite]:
    """What is written again: what the reviewer wants, with the sections that it takes in, and where new facts belong.

    `unused`: facts that a section may take up, if it is written again anyway.
    """
    grown = placed_in(plans, new, claims)
    offered = placed_in(grown, unused, claims)
    notes = {note.section: note for note in review.rewrite if note.section < len(plans)}
    gone = _taken_in(review, len(plans))
    found: list[Rewrite] = []
    for at, section in enumerate(draft.sections):
        more = grown[at].claim_ids != plans[at].claim_ids
        if at in gone or not (more or at in notes):
            continue
        note, plan, blocks, ids = notes.get(at), offered[at], list(section.blocks), list(offered[at].claim_ids)
        ids += [claims[name].claim_id for name in (note.claim_ids if note else ()) if name in claims]
        for other in note.takes_in if note else ():
            if gone.get(other) == at:
                blocks += draft.sections[other].blocks
                ids += offered[other].claim_ids
        plan = plan.model_copy(
            update={"claim_ids": tuple(dict.fromkeys(ids)), "form": (note and note.form) or plan.form}
        )
        present = section.model_copy(update={"blocks": tuple(blocks)})
        found.append(Rewrite(at, plan, present, note.note if note else ""))
    fresh = {one.claim_id: one for one in new}
    chosen = _chosen(found, plans, notes, fresh, claims)
    return [_told_what_came(one, plans, fresh, searched=bool(review.queries or review.missing)) for one in chosen]


def _told_what_came(one: Rewrite, plans: Sequence[SectionPlan], new: Container[str], *, searched: bool) -> Rewrite:
    came = _FOUND if any(name in new for name in _gained(one, plans)) else _NOTHING_FOUND if searched else ""
    return replace(one, note=" ".join(filter(None, (one.note, came))))


def _gained(one: Rewrite, plans: Sequence[SectionPlan]) -> list[str]:
    """The facts that a section did not state before."""
    return [name for name in one.plan.claim_ids if name not in plans[one.at].claim_ids]


def _chosen(
    found: Sequence[Rewrite],
    plans: Sequence[SectionPlan],
    noted: Container[int],
    new: Mapping[str, Claim],
    claims: Mapping[str, Claim],
) -> list[Rewrite]:
    """Those that are done: what the reviewer asked for, then what gains most; the room of a review holds few.

    What was searched for and decides is not lost with a section that is not written again: another one takes it.
    """

    def gains(one: Rewrite) -> list[Claim]:
        return [new[name] for name in _gained(one, plans) if name in new]

    def decisive(one: Rewrite) -> list[Claim]:
        return [claim for claim in gains(one) if claim.weight >= DECISIVE]

    ranked = sorted(found, key=lambda one: (one.at not in noted, -len(decisive(one)), -len(gains(one))))
    most = max(_FEWEST, len(plans) // _OF_ALL)
    chosen = [*ranked[:most], *[one for one in ranked[most:] if decisive(one)][:_MORE]]
    left = [claim for one in ranked if one not in chosen for claim in decisive(one)]
    taking = placed_in([one.plan for one in chosen], left, claims, first=True)
    return sorted((replace(one, plan=plan) for one, plan in zip(chosen, taking, strict=True)), key=lambda one: one.at)


def aligned(review: Review, before: Draft, after: Draft, claims: Mapping[str, Claim]) -> Review:
    """What was wanted of the sections of a draft, wanted of what an edit has made of them; what is gone is left out.

    A section has become the one that states most of its facts.
    """
    now = [{one.claim_id for one in stated(section.sentences, claims)} for section in after.sections]

    def place(at: int) -> int | None:
        if at >= len(before.sections):
            return None
        own = {one.claim_id for one in stated(before.sections[at].sentences, claims)}
        best = max(range(len(now)), key=lambda n: len(own & now[n]), default=-1)
        return best if best >= 0 and own & now[best] else None

    notes: dict[int, SectionNote] = {}
    for note in review.rewrite:
        if (at := place(note.section)) is None:
            continue
        taken = tuple(other for one in note.takes_in if (other := place(one)) is not None and other != at)
        if known := notes.get(at):
            both = {"note": f"{known.note} {note.note}", "claim_ids": (*known.claim_ids, *note.claim_ids)}
            notes[at] = known.model_copy(update={**both, "takes_in": tuple(dict.fromkeys((*known.takes_in, *taken)))})
        else:
            notes[at] = note.model_copy(update={"section": at, "takes_in": taken})
    order = tuple(dict.fromkeys(at for one in review.order if (at := place(one)) is not None))
    return review.model_copy(update={"rewrite": tuple(notes.values()), "order": order})


def _taken_in(review: Review, count: int) -> dict[int, int]:
    """Sections that become part of another one, with that one; none that is itself written again goes."""
    kept = {note.section for note in review.rewrite}
    gone: dict[int, int] = {}
    for note in review.rewrite:
        for other in note.takes_in:
            if other < count and other not in kept and note.section < count:
                gone.setdefault(other, note.section)
    return gone


def reordered(draft: Draft, review: Review, written: Mapping[int, WrittenSection]) -> Draft:
    """The draft with rewritten sections in their places, in the reviewer's order.

    A section that another one has taken in goes, if that one was written; so does one that the order leaves out.
    """
    count = len(draft.sections)
    gone = {other for other, into in _taken_in(review, count).items() if into in written}
    order = [at for at in review.order if at < count]
    if not order or len(set(order) | gone) < _LEFT_OUT * count:
        order = list(range(count))
    sections = tuple(written.get(at, draft.sections[at]) for at in dict.fromkeys(order) if at not in gone)
    return draft.model_copy(update={"sections": sections}) if sections else draft
