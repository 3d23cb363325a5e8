"""Which claims may contradict each other."""

import pytest

from deepresearch_mcp.pipeline.research.comparing import promise, weights_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.thinkers.extractive.comparing import compare
from pipeline_fakes import claim, page


def said(number: int, text: str) -> Claim:
    return claim(page(f"https://site{number}.example/1", text), text)


SMALL = said(1, "The hall in Oslo holds 420 people.")
LARGE = said(2, "The hall in Oslo holds 450 people at once.")
FISH = said(3, "Cod lives in 12 cold seas.")
GERMAN = said(4, "Die Halle in Oslo wurde 1995 von Hans Meier für 420 Menschen gebaut und ist nicht klein.")
ENGLISH = said(5, "The hall in Oslo was built in 1995 by Hans Meier and it is for the people of the town.")


def promising(one: Claim, other: Claim) -> bool:
    return promise(one, other, weights_of([one, other])) > 0


def test_claims_on_one_thing_with_other_figures_may_contradict_each_other() -> None:
    assert promising(SMALL, LARGE)
    assert promising(LARGE, SMALL)


@pytest.mark.parametrize(
    "other",
    [
        said(2, "The hall in Oslo holds 420 people at once."),
        FISH,
        said(2, "The theatre in Oslo holds 450 dogs."),
        said(2, "The hall in Bergen holds 450 people."),
        claim(page("https://site1.example/1", f"{SMALL.text} Or 450 people."), SMALL.text),
    ],
)
def test_the_same_figure_another_thing_and_one_page_contradict_nothing(other: Claim) -> None:
    assert not promising(SMALL, other)


def test_what_one_denies_and_the_other_states_may_contradict() -> None:
    assert promising(said(1, "SQLite locks its whole file."), said(2, "SQLite does not lock the whole file."))


def test_in_two_languages_names_and_figures_are_enough() -> None:
    assert promising(ENGLISH, GERMAN)
    assert not promising(GERMAN, said(6, "Cod lives in the sea of Oslo."))


@pytest.mark.parametrize(
    "told",
    [
        "Ada Lovelace was born on 11 December 1815, according to a parish list of 1815.",
        "According to the parish list of a small town in Nottinghamshire, Ada Lovelace was born on 11 December 1815.",
    ],
)
def test_a_pair_is_found_and_decided_alike_whomever_a_claim_is_from(told: str) -> None:
    pair = said(1, "Ada Lovelace was born on 10 December 1815."), said(2, told)

    assert promising(*pair)
    assert [one.relation for one in compare([pair])] == ["contradict"]
