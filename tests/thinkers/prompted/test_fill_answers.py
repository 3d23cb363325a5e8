"""The shape of what belongs in empty cells."""

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.thinkers.prompted import fill_answers
from deepresearch_mcp.thinkers.prompted.answers import schema_of


def test_the_prompt_asks_for_this_shape_and_may_limit_it() -> None:
    shape = getattr(fill_answers, load("fill").answers)

    [one] = shape.model_validate({"spots": [{"spot": "e1", "text": "n/a", "by": None}]}).spots
    assert (one.spot, one.text, one.by, one.quote) == ("e1", "n/a", [], "")
    assert schema_of(shape, {"spots": {"maxItems": 3}})["properties"]["spots"]["maxItems"] == 3
