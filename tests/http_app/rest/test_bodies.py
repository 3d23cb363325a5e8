from deepresearch_mcp.http_app.rest.bodies import CheckOrder, ResearchOrder
from deepresearch_mcp.records.checks import CheckRequest
from deepresearch_mcp.records.request import ResearchRequest


def test_an_order_has_every_field_of_its_request_but_the_surfaces_own() -> None:
    assert ResearchOrder.model_fields.keys() == ResearchRequest.model_fields.keys() - {"asks"} | {"webhook_url"}
    assert CheckOrder.model_fields.keys() == CheckRequest.model_fields.keys() - {"kind"} | {"fresh", "webhook_url"}
