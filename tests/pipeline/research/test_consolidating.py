"""Claims that state one fact are found among all claims of a run."""

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, UnreadableAnswer
from deepresearch_mcp.pipeline.research.consolidating import clusters, consolidated
from deepresearch_mcp.records.evidence import Comparison
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


def test_a_cluster_holds_twelve_claims_at_most_and_no_claim_stands_in_two() -> None:
    many = [
        claim(PAGES[0], "The Halden tower was built in 1904.", f"The Halden tower was built in 1904, says {n}.")
        for n in range(30)
    ]

    found = clusters(many)

    assert all(2 <= len(one) <= 12 for one in found)
    names = [each.claim_id for one in found for each in one]
    assert len(names) == len(set(names))


async def test_the_answers_of_all_calls_are_put_together() -> None:
    same = Comparison(first=TOWER[0].claim_id, second=TOWER[1].claim_id, relation="same")
    thinker = ScriptedThinker(consolidate=(same,))

    assert await consolidated(brief(), [*TOWER, SNOW], thinker, ("verify/q1/1",)) == (same,)
    assert thinker.calls[0].step.depends_on == ("verify/q1/1",)


@pytest.mark.parametrize("error", [UnreadableAnswer("x", "no shape"), BudgetExceeded("max_usd", 1, 1)])
async def test_where_no_one_can_be_asked_claims_are_joined_by_their_words_alone(error: Exception) -> None:
    assert await consolidated(brief(), TOWER, ScriptedThinker(consolidate=error), ()) == ()


async def test_a_refused_key_is_heard() -> None:
    with pytest.raises(ExceptionGroup):
        await consolidated(brief(), TOWER, ScriptedThinker(consolidate=KeyRefused("x", "refused")), ())
