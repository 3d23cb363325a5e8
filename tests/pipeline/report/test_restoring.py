"""What a report would lose with a sentence, told in the words of the claims beneath it."""

import pytest

from deepresearch_mcp.pipeline.report.restoring import refilled, restored
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence
from pipeline_fakes import claim, page

SEA = page("https://one.example/sea", "Ice floats. Salt sinks. Fish swim.")
ICE, SALT, FISH = (claim(SEA, f"{words}.") for words in ("Ice floats", "Salt sinks", "Fish swim"))
CLAIMS = {one.claim_id: one for one in (ICE, SALT, FISH)}


def said(text: str, *own: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in own))


def bare(*own: Claim) -> tuple[Sentence, ...]:
    return tuple(said(one.text, one) for one in own)


WIDE = said("Ice floats because salt sinks.", ICE, SALT)


def as_it_is(sentence: Sentence) -> Sentence:
    return sentence


def test_the_claims_of_a_lost_sentence_stand_in_its_place_in_their_own_words() -> None:
    assert restored([WIDE], {WIDE: None}, CLAIMS, as_it_is) == {WIDE: bare(ICE, SALT)}


def test_what_stays_or_was_mended_needs_nothing_in_its_place() -> None:
    assert restored([WIDE], {}, CLAIMS, as_it_is) == {}
    assert restored([WIDE], {WIDE: said("Salt sinks.", SALT)}, CLAIMS, as_it_is) == {}


def test_what_another_sentence_tells_is_not_told_again() -> None:
    other = said("Salt, it is said, sinks.", SALT)
    twice = said("Only ice floats.", ICE)

    assert restored([WIDE, other], {WIDE: None}, CLAIMS, as_it_is) == {WIDE: bare(ICE)}
    assert restored([WIDE, twice], {WIDE: None, twice: None}, CLAIMS, as_it_is) == {WIDE: bare(ICE, SALT)}
    assert restored([WIDE, other], {WIDE: None, other: bare(FISH)[0]}, CLAIMS, as_it_is) == {WIDE: bare(ICE, SALT)}


@pytest.mark.parametrize("more", [{"verdict": "partly"}, {"verdict": "disputed"}, {"disputes": ("c0",)}])
def test_only_what_is_supported_and_undisputed_is_restored(more: dict[str, object]) -> None:
    known = CLAIMS | {ICE.claim_id: ICE.model_copy(update=more)}

    assert restored([WIDE], {WIDE: None}, known, as_it_is) == {WIDE: bare(SALT)}
    assert restored([WIDE], {WIDE: None}, {}, as_it_is) == {}


def test_a_claim_whose_own_words_may_not_be_written_is_left_out() -> None:
    assert restored([WIDE], {WIDE: None}, CLAIMS, lambda _: None) == {}


def test_an_opening_that_lost_a_part_of_its_answer_has_the_best_claim_on_it_instead() -> None:
    best = FISH.model_copy(update={"sub_question": "q2", "independent": 2})
    other = SALT.model_copy(update={"sub_question": "q2"})
    opinion = ICE.model_copy(update={"sub_question": "q2", "independent": 3, "kind": "opinion", "claim_id": "c9"})
    known = {one.claim_id: one for one in (ICE, best, other, opinion)}
    before = (*bare(ICE), said("Salt sinks too.", other))

    assert refilled(before, bare(ICE), [ICE, other, opinion, best], known) == bare(ICE, best)
    assert refilled(before, before, [best], known) == before
    assert refilled(before, bare(ICE), [ICE, opinion], known) == bare(ICE)
