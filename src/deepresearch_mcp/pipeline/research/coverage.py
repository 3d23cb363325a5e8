"""Coverage: which points of the brief the verified claims cover, and which stay open."""

from collections.abc import Mapping, Sequence

from deepresearch_mcp.records.evidence import Assessment, Claim, OpenPoint, PointCoverage
from deepresearch_mcp.records.plan import Brief, Deliverable, Scope

WHOLE = Deliverable(id="d1", text="the question")
"""Stands for what is asked while no plan says it."""


def deliverables(scope: Scope) -> tuple[Deliverable, ...]:
    """The deliverables of the question; at least the question itself."""
    return scope.deliverables or (WHOLE,)


def covered(brief: Brief, assessment: Assessment, claims: Sequence[Claim], answered: int, asked: int) -> Assessment:
    """The assessment with the coverage of every deliverable and cell.

    What the thinker calls open stays open. What it does not name counts as covered if any claim speaks of it; a
    deliverable also if the thinker was asked for what is open and did not name it: the premises of a recommendation
    speak of other points. Without such an answer the deliverables are covered as far as the sub-questions are: all of
    them (`answered` = `asked`), some, or none.
    """
    scope = brief.scope
    known = {one.id for one in (*deliverables(scope), *scope.cells)}
    told = {one.point: one for one in reversed(assessment.open or ()) if one.point in known}
    spoken = _spoken(claims)

    def deliverable(name: str) -> PointCoverage:
        if name in told:
            return PointCoverage(point=name, status=told[name].status, claims=spoken.get(name, 0))
        if assessment.open is not None:
            return PointCoverage(point=name, status="covered" if claims else "open", claims=spoken.get(name, 0))
        whole = "covered" if answered and answered == asked else "thin" if claims else "open"
        return PointCoverage(point=name, status=whole, claims=spoken.get(name, 0))

    def cell(name: str) -> PointCoverage:
        number = spoken.get(name, 0)
        status = told[name].status if name in told else "covered" if number or assessment.open is not None else "open"
        return PointCoverage(point=name, status=status, claims=number)

    points = (*(deliverable(one.id) for one in deliverables(scope)), *(cell(one.id) for one in scope.cells))
    return assessment.model_copy(update={"coverage": points, "open": tuple(told.values()) or assessment.open})


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


def queries_for_points(scope: Scope, points: Sequence[OpenPoint | PointCoverage]) -> Mapping[str, str]:
    """A query by rule for each open cell: its subject and its aspect."""
    cells = {one.id: f"{one.subject} {one.aspect}" for one in scope.cells}
    return {one.point: cells[one.point] for one in points if one.point in cells}


def _spoken(claims: Sequence[Claim]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for claim in claims:
        for name in claim.covers:
            numbers[name] = numbers.get(name, 0) + 1
    return numbers
