"""Where claims belong, which are written, and which together."""

from deepresearch_mcp.pipeline.report.select_claims import grouped, pick, ranked
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import claim, page, part

ICE = page("https://one.example/ice", "Ice is lighter than water. It floats. Lakes freeze from above. Fish live below.")
LIGHT = claim(ICE, "Ice is lighter than water.", score=3.0)
FISH = claim(ICE, "Fish live below.", score=0.5)
WATER = part("q1", "Why does ice float on water?")
LIFE = part("q2", "How do fish live in winter lakes?")


def test_claims_of_all_parts_are_ranked_by_what_they_say_of_the_question_and_their_part():
    trivial = claim(ICE, "It floats.", "Ships sink at times.", claim_id="c1", score=9.0)

    [water, life] = ranked(
        [SubQuestionEvidence(WATER, (trivial, LIGHT)), SubQuestionEvidence(LIFE, (FISH,))], "Why does ice float?"
    )

    assert water.claims[0].score < water.claims[1].score
    assert [one.claim_id for one in life.claims] == [FISH.claim_id]


def test_what_is_supported_and_witnessed_is_written_before_the_rest():
    partly = claim(ICE, "It floats.", verdict="partly", score=9.0, claim_id="cpartly")
    shared = claim(ICE, "Lakes freeze from above.", independent=2, score=FISH.score, claim_id="cshared")

    assert pick([partly, FISH, LIGHT, shared, LIGHT], 2) == [LIGHT, shared]


def odd(name: str, *against: str, score: float = 0.0) -> Claim:
    return claim(ICE, "It floats.", name, claim_id=name, score=score, verdict="disputed", disputes=against)


def test_claims_at_odds_are_picked_together_and_stand_together():
    first, second = odd("c1", "c2", score=9.0), odd("c2", "c1")
    others = [claim(ICE, "It floats.", f"n{n}", claim_id=f"n{n}", score=float(n)) for n in range(1, 5)]

    assert pick([first, *others, second], 3) == [first, second, others[3]]
    assert pick([others[0], first, *others[1:], second], 1) == [first]
    assert pick([odd("c3", "c4", score=0.5), *others, odd("c4", "c3")], 5) == others


def test_a_paragraph_never_parts_claims_at_odds():
    claims = [odd("c0"), odd("c1"), odd("c2", "c3"), odd("c3", "c2", "c4"), odd("c4", "c3"), odd("c5")]

    groups = grouped(claims, 3)

    assert [[one.claim_id for one in group] for group in groups] == [["c0", "c1", "c2", "c3", "c4"], ["c5"]]
    assert grouped([], 3) == []
    assert [len(group) for group in grouped([odd("c1", "c2"), odd("c2", "c1")], 1)] == [2]


def test_a_better_source_or_a_second_one_outweighs_a_little_of_the_score_and_no_more():
    good = claim(ICE, "Fish live below.", standing="good", score=0.5, claim_id="cgood")
    poor = claim(ICE, "It floats.", standing="poor", score=0.6, claim_id="cpoor")
    best = claim(ICE, "It floats.", standing="poor", score=0.9, claim_id="cbest")
    shared = claim(ICE, "Lakes freeze from above.", independent=2, score=0.56, claim_id="cshared")

    assert pick([poor, good], 1) == [good]
    assert pick([poor, good, best], 1) == [best]
    assert pick([good, shared], 1) == [shared]


def test_one_claim_of_each_source_comes_before_a_second_of_any():
    other = page("https://other.example/", "Salt lowers the freezing point.")
    first, second = (claim(ICE, "It floats.", score=score, claim_id=f"c{score}") for score in (0.9, 0.8))
    salt = claim(other, "Salt lowers the freezing point.", score=0.2)

    assert pick([first, second, salt], 2) == [first, salt]
