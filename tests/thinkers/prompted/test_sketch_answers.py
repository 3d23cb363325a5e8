"""The shape of a sketch."""

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.thinkers.prompted import sketch_answers
from deepresearch_mcp.thinkers.prompted.answers import schema_of


def test_the_prompt_names_this_shape_and_a_section_is_prose_unless_it_says_otherwise() -> None:
    shape = getattr(sketch_answers, load("sketch").answers)

    [one] = shape.model_validate({"sections": [{"heading": "Ice", "fact_ids": "c1"}]}).sections
    assert (one.form, one.facts, one.answers) == ("prose", ["c1"], [])
    assert {"fact_ids", "deliverable_ids"} <= schema_of(shape, {})["properties"]["sections"]["items"][
        "properties"
    ].keys()
