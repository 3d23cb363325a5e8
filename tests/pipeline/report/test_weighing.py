"""Claims of all batches on one scale: by their sources, then by their rank among their own."""

import pytest

from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import claim, page

QUESTION = "Where was the author of Halmar born?"
WROTE = "The play Halmar was written by the author Henrik Ibsen."
CAME = "Henrik Ibsen came to the world in Skien."
LYE = "Soap is made of fat and lye."
PLAY = page("https://one.example/play", f"{WROTE} It is long.", title="Halmar (play)")
POET = page("https://two.example/poet", f"{CAME} It rained.", title="Henrik Ibsen")
SOAP = page("https://three.example/soap", f"{LYE} It foams.", title="Soap")
ALL = (PLAY, POET, SOAP)


def scores(*claims: Claim, documents: tuple[Document, ...] = ALL) -> list[float]:
    weighed = weigh({one.claim_id: one for one in claims}, {one.source_id: one for one in documents}, QUESTION)
    return [weighed[one.claim_id].score for one in claims]


def test_a_claim_of_a_source_that_a_chain_needs_comes_before_one_that_led_its_own_batch():
    wrote, came, lye = scores(claim(PLAY, WROTE, score=0.2), claim(POET, CAME, score=0.1), claim(SOAP, LYE, score=9.0))

    assert wrote > came > lye == 0.0


def test_claims_of_one_source_keep_their_order_and_stay_near_each_other():
    best, other = scores(claim(PLAY, WROTE, score=4.0), claim(PLAY, "It is long.", score=1.0))

    assert best == 1.0
    assert 0.9 <= other < best


def test_claims_without_any_score_of_their_own_are_weighed_by_their_sources():
    wrote, lye = scores(claim(PLAY, WROTE), claim(SOAP, LYE))

    assert wrote == pytest.approx(0.9)
    assert lye == 0.0


def test_of_several_sources_the_best_counts():
    rests = claim(SOAP, LYE, score=1.0)
    both = rests.model_copy(update={"quotes": (*rests.quotes, *claim(PLAY, WROTE).quotes)})

    assert scores(both, claim(PLAY, "It is long.", score=1.0))[0] == 1.0


def test_a_name_beside_the_quote_joins_its_page_and_one_far_away_does_not():
    def joined(distance: int) -> float:
        text = f"A harbour with yards. {'so on ' * (distance // 6)}That is where Henrik Ibsen lived."
        town = page("https://four.example/town", text, title="Yards")
        return scores(claim(PLAY, WROTE), claim(town, "A harbour with yards."), documents=(PLAY, town))[1]

    assert joined(60) > 0
    assert joined(1200) == 0.0


def test_a_source_whose_document_is_gone_is_weighed_by_its_claim_and_the_words_around_its_quote():
    wrote, came, lye = scores(claim(PLAY, WROTE), claim(POET, CAME), claim(SOAP, LYE), documents=())

    assert wrote >= came > lye == 0.0


def test_only_scores_change_and_every_name_keeps_its_claim():
    merged = claim(PLAY, WROTE, score=3.0)
    claims = {merged.claim_id: merged, "cabsorbed00": merged, "c0": claim(SOAP, LYE, claim_id="c0")}
    weighed = weigh(claims, {one.source_id: one for one in ALL}, QUESTION)

    assert list(weighed) == list(claims)
    assert weighed["cabsorbed00"] is weighed[merged.claim_id]
    assert {name: one.model_copy(update={"score": 0.0}) for name, one in weighed.items()} == {
        name: one.model_copy(update={"score": 0.0}) for name, one in claims.items()
    }


def test_no_claims_are_weighed_to_none():
    assert weigh({}, {}, QUESTION) == {}
