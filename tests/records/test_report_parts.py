import pytest

from deepresearch_mcp.records.report import Section
from deepresearch_mcp.records.report_parts import ReportPart


@pytest.mark.parametrize(("heading", "part"), [("In short", "short"), ("References", "references"), ("Quellen", "")])
def test_a_run_of_an_older_version_names_its_parts_by_their_english_headings(heading: str, part: str) -> None:
    stored = Section.model_validate({"heading": heading, "markdown": "Words."})

    assert stored.part == part


def test_a_part_is_called_by_its_own_heading_and_by_the_english_one() -> None:
    found = ReportPart(heading="Quellen", part="references")

    assert [found.is_called(name) for name in (" quellen ", "References", "In short", "")] == [True, True, False, False]
    assert not ReportPart(heading="Own").is_called("References")


def test_what_a_newer_version_wrote_is_taken_as_it_is() -> None:
    assert ReportPart.model_validate({"heading": "References", "part": ""}).part == ""
