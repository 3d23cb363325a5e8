"""What is carried from pages to prose."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.pipeline.memory import brief_of, notes
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import claim, page, part

WORDS = "Ice floats on water. " * 400
ICE = page("https://one.example/ice", WORDS)


def made(name: str, words: int = 5, **more: Any) -> Claim:
    """A claim of its own, whose quote has so many words."""
    return claim(ICE, " ".join(WORDS.split()[:words]), f"Fact {name}.", claim_id=f"c{name}", **more)


def cost(*claims: Claim) -> int:
    return sum(estimate(one.text) + estimate(one.quotes[0].text) for one in claims)


def names(one: SubQuestionEvidence) -> list[str]:
    return [claim.claim_id for claim in one.claims]


def test_the_best_claims_stay_in_their_order_and_the_others_are_counted() -> None:
    claims = (
        made("partly", verdict="partly", score=9.0),
        made("low", confidence="low"),
        made("lone", score=3.0),
        made("shared", independent=2),
        made("high", confidence="high"),
    )

    noted = notes(SubQuestionEvidence(part(), claims, more=2), cost(*claims[2:]))

    assert names(noted) == ["clone", "cshared", "chigh"]
    assert noted.more == 4


def test_no_claim_and_no_quote_is_ever_shortened() -> None:
    claims = (made("long", 300, score=2.0), made("short"), made("next"), made("last"))

    noted = notes(SubQuestionEvidence(part(), claims), 20)

    assert set(noted.claims) <= set(claims)
    # Two stay whatever they cost: else no one could see what it is about.
    assert names(noted) == ["clong", "cshort"]


def test_a_claim_too_long_gives_way_to_a_shorter_one() -> None:
    claims = (made("a", score=4.0), made("b", score=3.0), made("long", 300, score=2.0), made("c", score=1.0))

    assert names(notes(SubQuestionEvidence(part(), claims), cost(claims[0], claims[1], claims[3]))) == [
        "ca",
        "cb",
        "cc",
    ]


def test_a_single_claim_is_never_the_only_one_left_out_unless_it_is_long() -> None:
    claims = (made("a"), made("b"), made("c"))

    assert names(notes(SubQuestionEvidence(part(), claims), cost(*claims[:2]))) == ["ca", "cb", "cc"]
    assert names(notes(SubQuestionEvidence(part(), (*claims, made("d"))), cost(*claims[:2]))) == ["ca", "cb"]


def test_a_quote_that_is_the_claim_counts_once() -> None:
    own = tuple(claim(ICE, "Ice floats on water.", claim_id=f"c{n}") for n in range(4))

    assert len(notes(SubQuestionEvidence(part(), own), 4 * estimate("Ice floats on water.")).claims) == 4


def test_where_no_quotes_are_shown_none_are_counted() -> None:
    own = tuple(claim(ICE, "Ice floats on water.", "Ice floats.", claim_id=f"c{n}") for n in range(9))

    assert len(notes(SubQuestionEvidence(part(), own), 4 * estimate("Ice floats."), quoted=False).claims) == 4


def test_what_the_answer_cannot_do_without_has_three_times_the_room() -> None:
    many = tuple(made(str(n)) for n in range(60))
    high, low = (
        SubQuestionEvidence(part("q1", priority="high"), many),
        SubQuestionEvidence(part("q2", priority="low"), many),
    )

    first, second = brief_of([high, low], 12 * cost(many[0]), 10_000)

    assert (len(first.claims), len(second.claims)) == (9, 3)


def test_what_one_part_has_no_use_for_goes_to_the_others() -> None:
    many = tuple(made(str(n)) for n in range(60))
    few, more, none = (
        SubQuestionEvidence(part("q1"), many[:1]),
        SubQuestionEvidence(part("q2"), many),
        SubQuestionEvidence(part("q3"), ()),
    )

    noted = brief_of([few, more, none], 10 * cost(many[-1]), 10_000)

    assert [len(one.claims) for one in noted] == [1, 9, 0]
    assert [len(one.claims) for one in brief_of([few, more, none], 10 * cost(many[-1]), 4 * cost(many[-1]))] == [
        1,
        4,
        0,
    ]


@pytest.mark.parametrize("parts", [[], [SubQuestionEvidence(part(), ())]])
def test_nothing_is_the_brief_of_nothing(parts: list[SubQuestionEvidence]) -> None:
    assert brief_of(parts, 3_000, 1_000) == parts


PRIORITIES = some.sampled_from(["high", "medium", "low"])


@given(
    some.lists(some.tuples(PRIORITIES, some.lists(some.integers(1, 300), max_size=12)), max_size=5),
    some.integers(300, 4_000),
)
def test_a_brief_keeps_to_its_tokens_but_for_two_claims_of_each_part(
    shapes: list[tuple[Any, list[int]]], tokens: int
) -> None:
    parts = [
        SubQuestionEvidence(
            part(f"q{at}", priority=priority), tuple(made(f"{at}-{n}", size) for n, size in enumerate(sizes))
        )
        for at, (priority, sizes) in enumerate(shapes)
    ]

    noted = brief_of(parts, tokens, 1_000)

    assert all(set(one.claims) <= set(whole.claims) for one, whole in zip(noted, parts, strict=True))
    assert all(len(one.claims) + one.more == len(whole.claims) for one, whole in zip(noted, parts, strict=True))
    assert cost(*(claim for one in noted if len(one.claims) > 2 for claim in one.claims)) <= tokens + 2 * 310 * len(
        parts
    )
