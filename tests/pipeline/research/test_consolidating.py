"""Claims that state one fact are found among all claims of a run."""

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, UnreadableAnswer
from deepresearch_mcp.pipeline.research.consolidating import clusters, consolidated
from deepresearch_mcp.records.evidence import Comparison
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pipeline_fakes import ScriptedThinker, brief, claim, page

PAGES = [page(f"https://site{at}.example/1", "The Halden tower was built in 1904. Snow is light.") for at in range(3)]
WORDINGS = (
    "The Halden tower was built in 1904.",
    "Builders finished the Halden tower in 1904.",
    "In 1904 the tower of Halden was built.",
)
TOWER = [claim(one, "The Halden tower was built in 1904.", text) for one, text in zip(PAGES, WORDINGS, strict=True)]
SNOW = claim(PAGES[0], "Snow is light.")


def test_claims_that_share_words_form_a_cluster_and_others_none() -> None:
    [cluster] = clusters([*TOWER, SNOW])

    assert {one.claim_id for one in cluster} == {one.claim_id for one in TOWER}
    assert clusters([SNOW]) == []


def test_a_cluster_holds_eight_claims_at_most_and_no_claim_stands_in_two() -> None:
    many = [
        claim(PAGES[0], "The Halden tower was built in 1904.", f"The Halden tower was built in 1904, says {n}.")
        for n in range(30)
    ]

    found = clusters(many)

    assert all(2 <= len(one) <= 8 for one in found)
    names = [each.claim_id for one in found for each in one]
    assert len(names) == len(set(names))
    assert clusters(many[::-1]) == found


def test_what_is_shown_has_room_for_the_clusters_most_alike_and_no_more() -> None:
    long = "and it stands on a hill above the river, where the old road to the north begins and the market was held"
    many = [
        claim(
            PAGES[0], "Snow is light.", f"Tower {place} was built by {place} Olsen in the year of {place}, {long}{end}"
        )
        for place in (f"Vik{number}" for number in range(120))
        for end in (".", ", says a book.")
    ]

    found = clusters(many)

    assert 0 < sum(len(one.text) for cluster in found for one in cluster) <= 28_000
    assert len(found) < 120


def test_claims_of_two_pages_that_may_contradict_each_other_form_a_cluster() -> None:
    pages = [page(f"https://hall{at}.example/1", "A hall.") for at in range(2)]
    small = claim(pages[0], "A hall.", "The hall in Oslo holds 420 people.")
    large = claim(pages[1], "A hall.", "The hall in Oslo holds 450 people at once in its rooms.")

    assert [{one.claim_id for one in cluster} for cluster in clusters([small, large])] == [
        {small.claim_id, large.claim_id}
    ]


async def test_one_question_is_asked_about_all_clusters() -> None:
    same = Comparison(first=TOWER[0].claim_id, second=TOWER[1].claim_id, relation="same")
    thinker = ScriptedThinker(consolidate=(same,))

    assert await consolidated(brief(), [*TOWER, SNOW], thinker, ("verify/q1/1",)) == (same,)
    assert thinker.calls[0].step.depends_on == ("verify/q1/1",)


@pytest.mark.parametrize("error", [UnreadableAnswer("x", "no shape"), BudgetExceeded("max_usd", 1, 1)])
async def test_where_no_one_can_be_asked_claims_are_joined_by_their_words_alone(error: Exception) -> None:
    assert await consolidated(brief(), TOWER, ScriptedThinker(consolidate=error), ()) == ()


async def test_a_refused_key_is_heard() -> None:
    with pytest.raises(KeyRefused):
        await consolidated(brief(), TOWER, ScriptedThinker(consolidate=KeyRefused("x", "refused")), ())


async def test_nothing_is_asked_where_no_claim_resembles_another() -> None:
    thinker = ScriptedThinker()

    assert await consolidated(brief(), [SNOW], thinker, ()) == ()
    assert thinker.calls == []


async def test_without_a_model_contradictions_are_found_by_rule() -> None:
    pair = [
        claim(page(f"https://ada{at}.example/1", said), said)
        for at, said in enumerate(
            ("Ada Lovelace was born on 10 December 1815.", "Ada Lovelace was born on 11 December 1815.")
        )
    ]

    [found] = await consolidated(brief(), pair, Extractive(), ())

    assert (found.relation, {found.first, found.second}) == ("contradict", {one.claim_id for one in pair})
