"""The claims that decide most, and their second sources."""

from deepresearch_mcp.pipeline.research.corroboration import KEY_CLAIMS, corroboration_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Priority
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import claim, page, part

DOCUMENT = page("https://a.example/1", "".join(f"Fact number {number} of the Halden tower. " for number in range(10)))


def said(number: int, *, score: float = 1.0, independent: int = 1) -> Claim:
    text = f"Fact number {number} of the Halden tower."
    return claim(DOCUMENT, text).model_copy(update={"score": score, "independent": independent})


def of_part(name: str, *claims: Claim, priority: Priority = "medium") -> SubQuestionEvidence:
    return SubQuestionEvidence(part(name, f"What is {name}?", priority=priority), claims)


def settled(*claims: Claim) -> dict[str, Claim]:
    return {one.claim_id: one for one in claims}


def test_the_best_claims_of_each_sub_question_are_the_key_ones():
    claims = [said(number, score=number) for number in range(KEY_CLAIMS + 2)]

    stands = corroboration_of([of_part("q1", *claims)], settled(*claims))

    assert (stands.backed, stands.total, stands.share) == (0, KEY_CLAIMS, 0.0)
    assert "number 4" in stands.queries[0].query


def test_witnesses_are_those_of_the_claim_that_stands_for_it():
    lonely, merged = said(1), said(1, independent=2)
    stands = corroboration_of([of_part("q1", lonely, said(2))], {lonely.claim_id: merged})

    assert (stands.backed, stands.total) == (1, 2)


def test_a_claim_of_two_sub_questions_is_asked_about_once_and_the_urgent_one_first():
    one, two = said(1), said(2)
    parts = [of_part("q1", one, priority="low"), of_part("q2", two, one, priority="high")]

    stands = corroboration_of(parts, settled(one, two))

    assert stands.total == 2
    assert [query.sub_question for query in stands.queries] == ["q2", "q2"]


def test_with_nothing_to_back_all_is_backed():
    assert corroboration_of([of_part("q1")], {}).share == 1.0


def test_a_decisive_claim_is_a_key_one_before_one_that_only_matches_better():
    decisive = said(9, score=0.1).model_copy(update={"weight": 3})

    stands = corroboration_of([of_part("q1", *(said(n, score=n) for n in range(3)), decisive)], settled(decisive))

    assert "number 9" in stands.queries[0].query
