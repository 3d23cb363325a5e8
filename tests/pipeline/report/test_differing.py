"""Where sources differ: both sides, in their own words, the best founded first."""

from deepresearch_mcp.pipeline.report.differing import both_sided, differences, disputes, worth_telling
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence
from pipeline_fakes import claim, page

PAGE = page("https://a.example/1", "Ice floats.")


def side(name: str, *against: str, **more: object) -> Claim:
    given = {"verdict": "disputed", "reason": "another source says otherwise"} | more
    return claim(PAGE, "Ice floats.", f"Says {name}", claim_id=name, disputes=against, **given)


def by_id(*claims: Claim) -> dict[str, Claim]:
    return {one.claim_id: one for one in claims}


def names(sentences: tuple[Sentence, ...]) -> list[tuple[str, ...]]:
    return [one.claim_ids for one in sentences]


def test_each_side_is_a_sentence_with_its_own_claim_and_undisputed_claims_are_none() -> None:
    found = differences([side("c1", "c2"), claim(PAGE, "Ice floats."), side("c2", "c1")])

    assert found == (
        Sentence(text="Says c1.", claim_ids=("c1",)),
        Sentence(text="Says c2.", claim_ids=("c2",)),
    )


def test_the_best_founded_dispute_comes_first_and_its_best_founded_side() -> None:
    weak = [side("c1", "c2"), side("c2", "c1", independent=9)]
    strong = [side("c3", "c4", independent=2), side("c4", "c3", independent=3)]

    assert names(differences([*weak, *strong])) == [("c4",), ("c3",), ("c2",), ("c1",)]


def test_there_are_at_most_eight_and_a_side_whose_opponent_is_gone_is_none() -> None:
    many = [side(f"c{n}{x}", f"c{n}{y}") for n in range(10) for x, y in ("ab", "ba")]

    found = differences([*many, side("c99", "cgone")])

    assert len(disputes(found, by_id(*many))) == 8
    assert ("c99",) not in names(found)


def test_claims_at_odds_over_a_third_are_one_dispute_in_which_each_contradicts_one_before_it() -> None:
    claims = [
        side("c1", "c2", "c4", "c5", "c6", "c7", independent=5),
        side("c2", "c1", "c3", independent=2),
        side("c3", "c2", independent=4),
        *(side(f"c{n}", "c1") for n in range(4, 8)),
    ]

    sentences = differences(claims)
    [whole] = disputes(sentences, by_id(*claims))

    assert names(whole.sides) == [("c1",), ("c2",), ("c3",), ("c4",)]


def test_a_side_that_the_audit_took_away_leaves_no_dispute() -> None:
    claims = by_id(side("c1", "c2"), side("c2", "c1"), side("c3", "c4"), side("c4", "c3", reason="they measure it"))
    one, _, *rest = differences(claims.values())

    [left] = disputes([one, *rest], claims)

    assert names(left.sides) == [("c3",), ("c4",)]
    assert left.reason == "they measure it"


def test_of_a_side_with_several_sentences_the_first_is_told_and_a_rest_alone_is_no_side() -> None:
    one = side("c1", "c2").model_copy(update={"text": "It waits since 3.7. It lost a parameter."})
    claims = by_id(one, side("c2", "c1"))
    first, rest = (Sentence(text=text, claim_ids=("c1",)) for text in ("It waits since 3.7.", "It lost a parameter."))
    other = Sentence(text="Says c2.", claim_ids=("c2",))

    assert disputes([rest, other], claims) == []
    [whole] = disputes([first, rest, other], claims)
    assert whole.sides == (first, other)


def test_a_sentence_that_names_both_sides_is_a_dispute_and_no_reason_is_none() -> None:
    claims = by_id(side("c1", "c2"), side("c2", "c1"))

    [whole] = disputes([Sentence(text="Some say so, some not.", claim_ids=("c1", "c2"))], claims)

    assert whole.reason == ""


def test_one_side_alone_is_not_stated_and_what_leant_on_it_goes_too() -> None:
    claims = by_id(side("c1", "c2"), side("c2", "c1"), side("c3", "c4"), side("c4", "c3"), side("c5"))
    first, second, third, free = (
        Sentence(text=text, claim_ids=ids)
        for text, ids in (("A.", ("c1",)), ("B.", ("c2", "c3")), ("C.", ("c4",)), ("D.", ("c5", "cx")))
    )

    assert both_sided((first, second, third, free), claims) == (first, second, third, free)
    assert both_sided((first, second, free), claims) == (free,)


def test_a_trifle_is_no_dispute_and_a_real_one_of_the_same_claim_still_is() -> None:
    said = {"c1": "Ice is 917.0 kg a cubic metre.", "c2": "Ice is 917 kg a cubic metre.", "c3": "Ice is 850 kg."}
    found = [
        side(name, *(said.keys() - {name})).model_copy(update={"text": text}) for name, text in sorted(said.items())
    ]
    exact, rounded = (
        one.model_copy(update={"text": f"{n} % of lakes freeze."}) for one, n in zip(found, (34.9, 35), strict=False)
    )

    assert differences([exact, rounded]) == ()
    assert len(differences([exact, rounded, found[2]])) == 3


def test_what_a_sentence_tells_with_both_sides_is_not_told_again_nor_what_the_report_speaks_of_nowhere() -> None:
    told, used, decisive, apart = (
        (side(f"{name}1", f"{name}2", weight=weight), side(f"{name}2", f"{name}1", weight=weight))
        for name, weight in (("t", 2), ("u", 2), ("d", 3), ("a", 2))
    )
    claims = by_id(*told, *used, *decisive, *apart)
    said = [Sentence(text="Both.", claim_ids=("t1", "t2")), Sentence(text="One.", claim_ids=("u1",))]

    found = worth_telling(differences(claims.values()), claims, said)

    assert sorted(names(found)) == [("d1",), ("d2",), ("u1",), ("u2",)]
