import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.report_template import ReportTemplate


def test_without_a_template_nothing_is_said_of_the_form() -> None:
    bare = ReportTemplate()

    assert (bare.name, bare.note, bare.sections, bare.words) == ("", "", (), 1.0)


@pytest.mark.parametrize(
    "wrong", [{"words": 9}, {"colour": "red"}, {"sections": [{"heading": ""}]}, {"sections": [{"heading": "a"}] * 17}]
)
def test_what_no_report_can_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ReportTemplate.model_validate(wrong)
