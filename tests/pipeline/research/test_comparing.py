"""Which claims are held against each other, and what becomes of the answer."""

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, UnreadableAnswer
from deepresearch_mcp.pipeline.research.comparing import Comparing
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Comparison
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pipeline_fakes import MemoryJournal, ScriptedThinker, brief, claim, page

AT = Step("compare/q1/abc", ("verify/q1/abc",))


def said(number: int, text: str) -> Claim:
    return claim(page(f"https://site{number}.example/1", text), text)


SMALL = said(1, "The hall in Oslo holds 420 people.")
LARGE = said(2, "The hall in Oslo holds 450 people at once.")
FISH = said(3, "Cod lives in 12 cold seas.")
GERMAN = said(4, "Die Halle in Oslo wurde 1995 von Hans Meier für 420 Menschen gebaut und ist nicht klein.")
ENGLISH = said(5, "The hall in Oslo was built in 1995 by Hans Meier and it is for the people of the town.")


def at_odds(_brief: object, pairs: list[tuple[Claim, Claim]], _at: Step) -> list[Comparison]:
    return [Comparison(first=a.claim_id, second=b.claim_id, relation="contradict", reason="date") for a, b in pairs]


async def test_claims_on_one_thing_with_other_figures_are_held_against_each_other() -> None:
    thinker, journal = ScriptedThinker(compare=at_odds), MemoryJournal()

    found = await Comparing().compare(brief(), [SMALL, FISH, LARGE], thinker, journal, AT)

    [call] = thinker.called("compare")
    assert call.args[1] == [(LARGE, SMALL)]
    assert call.step.key.startswith("compare/q1/")
    assert call.step.depends_on == ("pairs/q1/abc",)
    assert journal.row("pairs/q1/abc").needs == AT.depends_on
    assert [(one.first, one.second, one.reason) for one in found.comparisons] == [
        (LARGE.claim_id, SMALL.claim_id, "date")
    ]
    assert {one.claim_id for one in found.opponents} == {SMALL.claim_id, LARGE.claim_id}
    assert found.steps == (call.step.key,)


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
async def test_no_one_is_asked_where_nothing_could_contradict(other: Claim) -> None:
    thinker = ScriptedThinker()

    found = await Comparing().compare(brief(), [SMALL, other], thinker, MemoryJournal(), AT)

    assert thinker.calls == []
    assert (found.comparisons, found.steps) == ((), ())


async def test_what_one_denies_and_the_other_states_is_looked_at() -> None:
    thinker = ScriptedThinker()
    claims = [said(1, "SQLite locks its whole file."), said(2, "SQLite does not lock the whole file.")]

    await Comparing().compare(brief(), claims, thinker, MemoryJournal(), AT)

    assert len(thinker.calls) == 1


async def test_in_two_languages_names_and_figures_are_enough() -> None:
    thinker = ScriptedThinker()

    await Comparing().compare(
        brief(), [GERMAN, ENGLISH, said(6, "Cod lives in the sea of Oslo.")], thinker, MemoryJournal(), AT
    )

    assert [call.args[1] for call in thinker.calls] == [[(ENGLISH, GERMAN)]]


async def test_a_pair_is_looked_at_once_in_a_run_and_claims_of_other_batches_are_known() -> None:
    thinker, journal, comparing = ScriptedThinker(), MemoryJournal(), Comparing()

    await comparing.compare(brief(), [SMALL], thinker, journal, AT)
    await comparing.compare(brief(), [LARGE], thinker, journal, Step("compare/q2/def"))
    await comparing.compare(brief(), [LARGE, SMALL], thinker, journal, Step("compare/q3/ghi"))

    assert [call.args[1] for call in thinker.calls] == [[(LARGE, SMALL)]]


async def test_at_most_four_pairs_of_a_batch_are_asked_about_and_the_same_words_once() -> None:
    thinker = ScriptedThinker()
    many = [said(number, f"The hall in Oslo holds {number * 100 + 7} people.") for number in range(1, 8)]
    twice = said(20, many[0].text)

    await Comparing().compare(brief(), [*many, twice], thinker, MemoryJournal(), AT)

    [call] = thinker.calls
    words = {frozenset(one.text for one in pair) for pair in call.args[1]}
    assert len(call.args[1]) == len(words) == 4


async def test_a_run_played_again_asks_about_the_recorded_pairs() -> None:
    journal = MemoryJournal()
    first = ScriptedThinker(compare=at_odds, journal=journal)
    before = await Comparing().compare(brief(), [SMALL, LARGE], first, journal, AT)
    again = journal.next_life()
    second = ScriptedThinker(compare=at_odds, journal=again)
    comparing = Comparing()

    # Whoever was slower is faster now: what the other claim is, is known all the same.
    after = await comparing.compare(brief(), [LARGE], second, again, AT)
    await comparing.compare(brief(), [SMALL], second, again, Step("compare/q2/def"))

    assert after == before
    assert again.ran == ["pairs/q2/def"]


async def test_an_answer_on_other_claims_or_of_no_weight_is_passed_over() -> None:
    answer = [
        Comparison(first=SMALL.claim_id, second="c0", relation="contradict"),
        Comparison(first=SMALL.claim_id, second=LARGE.claim_id, relation="neither"),
    ]

    found = await Comparing().compare(brief(), [SMALL, LARGE], ScriptedThinker(compare=answer), MemoryJournal(), AT)

    assert (found.comparisons, found.opponents) == ((), ())


@pytest.mark.parametrize("error", [UnreadableAnswer("x", "no shape"), BudgetExceeded("max_usd", 1, 1)])
async def test_without_an_answer_the_claims_stay_as_they_are(error: Exception) -> None:
    thinker = ScriptedThinker(compare=error)

    found = await Comparing().compare(brief(), [SMALL, LARGE], thinker, MemoryJournal(), AT)

    assert found.comparisons == ()


async def test_a_refused_key_is_heard() -> None:
    thinker = ScriptedThinker(compare=KeyRefused("x", "refused"))

    with pytest.raises(KeyRefused):
        await Comparing().compare(brief(), [SMALL, LARGE], thinker, MemoryJournal(), AT)


@pytest.mark.parametrize(
    "told",
    [
        "Ada Lovelace was born on 11 December 1815, according to a parish list of 1815.",
        "According to the parish list of a small town in Nottinghamshire, Ada Lovelace was born on 11 December 1815.",
    ],
)
async def test_a_pair_is_found_and_decided_alike_whomever_a_claim_is_from(told: str) -> None:
    pair = [said(1, "Ada Lovelace was born on 10 December 1815."), said(2, told)]

    found = await Comparing().compare(brief(), pair, Extractive(), MemoryJournal(), AT)

    assert [one.relation for one in found.comparisons] == ["contradict"]
