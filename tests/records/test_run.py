import json
from typing import get_args

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow, RunStatus

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
