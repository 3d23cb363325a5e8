"""The tables of docs/rest.md that map the engine design onto what is really served."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from deepresearch_mcp.http_app.rest.session_config import SessionConfig
from deepresearch_mcp.http_app.rest.streaming import TYPES
from deepresearch_mcp.records.assessment import RoundAssessment, RunAssessment
from deepresearch_mcp.records.report import SourceRow
from deepresearch_mcp.records.run import CallRecord, Provenance, Run

PAGE = (Path(__file__).parents[3] / "docs" / "rest.md").read_text(encoding="utf-8")


def rows(heading: str) -> dict[str, str]:
    """The table below a heading: its first column → its second."""
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (.+?) \| (.+) \|$", part, re.MULTILINE)
    return dict(cells[1:])


def test_each_kind_of_event_stands_beside_its_type() -> None:
    told = {kind: name for name, kinds in rows("Events of the stream").items() for kind in re.findall(r"\w+", kinds)}

    assert {kind: told.get(kind) for kind in TYPES} == TYPES


def test_each_value_of_a_configuration_is_told_with_what_it_is() -> None:
    told = set(re.findall(r"\w+", ", ".join(rows("Config"))))
    given: set[str] = set()
    for field in SessionConfig.model_fields.values():
        assert isinstance(field.annotation, type)
        assert issubclass(field.annotation, BaseModel)
        given |= field.annotation.model_fields.keys()

    assert given - told == set()
    assert {"models.*.temperature", "models.*.maxTokens"} <= rows("Config").keys()


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        ("query, config", {Run, Provenance}),
        ("planning record: plan, model, time", {Provenance, CallRecord}),
        ("prompts and responses of planning and synthesis", {Provenance, CallRecord}),
        (
            "iteration records: steps, queries, sources found and used, score, decision",
            {RunAssessment, RoundAssessment, Provenance},
        ),
        ("synthesis record: notes, model, time", {Run, Provenance}),
        ("source manifest: id, address, fetched at, hash", {SourceRow}),
    ],
)
def test_what_provenance_names_is_a_field_of_the_run_object(row: str, parts: set[type[BaseModel]]) -> None:
    settings = {"telemetry.log_prompts", "config", "prompts"}
    names = {
        name.rpartition(".")[2] for name in re.findall(r"`([a-z_.]+)`", rows("Provenance")[row]) if name not in settings
    }

    known = {"assessment", *(name for part in {*parts, Run} for name in part.model_fields)}

    assert names
    assert names <= known
