"""Which points of the brief are covered."""

import pytest

from deepresearch_mcp.pipeline.research.coverage import (
    brought_up,
    cell_query,
    cells_of,
    covered,
    open_deliverables,
    queries_for_points,
    texts_of_points,
    uncovered,
)
from deepresearch_mcp.records.evidence import Assessment, Claim, OpenPoint
from deepresearch_mcp.records.plan import Brief, Cell, Deliverable, Scope
from deepresearch_mcp.records.report import EMPTY_CELL, Block, Draft, Sentence, WrittenSection
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import brief, claim, page, part

SCOPE = Scope(
    deliverables=(
        Deliverable(id="d1", kind="comparison", text="compare both"),
        Deliverable(id="d2", kind="recommendation", text="which one to take"),
    ),
    subjects=("Ice", "Snow"),
    aspects=("density",),
)
PAGE = page("https://a.example/1", "Ice is dense. Snow is light. Ice has a density of 0.9. Snow has a density of 0.1.")
ICE = claim(PAGE, "Ice is dense.", covers=("d1", "s1a1"))
ICE_AGAIN = claim(PAGE, "Ice has a density of 0.9.", covers=("s1a1",))
SNOW = claim(PAGE, "Snow is light.", covers=("s2a1",))
UNTAGGED = claim(PAGE, "Snow has a density of 0.1.")
NOT_ASKED = Assessment(sufficiency=5)


def asked(scope: Scope = SCOPE) -> Brief:
    return brief().model_copy(update={"scope": scope})


def found(assessment: Assessment, *claims: Claim, scope: Scope = SCOPE) -> Assessment:
    return covered(asked(scope), assessment, [SubQuestionEvidence(part(), claims)])


def statuses(assessment: Assessment, *claims: Claim, scope: Scope = SCOPE) -> dict[str, str]:
    return {one.point: one.status for one in found(assessment, *claims, scope=scope).coverage}


def test_what_a_thinker_calls_open_stays_open_and_what_it_does_not_name_needs_a_claim() -> None:
    said = Assessment(
        sufficiency=5, open=(OpenPoint(point="s2a1", status="open"), OpenPoint(point="d1", status="thin"))
    )

    assert statuses(said, ICE) == {"d1": "thin", "d2": "covered", "s1a1": "covered", "s2a1": "open"}
    assert statuses(Assessment(sufficiency=9, open=()), ICE)["s2a1"] == "open", "no claim speaks of it"


def test_points_that_do_not_exist_are_forgotten() -> None:
    said = Assessment(sufficiency=5, open=(OpenPoint(point="d9"), OpenPoint(point="q1")))

    assert found(said, ICE).open == said.open
    assert set(statuses(said, ICE, SNOW).values()) == {"covered"}


def test_a_comparison_with_an_empty_or_thin_cell_is_not_covered() -> None:
    silent = Assessment(sufficiency=9, open=())

    assert statuses(silent, ICE, ICE_AGAIN)["d1"] == "thin"
    assert statuses(NOT_ASKED, ICE, ICE_AGAIN, SNOW)["d1"] == "thin"
    assert statuses(NOT_ASKED, ICE, ICE_AGAIN, SNOW, UNTAGGED)["d1"] == "covered"


def test_without_a_word_on_what_is_open_claims_are_counted() -> None:
    assert statuses(NOT_ASKED, ICE, ICE_AGAIN) == {"d1": "thin", "d2": "covered", "s1a1": "covered", "s2a1": "open"}
    assert statuses(NOT_ASKED, ICE, ICE_AGAIN, SNOW)["s2a1"] == "thin"


def test_a_cell_with_a_fraction_of_what_the_others_have_is_thin() -> None:
    scope = Scope(subjects=("Ice", "Snow", "Hail"), aspects=("density",))
    text = " ".join(f"Fact {at} holds." for at in range(40))
    facts = [
        claim(page("https://b.example/1", text), f"Fact {at} holds.", covers=(f"s{1 + at % 2}a1",)) for at in range(40)
    ]
    few = [one.model_copy(update={"covers": ("s3a1",)}) for one in facts[:4]]

    assert statuses(NOT_ASKED, *facts[4:], *few, scope=scope)["s3a1"] == "thin"


def test_a_claim_without_tags_speaks_of_the_cell_that_its_words_name() -> None:
    assert statuses(NOT_ASKED, UNTAGGED)["s2a1"] == "thin"
    assert statuses(NOT_ASKED, UNTAGGED)["s1a1"] == "open"


def test_without_a_claim_nothing_is_covered() -> None:
    assert set(statuses(Assessment(sufficiency=5, open=())).values()) == {"open"}
    assert set(statuses(NOT_ASKED).values()) == {"open"}


def test_a_question_without_parts_is_covered_by_all_that_was_found() -> None:
    assert statuses(NOT_ASKED, UNTAGGED, SNOW, scope=Scope()) == {"d1": "covered"}
    assert statuses(NOT_ASKED, UNTAGGED, scope=Scope()) == {"d1": "thin"}


def test_a_deliverable_is_made_of_the_cells_that_its_text_names() -> None:
    scope = Scope(subjects=("SQLite", "PostgreSQL"), aspects=("Full-text search", "Concurrent writers"))
    search = Deliverable(id="d1", kind="comparison", text="Both databases on full-text search")
    writers = Deliverable(id="d2", kind="explanation", text="How PostgreSQL handles concurrency of writers")
    advice = Deliverable(id="d3", kind="recommendation", text="Which to take for a web service")

    assert [one.id for one in cells_of(search, scope)] == ["s1a1", "s2a1"]
    assert [one.id for one in cells_of(writers, scope)] == ["s2a2"]
    assert cells_of(advice, scope) == []


def table(*row: str) -> Draft:
    cells = tuple(Sentence(text=text) for text in row)
    block = Block(kind="table", head=("", "density"), rows=(cells,))
    return Draft(title="t", sections=(WrittenSection(heading="Side by side", blocks=(block,)),))


def test_a_cell_that_is_empty_in_the_report_is_not_covered_and_neither_is_its_comparison() -> None:
    before = found(Assessment(sufficiency=9, open=()), ICE, SNOW)
    parts = [SubQuestionEvidence(part(), (ICE, SNOW))]
    known = {ICE.claim_id, SNOW.claim_id}

    after = brought_up(asked(), before, parts, known, table("Snow", EMPTY_CELL))
    assert {one.point: one.status for one in after.coverage if one.status != "covered"} == {
        "d1": "thin",
        "s2a1": "thin",
    }
    assert brought_up(asked(), before, parts, known, table("Snow", "0.1")) == before


def test_what_was_found_after_the_last_assessment_counts() -> None:
    before = found(Assessment(sufficiency=5, open=(OpenPoint(point="s2a1"), OpenPoint(point="d1"))), ICE)
    parts = [SubQuestionEvidence(part(), (ICE, SNOW, UNTAGGED))]

    after = brought_up(asked(), before, parts, {ICE.claim_id}, Draft(title="t"))
    assert {one.point: (one.status, one.claims) for one in after.coverage}["s2a1"] == ("covered", 2)
    less = brought_up(asked(), before, parts, {ICE.claim_id, SNOW.claim_id}, Draft(title="t"))
    assert {one.point: one.status for one in less.coverage}["s2a1"] == "thin"


def test_open_points_come_before_thin_ones() -> None:
    said = Assessment(sufficiency=5, open=(OpenPoint(point="d1", status="thin"), OpenPoint(point="d2")))
    left = found(said, ICE, SNOW)

    assert [one.point for one in uncovered(left)] == ["d2", "d1"]
    assert open_deliverables(left) == ["d2"]
    assert open_deliverables(None) == []


def test_each_open_cell_has_queries_of_its_own_words_from_several_angles() -> None:
    left = [OpenPoint(point="s2a1"), OpenPoint(point="d2"), OpenPoint(point="d1")]

    english = queries_for_points(SCOPE, left)
    assert english["s2a1"][:2] == ("Snow density", "Snow density limits")
    assert "d1" not in english, "its cells are searched for"
    assert queries_for_points(SCOPE, left, "de")["s2a1"] == ("Snow density",)


@pytest.mark.parametrize(
    ("subject", "aspect", "query"),
    [
        ("PostgreSQL", "What can still be lost or unnoticed", "PostgreSQL lost unnoticed"),
        ("PostgreSQL", "Backup of PostgreSQL", "PostgreSQL backup"),
        ("3.10", "Removed", "asyncio change 3.10 removed"),
        ("Ice", "The", "Ice The"),
    ],
)
def test_a_cell_is_searched_for_by_its_subject_and_the_content_words_of_its_aspect(
    subject: str, aspect: str, query: str
) -> None:
    cell = Cell(id="s1a1", subject=subject, aspect=aspect)

    assert cell_query(cell, "How did asyncio change from Python 3.7 to 3.11?") == query


def test_points_are_called_what_the_question_calls_them() -> None:
    assert texts_of_points(SCOPE) == {
        "d1": "compare both",
        "d2": "which one to take",
        "s1a1": "Ice: density",
        "s2a1": "Snow: density",
    }
