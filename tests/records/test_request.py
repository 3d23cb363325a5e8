import json
from datetime import date
from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deepresearch_mcp.records.request import EFFORTS, MAX_QUESTION, Effort, Filters, ResearchRequest, Shape

QUESTION = "Why does ice float?"

DOMAINS = st.lists(st.sampled_from(["a.example", "b.example", "c.example", "d.example"]), unique=True)


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": QUESTION} | given)


def complaint(**given: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        asked(**given)
    [error] = caught.value.errors()
    return ".".join(str(part) for part in error["loc"]) + ": " + error["msg"]


@pytest.mark.parametrize("question", ["", "   ", "\n\t", "\u200b\u200d\u2060", "\u3164 \ufe0f"])
def test_an_empty_question_is_refused(question: str) -> None:
    assert "the question is empty: say what you want to find out" in complaint(question=question)


def test_a_question_is_taken_up_to_its_longest_and_refused_behind_it() -> None:
    assert len(asked(question="x" * MAX_QUESTION).question) == MAX_QUESTION
    assert "10,001 characters; at most 10,000 are taken" in complaint(question="x" * (MAX_QUESTION + 1))


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x85"])
def test_a_question_with_control_characters_is_refused(char: str) -> None:
    assert "control characters: remove them" in complaint(question=f"Why does{char} ice float?")


def test_a_question_with_half_a_character_is_refused() -> None:
    assert "question" in complaint(question="Why \ud800?")


def test_lines_and_tabs_and_other_scripts_are_no_control_characters() -> None:
    question = "Why does\n\tice float?\r\n冰为什么会浮？"

    assert asked(question=f"  {question}  ").question == question


@pytest.mark.parametrize(
    "given",
    [
        {"breadth": 0},
        {"breadth": 11},
        {"depth": -1},
        {"depth": 6},
        {"drafts": 0},
        {"drafts": 6},
        {"max_usd": -0.01},
        {"max_usd": 1001},
        {"max_usd": float("nan")},
        {"max_usd": float("inf")},
        {"max_tokens": 0},
        {"max_searches": -1},
        {"max_pages": -1},
        {"max_minutes": 0},
        {"max_minutes": -5},
        {"max_minutes": float("inf")},
        {"max_minutes": 1441},
        {"mode": "essay"},
        {"effort": "huge"},
        {"profile": ""},
        {"source_languages": ["German"]},
        {"urls": ["ice.example/page"]},
        {"urls": ["file:///etc/passwd"]},
        {"prefer_domains": ["me@ice.example"]},
        {"clarify": "always"},
        {"published_after": "yesterday"},
        {"serch": True},
    ],
    ids=str,
)
def test_an_argument_out_of_its_range_is_refused_by_name(given: dict[str, Any]) -> None:
    assert complaint(**given).startswith(next(iter(given)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"web": False}, "web=false needs collections or urls to look in: name at least one"),
        (
            {"published_after": "2026-02-01", "published_before": "2026-01-01"},
            "published_after is later than published_before",
        ),
        (
            {"include_domains": ["a.example", "b.example"], "exclude_domains": ["https://B.example/x"]},
            "b.example is both included and excluded",
        ),
        ({"where": ["type=pdf"]}, "where chooses among the documents of collections: name at least one"),
        ({"where": ["draft"], "collections": ["notes"]}, "'draft' is no condition: write key=value"),
    ],
)
def test_arguments_that_contradict_each_other_are_refused(given: dict[str, Any], words: str) -> None:
    assert words in complaint(**given)


def test_one_day_and_collections_alone_are_no_contradiction() -> None:
    request = asked(web=False, collections=["notes"], published_after="2026-01-01", published_before="2026-01-01")

    assert request.published_after == request.published_before == date(2026, 1, 1)


@pytest.mark.parametrize(
    ("given", "domain"),
    [
        ("Example.ORG", "example.org"),
        ("https://example.org/a/b", "example.org"),
        ("http://example.org", "example.org"),
        (" *.example.org ", "example.org"),
    ],
)
def test_a_domain_is_taken_however_it_is_written(given: str, domain: str) -> None:
    assert asked(include_domains=[given]).include_domains == (domain,)


@pytest.mark.parametrize("given", ["", "https://", "two words", "me@example.org"])
def test_what_is_no_domain_is_refused_with_an_example(given: str) -> None:
    assert "is not a domain: write it like example.org" in complaint(exclude_domains=[given])


@pytest.mark.parametrize("effort", get_args(Effort))
def test_an_effort_stands_for_its_numbers_until_others_are_given(effort: Effort) -> None:
    assert asked(effort=effort).shape == EFFORTS[effort]
    shape = asked(effort=effort, depth=0, max_usd=0, max_pages=3).shape
    assert (shape.depth, shape.max_usd, shape.max_pages) == (0, 0, 3)
    assert shape.max_minutes == EFFORTS[effort].max_minutes


def test_the_standard_effort_is_the_published_one() -> None:
    assert asked().shape == Shape(
        breadth=6, depth=3, max_usd=1.0, max_tokens=450_000, max_searches=80, max_pages=80, max_minutes=10
    )


def test_the_efforts_rise_in_every_number() -> None:
    shapes = [EFFORTS[effort] for effort in get_args(Effort)]

    for less, more in pairwise(shapes):
        assert all(getattr(less, name) < getattr(more, name) for name in Shape.model_fields)


def test_where_and_when_can_be_taken_alone() -> None:
    request = asked(include_domains=["a.example"], published_after="2026-01-01", region="de", language="fr")

    assert request.filters == Filters(
        include_domains=("a.example",), published_after=date(2026, 1, 1), region="de", language="fr"
    )
    assert type(request.filters) is Filters


@given(DOMAINS, DOMAINS, st.randoms())
def test_the_order_of_a_list_makes_no_other_request(domains: list[str], collections: list[str], chance: Any) -> None:
    first = asked(include_domains=domains, collections=collections)
    chance.shuffle(domains)
    chance.shuffle(collections)
    second = asked(include_domains=domains * 2, collections=collections)

    assert first.canonical() == second.canonical()


def test_an_effort_and_its_numbers_written_out_are_the_same_request() -> None:
    written = EFFORTS["deep"].model_dump()

    assert asked(effort="deep").canonical() == asked(effort="quick", **written).canonical()
    assert asked(effort="deep").canonical() != asked().canonical()


def test_spaces_make_no_other_question_and_words_do() -> None:
    assert asked(question=" Why  does\nice float? ").canonical() == asked().canonical()
    assert asked(question="Why does ice sink?").canonical() != asked().canonical()


@pytest.mark.parametrize(
    "given",
    [
        {"mode": "answer"},
        {"drafts": 2},
        {"exclude_domains": ["a.example"]},
        {"published_after": "2026-01-01"},
        {"language": "de"},
        {"region": "de"},
        {"profile": "legal"},
        {"length": "brief"},
        {"collections": ["a"]},
        {"clarify": "never"},
        {"approve_plan": True},
        {"follow_up_of": "7k2m"},
        {"model": "extractive"},
        {"max_tokens": 1},
    ],
    ids=str,
)
def test_every_argument_makes_another_request(given: dict[str, Any]) -> None:
    assert asked(**given).canonical() != asked().canonical()


def test_conditions_make_another_request_and_none_make_the_request_of_before() -> None:
    notes = asked(collections=["notes"])

    assert asked(collections=["notes"], where=["type=pdf"]).canonical() != notes.canonical()
    assert "where" not in notes.canonical()


def test_what_makes_a_request_is_plain_json() -> None:
    canonical = asked(published_after="2026-01-01").canonical()

    assert json.loads(json.dumps(canonical)) == canonical


def test_a_request_goes_through_json_unchanged() -> None:
    request = asked(include_domains=["a.example"], published_after="2026-01-01", max_usd=0.25)

    assert ResearchRequest.model_validate_json(request.model_dump_json()) == request


@pytest.mark.parametrize("given", [{"language": "x" * 41}, {"region": "x" * 21}, {"include_domains": ["a\x00.org"]}])
def test_a_limit_that_can_be_none_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        asked(**given)


def test_where_nothing_is_researched_there_is_no_plan_to_approve() -> None:
    with pytest.raises(ValidationError, match="there is no plan to approve"):
        asked(approve_plan=True, depth=0)
