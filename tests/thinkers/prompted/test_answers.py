import json
from typing import Any

import pytest
from pydantic import ValidationError

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.thinkers.prompted import answers, sketch_answers
from deepresearch_mcp.thinkers.prompted.answers import (
    Answer,
    AssessAnswer,
    JudgeAnswer,
    PlanAnswer,
    ReadAnswer,
    ReviewAnswer,
    schema_of,
)

SHAPES: dict[str, type[Answer]] = {
    name: getattr(sketch_answers if name == "sketch" else answers, load(name).answers)
    for name in "plan read judge consolidate assess sketch review repair".split()  # noqa: SIM905 - a list to be read
}


def objects(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for part in node for found in objects(part)]
    if not isinstance(node, dict):
        return []
    return [*([node] if "properties" in node else []), *objects(list(node.values()))]


@pytest.mark.parametrize("name", SHAPES)
def test_a_schema_is_whole_closed_and_says_nothing_twice(name: str) -> None:
    schema = schema_of(SHAPES[name], {})

    text = json.dumps(schema)
    assert all(f'"{word}"' not in text for word in ("$ref", "$defs", "default", "description", "anyOf"))
    assert all(part["additionalProperties"] is False for part in objects(schema))
    assert all(part["required"] for part in objects(schema))


@pytest.mark.parametrize("name", SHAPES)
def test_every_field_asked_for_is_explained_in_the_prompt(name: str) -> None:
    prompt = load(name)

    fields = {field for part in objects(schema_of(SHAPES[name], {})) for field in part["properties"]}

    told = f"{prompt.system} {prompt.plain}"
    unexplained = {field for field in fields if field not in told}
    assert unexplained <= {
        # The lists themselves, and what says all by its name beside the tags of the material.
        "sub_questions", "claims", "verdicts", "parts", "sentences", "claim_id", "id", "claim_ids", "text", "query",
        "comparisons", "pair_id",
    }  # fmt: skip


def test_a_title_that_is_a_field_is_kept() -> None:
    assert schema_of(SHAPES["sketch"], {})["properties"]["title"] == {"type": "string"}


def test_limits_of_one_call_stand_in_its_schema_alone() -> None:
    limited = schema_of(ReadAnswer, {"claims": {"maxItems": 6}})

    assert limited["properties"]["claims"]["maxItems"] == 6
    assert "maxItems" not in schema_of(ReadAnswer, {})["properties"]["claims"]


def test_what_is_most_often_empty_may_be_left_out() -> None:
    verdict = schema_of(JudgeAnswer, {})["properties"]["verdicts"]["items"]

    assert verdict["required"] == ["claim_id", "verdict"]
    assert verdict["properties"]["verdict"]["enum"][0] == "supported"


def test_an_item_that_lacks_fields_costs_that_item_alone() -> None:
    answer = ReadAnswer.model_validate({"claims": [{"claim": "Ice floats."}, {"quote": None, "extra": 1}], "leads": []})

    assert [(item.claim, item.quote) for item in answer.claims] == [("Ice floats.", ""), ("", "")]


def test_an_answer_of_another_shape_is_not_an_empty_one() -> None:
    with pytest.raises(ValidationError):
        ReadAnswer.model_validate({"result": []})


def test_one_word_where_several_belong_is_a_list_of_one() -> None:
    answer = PlanAnswer.model_validate(
        {"sub_questions": [{"question": "Why?", "queries": "ice density", "depends_on": None, "priority": 1}]}
    )

    [part] = answer.sub_questions
    assert (part.queries, part.depends_on, part.priority) == (["ice density"], [], "1")


@pytest.mark.parametrize(("given", "mark"), [(7, 7), ("8/10", 8), (8.6, 8), (0, 1), (95, 10), ("good", 5), (None, 5)])
def test_a_mark_is_read_as_one_to_ten(given: object, mark: int) -> None:
    assert AssessAnswer.model_validate({"sufficiency": given}).sufficiency == mark
    assert ReviewAnswer.model_validate({"worth": given}).worth == mark


def test_a_list_of_which_a_call_wants_nothing_is_no_field_of_its_schema() -> None:
    wanted = schema_of(AssessAnswer, {"expect": {"maxItems": 0}, "add": {"maxItems": 3}})

    assert "expect" not in wanted["properties"]
    assert wanted["properties"]["add"]["maxItems"] == 3
    assert wanted["required"] == ["sufficiency", "open", "done_ids"]
