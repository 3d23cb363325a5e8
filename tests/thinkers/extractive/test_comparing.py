from collections.abc import Callable

import pytest

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.thinkers.extractive.comparing import compare

MakeClaim = Callable[..., Claim]


def pair(claim: MakeClaim, one: str, other: str, **more: str) -> list[tuple[Claim, Claim]]:
    return [(claim(one, "s1", **more), claim(other, "s2"))]


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The hall in Oslo holds 420 people.", "The hall in Oslo holds 450 people.", ""),
        (
            "As of 2019, the town of Lund has 91,940 inhabitants.",
            "As of May 2021, the town of Lund has 94,393 inhabitants.",
            "date",
        ),
        ("The bridge over the Rhine is 500 metres long.", "The bridge over the Rhine is 500 feet long.", "measure"),
        (
            "The Lovelace Hall was opened to all visitors in 1995.",
            "The Lovelace Hall was opened to all visitors in May 1996.",
            "",
        ),
        (
            "SQLite locks the whole file while writing.",
            "SQLite does not lock the whole file while writing.",
            "",
        ),
    ],
)
def test_the_same_words_with_another_figure_or_a_denial_contradict_each_other(
    claim: MakeClaim, one: str, other: str, reason: str
) -> None:
    pairs = pair(claim, one, other)

    [found] = compare(pairs)

    assert (found.first, found.second) == (pairs[0][0].claim_id, pairs[0][1].claim_id)
    assert (found.relation, found.reason) == ("contradict", reason)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The hall in Oslo holds 420 people.", "The hall in Bergen holds 450 people."),
        ("PostgreSQL 16 keeps 5 copies of every row.", "PostgreSQL 17 keeps 6 copies of every row."),
        ("France won the world cup in 1998.", "France won the world cup in 2018."),
        ("The town of Lund has about 94,000 inhabitants.", "The town of Lund has 94,393 inhabitants."),
        ("The hall in Oslo holds 420 people.", "The hall in Oslo holds 420 people at a time."),
        ("The red wing of the hall holds 420 people.", "The blue wing of the hall holds 450 people."),
        ("It holds 420.", "It holds 450."),
        ("The Lovelace Hall holds 420 people.", "The Lovelace Hall near the old harbour bridge holds 450 people."),
        ("The great hall of the town holds 420 people.", "The great hall of the town holds 450 people."),
        ("It holds 420 people in the hall in Oslo.", "It holds 450 people in the hall in Oslo."),
        (
            "In 2019 the town of Lund counted 91,940 inhabitants.",
            "In 2021 the town of Lund counted 94,393 inhabitants.",
        ),
        ("The town of Lund counted 91,940 inhabitants.", "In 2021 the town of Lund counted 94,393 inhabitants."),
        ("The hall in Oslo holds 420 people and costs $5.", "The hall in Oslo seats 420 people."),
        ("The bridge over the Rhine is 500 metres long.", "The bridge over the Rhine is 400 feet long."),
    ],
)
def test_other_things_dates_of_what_happens_again_and_rounded_figures_do_not(
    claim: MakeClaim, one: str, other: str
) -> None:
    assert compare(pair(claim, one, other)) == ()


@pytest.mark.parametrize(
    "attributed",
    [
        "{}, according to a parish list.",
        "{} according to a parish list of 1815.",
        "{}, as a parish list of that year has it.",
        "{}, the keeper of the parish list reported in 1816.",
        "{} (according to the keeper of a parish list).",
        "{}, reports The Guardian.",
        "According to a parish list of 1816, {}.",
        "A parish list from Marylebone says that {}.",
    ],
)
def test_whom_a_claim_is_from_hides_no_contradiction(claim: MakeClaim, attributed: str) -> None:
    plain, other = (f"Ada Lovelace was born on {day} December 1815" for day in (10, 11))

    told = attributed.format(other)

    assert [found.relation for found in compare(pair(claim, f"{plain}.", told))] == ["contradict"]
    assert [found.relation for found in compare(pair(claim, told, f"{plain}."))] == ["contradict"]
    assert compare(pair(claim, f"{other}.", told)) == ()


def test_the_date_may_stand_beside_the_claim(claim: MakeClaim) -> None:
    one, other = (claim(f"The town of Lund has {n} inhabitants.", f"s{n}") for n in (91_940, 94_393))
    early, late = one.model_copy(update={"dated": "2019"}), other.model_copy(update={"dated": "2021"})

    assert [found.reason for found in compare([(early, late)])] == ["date"]
    assert [found.reason for found in compare([(early, late.model_copy(update={"dated": "May 2019"}))])] == [""]


def test_one_source_does_not_contradict_itself(claim: MakeClaim) -> None:
    pairs = [(claim("The hall holds 420 people.", "s1"), claim("The hall holds 450 people.", "s1", 90))]

    assert compare(pairs) == ()


def test_figures_on_two_bases_do_not_contradict_each_other(claim: MakeClaim) -> None:
    said = "Inflation in Norway was {} percent in May 2019 according to the {} index."

    assert compare(pair(claim, said.format("2.1", "harmonised"), said.format("1.8", "national"))) == ()
