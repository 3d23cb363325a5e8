import json
from copy import deepcopy
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from deepresearch_mcp.llm.schemas import in_words, schema_name, strict


class Part(BaseModel):
    title: str = Field(default="", max_length=20, description="Short.")
    kind: Literal["a", "b"] = "a"


class Whole(BaseModel):
    first: Part = Field(default=Part(), description="The first.")
    parts: list[Part] = Field(default=[], max_length=3)
    note: str | None = None


def objects(schema: object) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for part in schema for found in objects(part)]
    if not isinstance(schema, dict):
        return []
    below = [found for part in schema.values() for found in objects(part)]
    return [schema, *below] if schema.get("type") == "object" else below


def test_every_property_is_required_at_every_depth() -> None:
    made = strict(Whole.model_json_schema())

    assert len(objects(made)) == 2
    for part in objects(made):
        assert part["required"] == list(part["properties"])
        assert part["additionalProperties"] is False


def test_properties_named_like_schema_words_stay() -> None:
    made = strict(Whole.model_json_schema())

    assert list(made["$defs"]["Part"]["properties"]) == ["title", "kind"]
    assert made["$defs"]["Part"]["properties"]["title"] == {"description": "Short.", "type": "string"}
    assert made["properties"]["first"] == {"$ref": "#/$defs/Part"}
    assert made["properties"]["parts"]["maxItems"] == 3
    assert made["title"] == "Whole"


def test_the_schema_given_is_not_changed() -> None:
    schema = Whole.model_json_schema()
    before = deepcopy(schema)

    strict(schema)

    assert schema == before


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"allOf": [{"type": "string", "default": ""}], "description": "d"}, {"type": "string", "description": "d"}),
        ({"type": "object"}, {"type": "object", "properties": {}, "required": [], "additionalProperties": False}),
        ({"type": "array", "items": True}, {"type": "array", "items": True}),
    ],
)
def test_forms_that_strict_modes_do_not_know_are_put_otherwise(schema: dict[str, Any], made: dict[str, Any]) -> None:
    assert strict(schema) == made


def test_a_schema_in_words_stands_under_the_system_text() -> None:
    text = in_words("Be exact.", {"type": "object", "title": "Größe"})

    assert text.startswith("Be exact.\n\n")
    assert json.loads(text.rsplit("JSON Schema:\n", 1)[1]) == {"type": "object", "title": "Größe"}
    assert in_words("", {}).startswith("Answer with one JSON object")


@given(st.text())
def test_every_name_becomes_one_that_services_take(text: str) -> None:
    name = schema_name(text)

    assert 1 <= len(name) <= 64
    assert all(char.isascii() and (char.isalnum() or char in "_-") for char in name)
