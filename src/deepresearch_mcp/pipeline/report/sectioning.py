"""Sections of a sketch held to the facts: every decisive fact has a place, and new facts find theirs."""

import re
from collections.abc import Callable, Mapping, Sequence

from deepresearch_mcp.injection.screen import is_beside_the_point
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.headings import all_headings
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.report.report_facts import DECISIVE
from deepresearch_mcp.pipeline.report.unbacked import unbacked
from deepresearch_mcp.pipeline.same_fact import things_missing
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Block, Draft, Position, SectionPlan, Sentence, Sketch, WrittenSection
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.numbers import numbers
from deepresearch_mcp.text.ranking import Ranker

MOST = 12
"""Sections; a report with more of them is hard to find one's way in."""
_SAID = 0.9
"""Share of a fact's words from which another fact says it too; it needs no place of its own then."""
_TOLD = 4
"""Words of a heading that can tell a reader to do something; "Name" and "Backup files" are things."""
_ASIDE = re.compile(r"\s*\([^()]*\)")
"""What a column's name says in brackets. It goes before the whole name does."""
_POINT = 2.0
"""Worth of a shared point beside the words that a fact shares with a section, which count up to 1."""


def arranged(
    sketch: Sketch,
    facts: Sequence[Claim],
    question: str,
    sub_questions: Sequence[SubQuestion],
    cells: Sequence[str] = (),
) -> Sketch:
    """The sketch with facts that there are, sound headings, and a place for every decisive fact.

    What a position rests on is among the facts that carry a section, and a table has facts for each of its `cells`.
    """
    known = {fact.claim_id: fact for fact in facts}
    asked, held = _known(facts, question, sub_questions)
    sections: dict[str, SectionPlan] = {}
    for section in sketch.sections[:MOST]:
        ids = tuple(name for name in dict.fromkeys(section.claim_ids) if name in known)
        heading = sound_heading(section.heading, held, asked) or _asked(section, known, sub_questions)
        if ids and heading in sections:
            ids = tuple(dict.fromkeys((*sections[heading].claim_ids, *ids)))
        if ids:
            sections[heading] = section.model_copy(update={"heading": heading, "claim_ids": ids})
    plans = list(sections.values())
    if not plans and facts:
        ids = tuple(known)
        plans = [SectionPlan(heading=nearest_of(facts, sub_questions), claim_ids=ids)]
    positions = tuple(
        one.model_copy(update={"premises": tuple(name for name in one.premises if name in known)})
        for one in sketch.positions
    )
    plans = _with_premises(plans, positions)
    placed = {name for plan in plans for name in plan.claim_ids}
    premises = dict.fromkeys(name for one in positions for name in one.premises if name not in placed)
    plans = placed_in(plans, [known[name] for name in premises], known, first=True)
    placed |= premises.keys()
    said = [known[name] for name in placed]
    homeless = [
        fact
        for fact in facts
        if fact.weight >= DECISIVE and fact.claim_id not in placed and not any(_says(one, fact) for one in said)
    ]
    title = sound_heading(sketch.title, held, asked) or " ".join(question.split())[:200]
    told = tuple(one for one in sketch.described if set(one.claim_ids) & set(known) and not unbacked(one.text, held))
    return sketch.model_copy(
        update={
            "title": title,
            "positions": positions,
            "sections": tuple(with_cells(placed_in(plans, homeless, known), facts, cells)),
            "described": told or sketch.described,
        }
    )


def _with_premises(plans: Sequence[SectionPlan], positions: Sequence[Position]) -> list[SectionPlan]:
    """The plans; what a position rests on carries the section that answers its deliverable, the last if it is several.

    Advice comes after what it rests on, which other sections explain.
    """
    found = list(plans)
    for one in positions:
        own = [at for at, plan in enumerate(found) if one.deliverable in plan.answers]
        there = {name for at in own for name in found[at].claim_ids}
        missing = tuple(name for name in one.premises if name not in there)
        if own and missing:
            ids = (*missing, *found[own[-1]].claim_ids)
            found[own[-1]] = found[own[-1]].model_copy(update={"claim_ids": ids})
    return found


def _says(fact: Claim, other: Claim) -> bool:
    """Whether a fact holds nearly all words of another one, and all its figures, functions and versions."""
    words = set(map(stem, content_words(other.text)))
    held = words & set(map(stem, content_words(fact.text)))
    if other.disputes or len(held) < _SAID * len(words) or things_missing(other.text, fact.text):
        return False
    return numbers(other.text) <= numbers(fact.text)


def sound_heading(heading: str, known: str, asked: Sequence[str] = ("",)) -> str:
    """The heading on one line; empty where it may not stand.

    A heading carries no citation: one with an address or figure that nothing `known` holds goes, and so does one that
    addresses a machine or tells the reader to do what has nothing to do with what was `asked`, and one that the
    program alone writes, such as "References".
    """
    line = " ".join(heading.split()).strip("# ")[:200]
    told = len(line.split()) >= _TOLD and is_beside_the_point(line, asked)
    planted = is_screened(line) or told or line.casefold() in all_headings()
    return "" if planted or unbacked(line, known) else line


def with_sound_headings(
    draft: Draft, facts: Sequence[Claim], question: str, sub_questions: Sequence[SubQuestion]
) -> Draft:
    """The draft with the headings, titles, labels and column names that may stand.

    A section without its heading gets what its facts are about; a table without a column name keeps its cells.
    """
    asked, held = _known(facts, question, sub_questions)
    by_id = {fact.claim_id: fact for fact in facts}
    # A step's label or the head of a column may tell the reader what to do, as its facts say: "Use on 3.8 to 3.11".
    matter = (*asked, *(fact.text for fact in facts))

    def labelled(given: Sentence) -> Sentence:
        label = sound_heading(given.label, held, matter) if given.label else ""
        return given.model_copy(update={"label": label})

    def block(given: Block) -> Block:
        head = tuple(
            sound_heading(one, held, matter) or sound_heading(_ASIDE.sub("", one), held, matter) for one in given.head
        )
        rows = tuple(tuple(map(labelled, row)) for row in given.rows)
        return given.model_copy(update={"title": sound_heading(given.title, held, asked), "head": head, "rows": rows})

    def section(written: WrittenSection) -> WrittenSection:
        own = [by_id[name] for one in written.sentences for name in one.rests_on if name in by_id]
        heading = sound_heading(written.heading, held, asked) or nearest_of(own or facts, sub_questions)
        return written.model_copy(update={"heading": heading, "blocks": tuple(map(block, written.blocks))})

    title = sound_heading(draft.title, held, asked) or " ".join(question.split())[:200]
    sections = tuple(map(section, draft.sections))
    opening, described = tuple(map(labelled, draft.in_short)), tuple(map(labelled, draft.described))
    return draft.model_copy(update={"title": title, "in_short": opening, "described": described, "sections": sections})


def _known(facts: Sequence[Claim], question: str, sub_questions: Sequence[SubQuestion]) -> tuple[tuple[str, ...], str]:
    """What was asked, and all words that a heading may draw its figures from."""
    asked = (question, *(part.text for part in sub_questions))
    return asked, "\n".join((*asked, *(text for fact in facts for text in (fact.text, fact.quotes[0].heading))))


def _asked(section: SectionPlan, known: Mapping[str, Claim], sub_questions: Sequence[SubQuestion]) -> str:
    return nearest_of([known[name] for name in section.claim_ids if name in known], sub_questions)


def nearest_of(facts: Sequence[Claim], sub_questions: Sequence[SubQuestion]) -> str:
    """The sub-question that some facts are about, as a heading."""
    name = nearest_sub_question(" ".join(fact.text for fact in facts), sub_questions)
    return next(part.text for part in sub_questions if part.id == name)[:150]


def with_cells(plans: Sequence[SectionPlan], facts: Sequence[Claim], cells: Sequence[str]) -> list[SectionPlan]:
    """The plans; for each cell that no table has a fact on, a table gets the best ones.

    Of several tables it is the first that shows the aspect in question.
    """
    known = {fact.claim_id: fact for fact in facts}
    best = sorted(facts, key=lambda fact: (-fact.weight, fact.verdict != "supported", -fact.backing, -fact.score))
    tables = [at for at, plan in enumerate(plans) if plan.form == "table"]
    covered = {
        at: {point for name in plans[at].claim_ids if name in known for point in known[name].covers} for at in tables
    }
    found = list(plans)
    for cell in cells:
        if any(cell in own for own in covered.values()):
            continue
        fitting = [at for at in tables if len(tables) == 1 or _aspect(cell) in map(_aspect, covered[at])]
        more = [one.claim_id for one in best if cell in one.covers][:_IN_A_CELL]
        for at in fitting[:1]:
            ids = tuple(dict.fromkeys((*found[at].claim_ids, *more)))
            found[at] = found[at].model_copy(update={"claim_ids": ids})
    return found


_IN_A_CELL = 2
"""Facts that a cell of a table is offered; it has no room for more."""


def _aspect(point: str) -> str:
    """What a cell is about: `a2` of `s1a2`; "" for what is no cell."""
    return point[point.find("a") :] if point.startswith("s") and "a" in point else ""


def placed_in(
    sections: Sequence[SectionPlan], facts: Sequence[Claim], known: Mapping[str, Claim], *, first: bool = False
) -> tuple[SectionPlan, ...]:
    """The sections with each fact added to the one that it fits best: by the points it speaks of, then by words.

    `first`: before the facts that a section has, as what carries it.
    """
    if not sections or not facts:
        return tuple(sections)
    fits = _fitting(sections, known)
    added: list[list[str]] = [[] for _ in sections]
    for fact in facts:
        added[fits(fact)].append(fact.claim_id)
    return tuple(
        section.model_copy(
            update={
                "claim_ids": tuple(dict.fromkeys((*more, *section.claim_ids) if first else (*section.claim_ids, *more)))
            }
        )
        for section, more in zip(sections, added, strict=True)
    )


def _fitting(sections: Sequence[SectionPlan], known: Mapping[str, Claim]) -> Callable[[Claim], int]:
    own = [[known[name] for name in section.claim_ids if name in known] for section in sections]
    points = [{point for fact in facts for point in fact.covers} for facts in own]
    texts = [
        " ".join((section.heading, section.thesis, *(fact.text for fact in facts)))
        for section, facts in zip(sections, own, strict=True)
    ]
    ranker = Ranker(texts)

    def best(fact: Claim) -> int:
        scores = ranker.scores(fact.text)
        most = max(scores, default=0.0) or 1.0
        worth = [_POINT * len(points[at].intersection(fact.covers)) + scores[at] / most for at in range(len(sections))]
        return worth.index(max(worth))

    return best
