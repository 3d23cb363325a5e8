import json
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow, RunStatus, may_follow

PROMISED = {
    *("run_id", "status", "stage", "question", "answer", "report", "sections", "citations", "claims", "sources"),
    *("unread", "warnings", "quotes", "metrics", "provenance", "path"),
}


def test_the_run_object_has_every_field_that_is_promised() -> None:
    run = Run(run_id="r1", status="completed", stage="ended", question="Why?")

    assert set(json.loads(run.model_dump_json())) >= PROMISED
    assert Run.model_validate_json(run.model_dump_json()) == run


def test_a_run_that_ended_is_one_of_four_kinds() -> None:
    assert set(get_args(RunStatus)) - ENDED == {"queued", "running", "input_required", "interrupted"}


def test_a_run_of_an_unknown_status_cannot_be_made() -> None:
    with pytest.raises(ValidationError, match="status"):
        Run.model_validate({"run_id": "r1", "status": "done", "stage": "ended", "question": "Why?"})


def test_what_the_store_keeps_goes_through_json_unchanged() -> None:
    row = RunRow(
        run_id="r1",
        caller="me",
        request=ResearchRequest(question="Why does ice float?"),
        fingerprint="ab",
        status="running",
        created=1.0,
        updated=2.0,
        progress={"read": 3},
    )

    assert RunRow.model_validate_json(row.model_dump_json()) == row


@pytest.mark.parametrize(
    ("now", "then", "may"),
    [
        (("queued", "created"), ("running", "created"), True),
        (("running", "created"), ("running", "planning"), True),
        (("running", "reflecting"), ("running", "researching"), True),
        (("running", "researching"), ("running", "researching"), True),
        (("running", "synthesizing"), ("completed", "ended"), True),
        (("queued", "created"), ("cancelled", "ended"), True),
        (("running", "planning"), ("input_required", "planning"), True),
        (("running", "synthesizing"), ("running", "researching"), False),
        (("running", "researching"), ("running", "planning"), False),
        (("running", "researching"), ("running", "created"), False),
        (("running", "researching"), ("completed", "researching"), False),
        (("running", "researching"), ("interrupted", "researching"), False),
        (("completed", "ended"), ("running", "ended"), False),
        (("cancelled", "ended"), ("completed", "ended"), False),
    ],
)
def test_a_run_goes_forward_and_an_ended_one_nowhere(now: Any, then: Any, may: bool) -> None:
    assert may_follow(now, then) is may


def test_a_run_that_an_older_version_stored_is_readable_without_rounds_and_confidence() -> None:
    stored = {"run_id": "r", "status": "completed", "stage": "ended", "question": "Why?"}
    run = Run.model_validate_json(json.dumps(stored | {"assessment": {"sufficiency": 7, "gate": [], "why": ""}}))

    assert run.assessment
    assert (run.assessment.confidence, run.assessment.rounds) == ("", ())
