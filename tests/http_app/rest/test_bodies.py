from typing import get_args

from deepresearch_mcp.http_app.rest.bodies import CheckOrder, ReportQuery, ResearchOrder
from deepresearch_mcp.records.checks import CheckRequest
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.specs import FORMAT_NAMES


def test_an_order_has_every_field_of_its_request_but_the_surfaces_own() -> None:
    assert ResearchOrder.model_fields.keys() == ResearchRequest.model_fields.keys() - {"asks"} | {"webhook_url"}
    assert CheckOrder.model_fields.keys() == CheckRequest.model_fields.keys() - {"kind"} | {"fresh", "webhook_url"}


def test_a_report_is_asked_for_in_every_format_that_there_is() -> None:
    assert get_args(ReportQuery.model_fields["format"].annotation) == FORMAT_NAMES
