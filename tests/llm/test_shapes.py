import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deepresearch_mcp.llm.shapes import faults, fit, fit_and_validate


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    claim: str
    score: int = 5
    verdict: Literal["supported", "not_supported"] = "supported"
    note: str | None = None
    seen: bool = False


class Rows(BaseModel):
    rows: list[Row] = Field(max_length=3)
    topWords: list[str] = []  # noqa: N815 - spelled as some schemas are


class Tree(BaseModel):
    name: str
    below: list["Tree"] = []
    either: int | Row | None = None
    share: float = 0.0
    free: dict[str, int] = {}


class Flag(BaseModel):
    flag: bool | list[int]


ROWS = Rows.model_json_schema()
ONE = Rows(rows=[Row(claim="Ice floats.")])
ITEM = {"claim": "Ice floats."}


@pytest.mark.parametrize(
    "value",
    [
        {"rows": [ITEM]},
        {"Rows": [ITEM], "confidence": "high"},
        {"rows": ITEM},
        {"rows": {"items": [ITEM]}},
        {"rows": json.dumps([ITEM])},
        json.dumps({"rows": [ITEM]}),
        [ITEM],
        ITEM,
        {"answer": {"rows": [ITEM]}},
        {"result": [ITEM]},
        [{"rows": [ITEM]}],
        [[1], {"rows": [ITEM]}, [2]],
        {"rows": [{"claim": "Ice floats.", "score": None, "extra": 1}]},
        {"rows": [{"Claim": "Ice floats.", "score": "5/10", "verdict": "Supported.", "seen": "false"}]},
    ],
)
def test_what_weak_models_write_is_read_as_they_meant_it(value: object) -> None:
    assert fit_and_validate(Rows, value, ROWS) == ONE


@pytest.mark.parametrize(
    ("given_value", "kept"),
    [("8/10", 8), ("7", 7), (6.0, 6), (6.6, 7), ("1,200", 1200), ("-3.2 points", -3), (4, 4)],
)
def test_a_whole_number_is_found_in_what_stands_for_it(given_value: object, kept: int) -> None:
    assert fit_and_validate(Row, {"claim": "x", "score": given_value}, Row.model_json_schema()).score == kept


@pytest.mark.parametrize(
    "word", ["NOT_SUPPORTED", "not supported", "Not-Supported.", "notSupported", '"not_supported"']
)
def test_a_word_of_an_enumeration_gets_its_spelling(word: str) -> None:
    assert fit_and_validate(Row, {"claim": "x", "verdict": word}, Row.model_json_schema()).verdict == "not_supported"


@pytest.mark.parametrize(
    "wrong", [{"verdict": "perhaps"}, {"verdict": 3}, {"score": "many"}, {"claim": ["a"]}, {"claim": True}]
)
def test_no_meaning_is_guessed(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        fit_and_validate(Row, {"claim": "x", **wrong}, Row.model_json_schema())


def test_lists_are_cut_at_their_limit() -> None:
    assert len(fit_and_validate(Rows, {"rows": [ITEM] * 9}, ROWS).rows) == 3


def test_a_number_where_words_are_wanted_is_written_out() -> None:
    assert fit_and_validate(Row, {"claim": 2026}, Row.model_json_schema()).claim == "2026"


def test_what_cannot_be_stored_is_replaced() -> None:
    assert fit_and_validate(Row, {"claim": "a\ud800b\0c"}, Row.model_json_schema()).claim == "a�b�c"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"name": "a", "below": [{"name": 1}]}, Tree(name="a", below=[Tree(name="1")])),
        ({"name": "a", "below": None}, Tree(name="a")),
        ({"name": "a", "below": {"name": "b"}}, Tree(name="a", below=[Tree(name="b")])),
        ({"name": "a", "either": None}, Tree(name="a")),
        ({"name": "a", "either": 3}, Tree(name="a", either=3)),
        ({"name": "a", "either": {"claim": "x", "odd": 1}}, Tree(name="a", either=Row(claim="x"))),
        ({"name": "a", "share": "0.25 of it"}, Tree(name="a", share=0.25)),
        ({"name": "a", "free": {"x": 1}}, Tree(name="a", free={"x": 1})),
    ],
)
def test_parts_within_parts_are_fitted_too(value: object, kept: Tree) -> None:
    assert fit_and_validate(Tree, value, Tree.model_json_schema()) == kept


@pytest.mark.parametrize("shape", [Row, Rows, Tree])
@pytest.mark.parametrize("value", ["words", 3, None, True, [1, 2], {"odd": 1}, {"odd": []}, "[1", 1.5])
def test_another_shape_altogether_is_no_answer(shape: type[BaseModel], value: object) -> None:
    with pytest.raises(ValidationError):
        fit_and_validate(shape, value, shape.model_json_schema())


def test_an_endless_nest_is_no_answer() -> None:
    value: object = "x"
    for _ in range(3000):
        value = {"a": value}

    with pytest.raises(ValueError, match="nested too deeply"):
        fit_and_validate(Row, value, Row.model_json_schema())


def test_one_bad_item_costs_that_item_when_dropping_is_allowed() -> None:
    value = {"rows": [{"score": 1}, ITEM, {"claim": "b", "verdict": "odd"}], "topWords": ["w"]}

    with pytest.raises(ValidationError):
        fit_and_validate(Rows, value, ROWS)
    assert fit_and_validate(Rows, value, ROWS, drop=True) == ONE.model_copy(update={"topWords": ["w"]})


def test_faults_outside_lists_cannot_be_dropped() -> None:
    with pytest.raises(ValidationError):
        fit_and_validate(Tree, {"below": [{"name": "x"}]}, Tree.model_json_schema(), drop=True)


def test_faults_in_a_place_the_json_names_otherwise_cannot_be_dropped() -> None:
    class Aliased(BaseModel):
        pairs: list[int] | list[Row]

    with pytest.raises(ValidationError):
        fit_and_validate(Aliased, {"pairs": ["x"]}, Aliased.model_json_schema(), drop=True)


def test_the_fields_at_fault_are_named_and_the_list_is_short() -> None:
    with pytest.raises(ValidationError) as caught:
        fit_and_validate(Tree, {"name": "a", "below": [{}] * 9}, Tree.model_json_schema())

    assert faults(caught.value, 2) == "below.0.name: Field required; below.1.name: Field required; and 7 more"


def test_a_fault_of_the_whole_has_a_name_too() -> None:
    with pytest.raises(ValidationError) as caught:
        Row.model_validate(3)

    assert faults(caught.value).startswith("answer: ")


def test_a_reference_that_leads_nowhere_leaves_the_value_alone() -> None:
    assert fit({"a": 1}, {"$ref": "#/$defs/Gone"}) == {"a": 1}


def test_variants_none_of_which_matches_leave_the_value_alone() -> None:
    assert fit("x", {"anyOf": [{"type": "integer"}, {"type": "object"}]}) == "x"
    assert fit("3", {"oneOf": [{"type": "integer"}, {"type": "null"}]}) == 3
    assert fit(1.5, {"anyOf": [{"type": "number"}, {"type": "array"}]}) == 1.5
    assert fit({"a": True}, {"additionalProperties": {"type": "boolean"}}) == {"a": True}
    assert fit_and_validate(Flag, {"flag": True}, Flag.model_json_schema()) == Flag(flag=True)
    assert fit([1], {"anyOf": [{"type": "boolean"}, {"type": "array"}]}) == [1]


@given(st.lists(st.builds(Row, claim=st.text(), score=st.integers(), note=st.none() | st.text()), max_size=3))
def test_an_answer_as_asked_is_not_changed(rows: list[Row]) -> None:
    answer = Rows(rows=rows).model_dump(mode="json")
    clean = json.loads(json.dumps(answer).replace("\\u0000", "0"))

    assert fit(clean, ROWS) == clean


class Picked(BaseModel):
    fact_ids: list[str] = []
    point_id: str = ""
    text: str = ""


@pytest.mark.parametrize(
    "names", [("fact_ids", "point_id"), ("facts", "point"), ("fact", "Point"), ("factIds", "pointId")]
)
def test_ids_may_be_given_by_the_plain_name_of_what_they_name(names: tuple[str, str]) -> None:
    given = {names[0]: ["c1"], names[1]: "d1", "text": "Ice floats."}

    assert fit_and_validate(Picked, given, Picked.model_json_schema()) == Picked(
        fact_ids=["c1"], point_id="d1", text="Ice floats."
    )
