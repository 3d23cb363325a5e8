"""The direct answer: how long it may be, and what answers where no writer did."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.pipeline.report.opening import ANSWER_CHARS, IN_SHORT_CHARS, opening, opening_limit, shortened
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence
from pipeline_fakes import brief, claim, page

ICE = page("https://one.example/ice", "Ice is lighter than water. It floats. Lakes freeze from above. Fish live below.")
LIGHT = claim(ICE, "Ice is lighter than water.", score=3.0)
FLOATS = claim(ICE, "It floats.", "Ice floats.", score=2.0)
LAKES = claim(ICE, "Lakes freeze from above.", score=1.0)


def sentence(text: str, *claims: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in claims))


def test_an_audited_opening_may_be_a_third_longer_than_asked_for_but_an_answer_may_not():
    assert opening_limit(brief(mode="answer")) == ANSWER_CHARS
    assert IN_SHORT_CHARS < opening_limit(brief(mode="report")) <= IN_SHORT_CHARS * 4 / 3


def test_an_opening_keeps_whole_sentences_from_the_first_on():
    first, second = sentence("Ice floats.", FLOATS), sentence("Lakes freeze from above.", LAKES)

    assert opening([first, second], [], 36) == (first, second)
    assert opening([first, second], [], 35) == (first,)


def test_an_opening_that_does_not_fit_gives_way_to_a_supported_claim_that_does():
    long = sentence("Ice, which is a solid, floats.", LIGHT)
    better = FLOATS.model_copy(update={"independent": 2})
    partly = claim(ICE, "It floats.", verdict="partly", claim_id="cpartly")

    assert opening([long], [partly, LAKES, better], 24) == (sentence("Ice floats.", FLOATS),)
    assert opening([], [LAKES], 24) == (sentence("Lakes freeze from above.", LAKES),)


def test_only_where_nothing_fits_a_sentence_is_cut_and_says_so():
    assert opening([sentence("Ice is lighter than water.", LIGHT)], [LAKES], 12)[0].text == "Ice is…"
    assert opening([], [LAKES], 12) == (sentence("Lakes…", LAKES),)
    assert opening([], [claim(ICE, "It floats.", verdict="partly")], 12) == ()


@given(some.lists(some.text(min_size=1)), some.lists(some.text(min_size=1), max_size=3), some.integers(1, 200))
def test_an_opening_never_passes_its_limit(texts: list[str], claimed: list[str], limit: int):
    claims = [LIGHT.model_copy(update={"text": text, "claim_id": f"c{at}"}) for at, text in enumerate(claimed)]

    kept = opening([sentence(text, LIGHT) for text in texts], claims, limit)

    assert len(" ".join(one.text for one in kept)) <= limit


@pytest.mark.parametrize(
    ("text", "short"),
    [("Ice floats", "Ice floats"), ("Ice floats, always", "Ice floats…"), ("Eiskristalle", "Eiskristal…")],
)
def test_a_text_is_cut_between_words_where_it_has_any(text: str, short: str):
    assert shortened(text, 11) == short
