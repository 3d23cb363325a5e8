"""Which points of the brief are covered."""

import pytest

from deepresearch_mcp.pipeline.research.coverage import covered, open_deliverables, texts_of_points, uncovered
from deepresearch_mcp.records.evidence import Assessment, OpenPoint
from deepresearch_mcp.records.plan import Brief, Deliverable, Scope
from pipeline_fakes import brief, claim, page

SCOPE = Scope(
    deliverables=(
        Deliverable(id="d1", kind="comparison", text="compare both"),
        Deliverable(id="d2", kind="recommendation", text="which one to take"),
    ),
    subjects=("Ice", "Snow"),
    aspects=("density",),
)
PAGE = page("https://a.example/1", "Ice is dense. Snow is light.")
ICE = claim(PAGE, "Ice is dense.", covers=("d1", "s1a1"))


def asked() -> Brief:
    return brief().model_copy(update={"scope": SCOPE})


def statuses(assessment: Assessment, *claims: object, answered: int = 0, parts: int = 2) -> dict[str, str]:
    found = covered(asked(), assessment, claims, answered, parts)  # type: ignore[arg-type]
    return {one.point: one.status for one in found.coverage}


def test_what_a_thinker_calls_open_stays_open_and_what_it_does_not_name_is_covered() -> None:
    said = Assessment(
        sufficiency=5, open=(OpenPoint(point="s2a1", status="open"), OpenPoint(point="d1", status="thin"))
    )

    assert statuses(said, ICE) == {"d1": "thin", "d2": "covered", "s1a1": "covered", "s2a1": "open"}


def test_points_that_do_not_exist_are_forgotten() -> None:
    said = Assessment(sufficiency=5, open=(OpenPoint(point="d9"), OpenPoint(point="q1")))

    assert covered(asked(), said, [ICE], 0, 2).open == said.open
    assert set(statuses(said, ICE).values()) == {"covered"}


@pytest.mark.parametrize(("answered", "status"), [(2, "covered"), (1, "thin"), (0, "thin")])
def test_without_a_word_on_what_is_open_deliverables_follow_the_sub_questions(answered: int, status: str) -> None:
    found = statuses(Assessment(sufficiency=5), ICE, answered=answered)

    assert (found["d1"], found["s1a1"], found["s2a1"]) == (status, "covered", "open")


def test_without_a_claim_nothing_is_covered() -> None:
    assert set(statuses(Assessment(sufficiency=5, open=())).values()) == {"open", "covered"}
    assert statuses(Assessment(sufficiency=5, open=()))["d1"] == "open"
    assert set(statuses(Assessment(sufficiency=5)).values()) == {"open"}


def test_open_points_come_before_thin_ones() -> None:
    said = Assessment(sufficiency=5, open=(OpenPoint(point="d1", status="thin"), OpenPoint(point="d2")))
    found = covered(asked(), said, [ICE], 0, 2)

    assert [one.point for one in uncovered(found)] == ["d2", "d1"]
    assert open_deliverables(found) == ["d2"]
    assert open_deliverables(None) == []


def test_points_are_called_what_the_question_calls_them() -> None:
    assert texts_of_points(SCOPE) == {
        "d1": "compare both",
        "d2": "which one to take",
        "s1a1": "Ice: density",
        "s2a1": "Snow: density",
    }
