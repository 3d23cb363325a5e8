from collections.abc import Callable

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.assessing import assess

MakeBrief = Callable[..., Brief]
MakeClaim = Callable[..., Claim]
MakePart = Callable[..., SubQuestion]

WHY = "Why does ice float on salt water?"


def test_two_sources_that_cover_the_question_answer_it(brief: MakeBrief, claim: MakeClaim, part: MakePart) -> None:
    claims = (claim("Ice floats on salt water.", "s1"), claim("On salt water, ice floats best.", "s2"))

    said = assess(brief(WHY), [SubQuestionEvidence(part(WHY), claims)], 4)

    assert said.sufficiency == 10
    assert said.answered == ("q1",)
    assert said.gaps == ()
    assert said.follow_ups == ()


def test_nothing_found_is_said_and_asked_again_with_fewer_words(brief: MakeBrief, part: MakePart) -> None:
    asked = part(WHY, queries=("ice float salt water",))

    said = assess(brief(WHY), [SubQuestionEvidence(asked, ())], 3)

    assert said.sufficiency == 1
    assert said.gaps == ("Nothing was found on: Why does ice float on salt water.",)
    assert 1 <= len(said.follow_ups) <= 3
    assert all(len(follow.query.split()) < 5 for follow in said.follow_ups)
    assert "ice float salt water" not in [follow.query for follow in said.follow_ups]


def test_one_source_alone_leaves_a_gap(brief: MakeBrief, claim: MakeClaim, part: MakePart) -> None:
    said = assess(brief(WHY), [SubQuestionEvidence(part(WHY), (claim("Ice floats on salt water."),))], 0)

    assert said.gaps == ("Only 1 claim from 1 source on: Why does ice float on salt water.",)
    assert 1 < said.sufficiency < 10
    assert said.follow_ups == ()


def test_words_that_no_claim_speaks_of_are_named_and_names_learnt_are_followed(
    brief: MakeBrief, claim: MakeClaim, part: MakePart
) -> None:
    question = "Which office did the actress of Marta Lindgren hold in Ghana and Prague?"
    claims = (
        claim("The part of Marta Lindgren went to Greta Solberg.", "s1"),
        claim("Marta Lindgren was Greta Solberg on the screen.", "s2"),
    )

    said = assess(brief(question), [SubQuestionEvidence(part(question), claims)], 4)

    assert "office" in said.gaps[0]
    assert said.follow_ups[0].query.startswith("Greta Solberg office")


def test_what_is_missing_but_cannot_be_named_is_still_a_gap(brief: MakeBrief, claim: MakeClaim, part: MakePart) -> None:
    claims = (claim("Nonlocal is a statement.", "s1"), claim("A nonlocal statement binds.", "s2"))
    asked = part("Python: what great change of type and use does nonlocal cause and involve?")

    said = assess(brief(WHY), [SubQuestionEvidence(asked, claims)], 0)

    assert said.gaps == (f"Only part of this was found: {asked.text.rstrip('?')}.",)


def test_parts_without_claims_are_asked_once_more_the_important_ones_first(
    brief: MakeBrief, claim: MakeClaim, part: MakePart
) -> None:
    parts = [
        SubQuestionEvidence(part("Why do boats float?", "q1", priority="high"), (claim("Boats float."),)),
        SubQuestionEvidence(part("Why do corks float?", "q2", priority="low"), ()),
        SubQuestionEvidence(part("Why do icebergs float?", "q3", priority="high"), ()),
    ]

    said = assess(brief(WHY), parts, 3)

    assert [follow.sub_question for follow in said.follow_ups] == ["q3", "q2"]


def test_no_parts_are_no_answer(brief: MakeBrief) -> None:
    said = assess(brief(WHY), [], 3)

    assert said.sufficiency == 1


def test_a_question_of_bare_words_is_answered_by_any_two_sources(
    brief: MakeBrief, claim: MakeClaim, part: MakePart
) -> None:
    said = assess(
        brief("?!"),
        [
            SubQuestionEvidence(part("?!"), (claim("One.", "s1"), claim("Two.", "s2"))),
            SubQuestionEvidence(part("?!", "q2"), ()),
        ],
        3,
    )

    assert said.answered == ("q1",)
    assert said.follow_ups == ()
