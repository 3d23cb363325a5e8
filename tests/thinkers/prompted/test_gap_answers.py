"""The shape of what is said of gaps."""

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.thinkers.prompted import gap_answers
from deepresearch_mcp.thinkers.prompted.answers import schema_of


def test_the_prompt_names_this_shape_and_a_gap_without_more_is_open() -> None:
    shape = getattr(gap_answers, load("gaps").answers)

    [one] = shape.model_validate({"gaps": [{"gap": "g1", "by": "f1"}]}).gaps
    assert (one.status, one.by, one.rest, one.same) == ("open", ["f1"], "", "")
    assert schema_of(shape, {"gaps": {"maxItems": 3}})["properties"]["gaps"]["maxItems"] == 3
