"""Coverage: which points of the brief the verified claims cover, and which stay open."""

from collections.abc import Collection, Mapping, Sequence
from statistics import median

from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.research.naming import names_cell, names_half, said_in, telling_words
from deepresearch_mcp.records.evidence import Assessment, Claim, OpenPoint, PointCoverage, PointStatus
from deepresearch_mcp.records.plan import Brief, Cell, Deliverable, Scope
from deepresearch_mcp.records.report import EMPTY_CELL, Draft
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

WHOLE = Deliverable(id="d1", text="the question")
"""Stands for what is asked while no plan says it."""
_ENOUGH = 2
"""Claims on a point from which counting calls it covered."""
_LOPSIDED = 0.25
"""Share of what a usual cell has, below which counting calls a cell thin."""
_MOST_WANTED = 6
"""Claims from which a cell is never thin, however many the others have."""
_OWN_WORK = frozenset({"recommendation", "verdict", "comparison", "answer"})
"""Kinds of deliverables that a writer draws from claims on other points."""


def deliverables(scope: Scope) -> tuple[Deliverable, ...]:
    """The deliverables of the question; at least the question itself."""
    return scope.deliverables or (WHOLE,)


def covered(brief: Brief, assessment: Assessment, parts: Sequence[SubQuestionEvidence]) -> Assessment:
    """The assessment with the coverage of every deliverable and cell.

    What the thinker calls open stays open; what it does not name counts as covered if any claim speaks of it. Where no
    thinker has said what is open, claims are counted: two make a point covered, one makes it thin, and so does a
    fraction of what the other cells have. In both cases a deliverable is not covered while a cell of it is not.
    """
    scope = brief.scope
    claims = list({claim.claim_id: claim for part in parts for claim in part.claims}.values())
    known = {one.id for one in (*deliverables(scope), *scope.cells)}
    told: dict[str, PointStatus] = {
        one.point: one.status for one in reversed(assessment.open or ()) if one.point in known
    }
    asked = assessment.open is not None
    cells = _cells(scope, claims, told, asked=asked)
    by_id = {one.point: one for one in cells}
    wanted = [
        _deliverable(one, scope, claims, parts, told, [by_id[cell.id] for cell in cells_of(one, scope)], asked=asked)
        for one in deliverables(scope)
    ]
    first: dict[str, OpenPoint] = {}
    for one in assessment.open or ():
        if one.point in known:
            first.setdefault(one.point, one)
    distinct = tuple(first.values())
    return assessment.model_copy(update={"coverage": (*wanted, *cells), "open": distinct or assessment.open})


def _cells(
    scope: Scope, claims: Sequence[Claim], told: Mapping[str, PointStatus], *, asked: bool
) -> list[PointCoverage]:
    numbers = {cell.id: sum(speaks_of(claim, cell) for claim in claims) for cell in scope.cells}
    usual = _LOPSIDED * median(numbers.values()) if numbers else 0.0
    least = max(_ENOUGH, min(_MOST_WANTED, usual))

    def status(name: str) -> PointStatus:
        number = numbers[name]
        if name in told:
            return told[name]
        if asked:
            return "covered" if number else "open"
        return "open" if not number else "thin" if number < least else "covered"

    return [PointCoverage(point=name, status=status(name), claims=number) for name, number in numbers.items()]


def _deliverable(
    one: Deliverable,
    scope: Scope,
    claims: Sequence[Claim],
    parts: Sequence[SubQuestionEvidence],
    told: Mapping[str, PointStatus],
    cells: Sequence[PointCoverage],
    *,
    asked: bool,
) -> PointCoverage:
    number = _spoken(one, scope, claims, parts)
    if one.id in told:
        status = told[one.id]
    elif not number:
        status = "open"
    elif any(cell.status in {"open", "thin"} for cell in cells) or (number < _ENOUGH and not asked):
        status = "thin"
    else:
        status = "covered"
    return PointCoverage(point=one.id, status=status, claims=number)


def _spoken(one: Deliverable, scope: Scope, claims: Sequence[Claim], parts: Sequence[SubQuestionEvidence]) -> int:
    """How many claims speak of a deliverable: by their own word, by its cells, or by the words of its text."""
    cells = cells_of(one, scope)
    wanted = deliverables(scope)
    words = " ".join(telling_words(one.text, [other.text for other in wanted if len(wanted) > 1]))
    subs = [part.sub_question for part in parts]
    home = nearest_sub_question(one.text, subs) if subs else ""
    at_home = {claim.claim_id for part in parts if part.sub_question.id == home for claim in part.claims}

    def speaks(claim: Claim) -> bool:
        if one.id in claim.covers or len(wanted) == 1:
            return True
        if any(speaks_of(claim, cell) for cell in cells):
            return True
        return not claim.covers and (claim.claim_id in at_home or names_half(_said(claim), words))

    number = sum(map(speaks, claims))
    # The premises of advice speak of other points.
    return number or (len(claims) if one.kind in _OWN_WORK and not cells else 0)


def speaks_of(claim: Claim, cell: Cell) -> bool:
    """Whether a claim speaks of a cell: as its reader says, or else by its words and the headings above its quote."""
    if claim.covers:
        return cell.id in claim.covers
    return names_cell(f"{claim.text}\n{claim.quotes[0].heading}", cell)


def _said(claim: Claim) -> frozenset[str]:
    return said_in(claim.text, claim.quotes[0].heading)


def cells_of(one: Deliverable, scope: Scope) -> list[Cell]:
    """The cells that a deliverable is made of: those whose aspect its text names, as far as it names subjects.

    A comparison or list whose text names no aspect has all of them; any other kind has none.
    """
    said = said_in(one.text)
    aspects = {aspect for aspect in scope.aspects if names_half(said, aspect)}
    if not aspects and one.kind not in {"comparison", "list"}:
        return []
    subjects = {subject for subject in scope.subjects if names_half(said, subject)} or set(scope.subjects)
    return [cell for cell in scope.cells if cell.subject in subjects and (not aspects or cell.aspect in aspects)]


def brought_up(
    brief: Brief, assessment: Assessment, parts: Sequence[SubQuestionEvidence], known: Collection[str], draft: Draft
) -> Assessment:
    """The assessment with what was found after it (claims that are not `known`), and with what the report lacks.

    Two new claims on a point that was open or thin make it covered, one makes it thin. A cell that is empty in a table
    of the report is not covered, whatever was counted, and neither is the deliverable that it belongs to.
    """
    scope = brief.scope
    new = [claim for part in parts for claim in part.claims if claim.claim_id not in known]
    empty = _empty_in(draft, scope)

    def raised(one: PointCoverage, number: int) -> PointStatus:
        if one.status == "covered" or number >= _ENOUGH:
            return "covered"
        return "thin" if number and one.status == "open" else one.status

    rows: dict[str, PointCoverage] = {}
    cells = {cell.id: cell for cell in scope.cells}
    for one in assessment.coverage:
        if cell := cells.get(one.point):
            number = sum(speaks_of(claim, cell) for claim in new)
            status = raised(one, number)
            status = "thin" if status == "covered" and cell.id in empty else status
            rows[one.point] = one.model_copy(update={"status": status, "claims": one.claims + number})
    wanted = {one.id: one for one in deliverables(scope)}
    for one in assessment.coverage:
        if own := wanted.get(one.point):
            number = _spoken(own, scope, new, ()) if new else 0
            status = raised(one, number)
            lacking = any(rows[cell.id].status in {"open", "thin"} for cell in cells_of(own, scope) if cell.id in rows)
            status = "thin" if status == "covered" and lacking else status
            rows[one.point] = one.model_copy(update={"status": status, "claims": one.claims + number})
    return assessment.model_copy(update={"coverage": tuple(rows.get(one.point, one) for one in assessment.coverage)})


def _empty_in(draft: Draft, scope: Scope) -> set[str]:
    """The cells of the grid for which a table of the report has nothing to say."""
    found: set[str] = set()
    for section in draft.sections:
        for block in section.blocks:
            for row in block.rows if block.kind == "table" else ():
                label = row[0].text if row else ""
                for at, one in enumerate(row[1:], 1):
                    if one.text.strip() == EMPTY_CELL:
                        head = block.head[at] if at < len(block.head) else ""
                        about = f"{label} {head} {block.title} {section.heading}"
                        found |= {cell.id for cell in scope.cells if names_cell(about, cell)}
    return found


def uncovered(assessment: Assessment) -> list[PointCoverage]:
    """The points that are not covered, open ones before thin and one-sided ones, deliverables before cells."""
    order = {"open": 0, "thin": 1, "one_sided": 1}
    left = [one for one in assessment.coverage if one.status != "covered"]
    return sorted(left, key=lambda one: order.get(one.status, 1))


def open_deliverables(assessment: Assessment | None) -> list[str]:
    """Ids of the deliverables of which nothing is known."""
    points = assessment.coverage if assessment else ()
    return [one.point for one in points if one.point.startswith("d") and one.status == "open"]


def texts_of_points(scope: Scope) -> dict[str, str]:
    """What each deliverable and cell is called in a report."""
    cells = {one.id: f"{one.subject}: {one.aspect}" for one in scope.cells}
    return {one.id: one.text for one in deliverables(scope)} | cells


_ANGLES = ("", "limits", "documentation")
"""What is added to the words of a point that was asked for before, in English."""
_WORDS = 8
"""Words of a deliverable that are searched for."""
_TOPIC = 2
"""Words of the question that say what a version is one of."""


def queries_for_points(
    scope: Scope, points: Sequence[OpenPoint | PointCoverage], language: str = "en", question: str = ""
) -> Mapping[str, tuple[str, ...]]:
    """Queries by rule for each of the points: its own words, from one angle after another.

    A deliverable whose cells are open is searched for by them.
    """
    left = {one.point for one in points}
    known = {one.id: cell_query(one, question) for one in scope.cells}
    for one in scope.deliverables:
        if not any(cell.id in left for cell in cells_of(one, scope)):
            known[one.id] = " ".join(keywords(one.text, _WORDS))
    cells = {one.id for one in scope.cells} if language in {"en", ""} else set[str]()
    return {
        name: tuple(f"{words} {angle}".strip() for angle in (_ANGLES if name in cells else _ANGLES[:1]))
        for name, words in known.items()
        if name in left
    }


def cell_query(cell: Cell, question: str = "") -> str:
    """The subject with the aspect's own content words, and what the question is about where the subject is a number."""
    said = {word.casefold() for word in cell.subject.split()}
    own = [word for word in keywords(cell.aspect, _WORDS) if word.casefold() not in said]
    topic: list[str] = []
    if not any(char.isalpha() for char in cell.subject):
        topic = [word for word in keywords(question, _WORDS) if not any(char.isdigit() for char in word)][:_TOPIC]
    return " ".join((*topic, cell.subject, *(own or [cell.aspect])))


def score(coverage: Sequence[PointCoverage]) -> int:
    """How well the points are covered, from 1 to 10."""
    worth = {"covered": 1.0, "thin": 0.5, "one_sided": 0.5}
    known = sum(worth.get(one.status, 0.0) for one in coverage)
    return max(1, round(10 * known / max(1, len(coverage))))
