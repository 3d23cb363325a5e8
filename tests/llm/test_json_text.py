import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.llm.json_text import extract_json, is_json, json_candidates, strip_fence, strip_thinking

CASES = Path(__file__).parents[3] / "shared" / "data" / "json_repair" / "cases.json"

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.skipif(not CASES.exists(), reason="the shared test data is not on this machine")
def test_broken_json_of_real_models_is_read_as_its_collectors_read_it() -> None:
    wrong: list[int] = []
    for case in json.loads(CASES.read_text(encoding="utf-8")):
        try:
            value = extract_json(case["input"])
        except ValueError:
            value = ""
        if value != case["expected"]:
            wrong.append(case["line"])

    assert wrong == []


@given(VALUES)
def test_json_that_is_whole_is_left_as_it_is(value: object) -> None:
    text = json.dumps(value)

    assert is_json(text)
    assert extract_json(text) == value
    assert list(json_candidates(text)) == [value]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<think>Hm.</think>Yes.", "Yes."),
        ("Hm, the template ate the mark.</think>\nYes.", "Yes."),
        ("<thinking>a</thinking>Yes, <reasoning>b</reasoning>it is.", "Yes, it is."),
        ("Yes. <think>and on and on", "Yes."),
        ("<THINK>a <think> b</THINK>Yes.", "Yes."),
        ("<think>never ends", ""),
        ("no thought", "no thought"),
    ],
)
def test_thoughts_are_left_out(text: str, plain: str) -> None:
    assert strip_thinking(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("```markdown\n# Ice\n```", "# Ice"),
        ("```\nIce\n```\n", "Ice"),
        ("Text and ```code```", "Text and ```code```"),
        ("```\na\n```\ntext\n```\nb\n```", "```\na\n```\ntext\n```\nb\n```"),
    ],
)
def test_only_a_fence_around_the_whole_is_taken_off(text: str, plain: str) -> None:
    assert strip_fence(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1}\n ',
        '<think>maybe {"a": 2}</think>{"a": 1}',
        '<think>never closed {"a": 1}',
        'Sure! Here it is:\n```json\n{"a": 1}\n```\nHope it helps [1].',
        '```json\n{"a": oops}\n```\n```json\n{"a": 1}\n```',
        '```json\n{"a": 1}\n```\nor in words\n```\none\n```',
        'As [1] and [2] say: {"a": 1} (see {x}).',
        "{'a': 1,}",
        '{"a": 1',
    ],
)
def test_the_surest_reading_comes_first(text: str) -> None:
    assert next(json_candidates(text)) == {"a": 1}


def test_marks_of_thought_inside_a_string_are_text() -> None:
    text = '{"quote": "It prints <think> and </think>."}'

    assert extract_json(text) == {"quote": "It prints <think> and </think>."}


def test_line_breaks_inside_strings_are_taken() -> None:
    assert next(json_candidates('{"a": "one\ntwo"}')) == {"a": "one\ntwo"}


@pytest.mark.parametrize("text", ["", "Nothing to say.", "{" * 100_000, "[" * 100_000, "[" * 5_000 + "]" * 5_000])
def test_a_text_without_json_is_told_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="JSON in the answer"):
        extract_json(text)
    assert not is_json(text)


@given(st.text(alphabet='{}[]",:` \n<>/thinkjso1a\\'))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    for read in (extract_json, lambda text: list(json_candidates(text))):
        with suppress(ValueError):
            read(text)
