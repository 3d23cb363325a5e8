"""A claim that another one holds whole is found without losing a detail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.pipeline.same_fact import (
    absorbed,
    adds_nothing,
    name_different_things,
    says_no_more,
    things_missing,
    with_what_it_stands_for,
)
from deepresearch_mcp.records.evidence import Claim
from pipeline_fakes import claim, page

QUOTE = (
    "SQLite is meant to be a lightweight database, and thus can't support a high level of concurrency. "
    "In default configuration, 20 writers may wait for 5 seconds."
)
PAGE = page("https://a.example/db", f"{QUOTE} PostgreSQL supports many writers.")


def said(text: str, quote: str = QUOTE) -> Claim:
    return claim(PAGE, quote, text)


FULL = said(
    "SQLite is meant to be a lightweight database and thus cannot support a high level of concurrency; in default "
    "configuration 20 writers may wait for 5 seconds."
)


@pytest.mark.parametrize(
    "text",
    [
        "SQLite is meant to be a lightweight database and thus can't support a high level of concurrency.",
        "SQLite, a lightweight database, can't support a high level of concurrency, its authors note.",
    ],
)
def test_a_claim_from_the_same_words_that_adds_nothing_goes_into_the_fuller_one(text: str) -> None:
    short = said(text)

    assert absorbed([short, FULL]) == absorbed([FULL, short]) == {short.claim_id: FULL.claim_id}


@pytest.mark.parametrize(
    "text",
    [
        "SQLite cannot support a high level of concurrency with 30 writers.",
        "SQLite 3 cannot support a high level of concurrency.",
        "SQLite can support a high level of concurrency.",
        "SQLite cannot support a high level of concurrency unless in default configuration.",
        "SQLite usually cannot support a high level of concurrency.",
        "MariaDB cannot support a high level of concurrency.",
    ],
)
def test_a_figure_a_name_a_version_a_condition_or_a_denial_of_its_own_keeps_a_claim(text: str) -> None:
    assert absorbed([said(text), FULL]) == {}


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("pool.wait() warns.", "pool.wait_for() warns when no loop is running."),
        ("The --all flag warns.", "The --all-tags flag warns when no loop is running."),
        ("Pool.submit() warns.", "Pool.shutdown() warns when no loop is running."),
    ],
)
def test_claims_on_two_functions_or_options_are_never_one(short: str, full: str) -> None:
    one, other = said(short), said(full)

    assert absorbed([one, other]) == {}
    assert name_different_things(short, full)


def test_a_function_is_the_same_with_and_without_its_module() -> None:
    assert not name_different_things("pool.wait() warns.", "wait() warns when no loop is running.")
    assert not name_different_things("`TaskGroup` is new in 3.11.", "Python 3.11 added the class asyncio.TaskGroup.")
    assert things_missing("asyncio.Barrier is new.", "Python added the Barrier class.") == frozenset()


def test_a_word_of_the_quote_that_only_one_claim_has_keeps_it() -> None:
    one, other = said("SQLite cannot support concurrency."), said("SQLite is a lightweight database that is not slow.")

    assert absorbed([one, other]) == {}


def test_words_of_another_place_are_another_witness() -> None:
    elsewhere = claim(page("https://b.example/db", QUOTE), QUOTE, "SQLite cannot support a high level of concurrency.")

    assert not says_no_more(elsewhere, FULL)
    assert adds_nothing(elsewhere, FULL)


def test_what_goes_leaves_its_weight_and_its_points() -> None:
    one = FULL.model_copy(update={"weight": 1, "covers": ("d1",)})
    other = FULL.model_copy(update={"weight": 3, "covers": ("s1a1", "d1")})

    whole = with_what_it_stands_for(one, [other])

    assert (whole.weight, whole.covers, whole.text) == (3, ("d1", "s1a1"), FULL.text)


WORDS = ("SQLite", "20", "5.1", "Ada", "not", "writers", "wait", "unless", "fast", "may", "2019", "database", "without")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)


@given(st.lists(TEXTS, max_size=6))
def test_whatever_goes_every_figure_and_name_of_it_stays(texts: list[str]) -> None:
    claims = {one.claim_id: one for one in (said(text) for text in texts)}

    gone = absorbed(list(claims.values()))

    assert absorbed(list(claims.values())[::-1]) == gone
    for name, holder in gone.items():
        assert holder not in gone
        assert details_missing_from(claims[name].text, claims[holder].text) == ()
