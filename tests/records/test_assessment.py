import pytest

from deepresearch_mcp.records.assessment import GateCheck, RunAssessment, confidence


@pytest.mark.parametrize(
    ("sufficiency", "complete", "missing", "expected"),
    [
        (0, True, False, ""),
        (4, True, False, "low"),
        (7, True, False, "medium"),
        (8, True, False, "high"),
        (9, False, False, "medium"),
        (9, True, True, "medium"),
    ],
)
def test_a_run_is_sure_of_itself_only_where_it_is_complete_and_nothing_is_missing(
    sufficiency: int, complete: bool, missing: bool, expected: str
) -> None:
    assert confidence(sufficiency, complete=complete, missing=missing) == expected


def test_a_check_says_what_is_there_and_what_is_wanted() -> None:
    check = GateCheck(check="sites", value=2, threshold=3)

    assert (check.met, check.told) == (False, "2 of 3 sites")
    assert GateCheck(check="sites", value=3, threshold=3).met


def test_what_an_older_version_said_was_missing_is_still_read() -> None:
    stored = RunAssessment.model_validate({"sufficiency": 7, "gate": ["2 of 3 sites"]})

    assert [(one.met, one.told) for one in stored.gate] == [(False, "2 of 3 sites")]
    assert RunAssessment.model_validate_json(stored.model_dump_json()) == stored
