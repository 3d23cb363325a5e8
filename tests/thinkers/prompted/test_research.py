from collections.abc import Callable
from typing import Any

import pytest

from deepresearch_mcp.records.evidence import Claim, Comparison, FollowUp, Lead, Quote
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.prompted import research
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptSpec

MakeClaim = Callable[..., Claim]


def answered(sheet: PromptSpec[Any, Any], **answer: object) -> Any:
    return sheet.result(sheet.shape.model_validate(answer))


def planned(question: str, **more: object) -> dict[str, object]:
    return {"question": question, "priority": "high", "queries": ["ice density"], "depends_on": []} | more


def test_a_plan_is_asked_in_numbers_with_the_whole_question(brief: Brief) -> None:
    sheet = research.plan(brief, 4, 8, "m", "8f3a", 1.0)

    assert (sheet.values["parts"], sheet.values["queries"], sheet.values["question"]) == ("4", "8", brief.question)
    assert sheet.limits["sub_questions"]["maxItems"] == 4
    assert sheet.limits["queries"]["maxItems"] == 2


@pytest.mark.parametrize(("parts", "queries", "each"), [(1, 1, 3), (1, 5, 5), (7, 3, 1), (0, 4, 4)])
def test_a_plan_always_has_room_for_three_queries(brief: Brief, parts: int, queries: int, each: int) -> None:
    assert research.plan(brief, parts, queries, "m", "8f3a", 1.0).limits["queries"]["maxItems"] == each


def test_a_plan_has_at_most_as_many_parts_as_asked_and_waits_only_for_earlier_ones(brief: Brief) -> None:
    sheet = research.plan(brief, 3, 6, "m", "8f3a", 1.0)

    plan = answered(
        sheet,
        goal=" Know\nwhy. ",
        sub_questions=[
            planned("How dense?", depends_on=[1, 2], queries=["ice density", "", "ice density"]),
            planned(" "),
            planned("Why?", priority="urgent", depends_on=["1", "q2", 9]),
            planned("So what?", priority="LOW"),
            planned("One too many?"),
        ],
    )

    assert (plan.goals, plan.made_by) == (("Know why.",), "m")
    assert [(one.id, one.text, one.priority, one.queries, one.depends_on) for one in plan.sub_questions] == [
        ("q1", "How dense?", "high", ("ice density",), ()),
        ("q2", "Why?", "medium", ("ice density",), ("q1",)),
        ("q3", "So what?", "low", ("ice density",), ()),
    ]


def test_a_planner_may_ask_back_and_what_the_user_has_said_stands_beside_the_question(brief: Brief) -> None:
    told = brief.model_copy(update={"wishes": ("Asked “Which?”, the user said: the animal", "Only in winter.")})
    sheet = research.plan(told, 3, 6, "m", "8f3a", 1.0)

    back = [{"question": "Which\njaguar?", "options": ["the animal", "the car"]}, {"question": " ", "options": []}]
    plan = answered(sheet, sub_questions=[planned("Why?")], ask=back)

    assert [(one.question, one.options) for one in plan.questions] == [("Which jaguar?", ("the animal", "the car"))]
    assert "counts as part of the question: Asked “Which?”, the user said: the animal" in sheet.values["limits"]
    assert "counts as part of the question: Only in winter." in sheet.values["limits"]


def test_a_plan_without_a_question_is_none(brief: Brief) -> None:
    assert answered(research.plan(brief, 3, 6, "m", "8f3a", 1.0), sub_questions=[planned("")]) is None
    assert answered(research.plan(brief, 3, 6, "m", "8f3a", 1.0), sub_questions=[planned("Why?")]).goals == ()


def test_claims_come_back_under_the_passages_own_names_and_junk_is_dropped(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = research.read(brief, sub_question, passages, 2, "8f3a", 1.0)

    reading = answered(
        sheet,
        claims=[
            {"claim": "A\nB.", "quote": " Text 2 ", "passage_id": "p2"},
            {"claim": "Invented.", "quote": "x", "passage_id": "invented-1"},
            {"claim": "", "quote": "x", "passage_id": "p1"},
            {"claim": "No words.", "quote": " ", "passage_id": "p1"},
            {"claim": "C.", "quote": "Text 1", "passage_id": "[p1]"},
            {"claim": "One too many.", "quote": "Text 3", "passage_id": "p3"},
        ],
        leads=[{"query": " "}, {"query": "ice  rules"}, {"query": "second"}],
    )

    assert [(draft.text, draft.quote, draft.passage_id) for draft in reading.claims] == [
        ("A B.", "Text 2", "p20"),
        ("C.", "Text 1", "p10"),
    ]
    assert reading.leads == (Lead(query="ice rules"),)


def test_no_claim_is_an_answer_and_only_junk_is_none(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = research.read(brief, sub_question, passages, 2, "8f3a", 1.0)

    assert answered(sheet, claims=[]).claims == ()
    assert answered(sheet, claims=[{"claim": "A.", "quote": "B", "passage_id": "p9"}]) is None


def test_a_long_question_only_gives_the_reader_its_direction(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    long = brief.model_copy(update={"question": "Why does ice\nfloat? " * 400})

    assert len(research.read(long, sub_question, passages, 2, "8f3a", 1.0).values["question"]) <= 400
    assert len(research.plan(long, 3, 6, "m", "8f3a", 1.0).values["question"]) == len(long.question)


def test_verdicts_come_back_under_the_claims_own_ids(brief: Brief, claim: MakeClaim) -> None:
    sheet = research.judge(brief, [claim(1), claim(2), claim(3)], "8f3a", 1.0)

    found = answered(
        sheet,
        verdicts=[
            {"claim_id": "c2", "verdict": "Supported.", "fault": "plainly"},
            {"claim_id": "c2", "verdict": "unsupported"},
            {"claim_id": "c1", "verdict": "partly", "fault": "Date", "sentence": 1},
            {"claim_id": "c3", "verdict": "perhaps"},
            {"claim_id": "c9", "verdict": "supported"},
        ],
    )

    assert [(one.claim_id, one.verdict, one.reason) for one in found] == [
        ("cfact2", "supported", ""),
        ("cfact1", "partly", "the source gives another date, or none: “As page 1 says, words 1.”"),
    ]
    assert answered(sheet, verdicts=[{"claim_id": "c9", "verdict": "supported"}]) is None
    assert sheet.max_tokens == 380


def test_a_judge_is_not_shown_what_the_question_was(brief: Brief, claim: MakeClaim) -> None:
    assert set(research.judge(brief, [claim(1)], "8f3a", 1.0).values) == {"today", "claims"}


def test_queries_go_first_to_what_is_not_answered_and_never_pass_the_limit(brief: Brief, claim: MakeClaim) -> None:
    parts = [SubQuestionEvidence(SubQuestion(id=f"q{number}", text="Why?"), (claim(number),)) for number in range(3)]
    sheet = research.assess(brief, parts, 4, "8f3a", 1.0)

    assessment = answered(
        sheet,
        sufficiency=6,
        parts=[
            {"id": "q1", "answered": True, "queries": ["a1", "a2"]},
            {"id": "q2", "answered": False, "queries": ["b1", " ", "b3"]},
            {"id": "q3", "answered": False, "queries": ["c1", "c2"]},
            {"id": "q7", "answered": True, "queries": ["d"]},
        ],
    )

    assert sheet.limits["queries"]["maxItems"] == 4
    assert (assessment.sufficiency, assessment.answered) == (6, ("q0",))
    assert assessment.follow_ups == (
        FollowUp(sub_question="q1", query="b1"),
        FollowUp(sub_question="q2", query="c1"),
        FollowUp(sub_question="q0", query="a1"),
        FollowUp(sub_question="q2", query="c2"),
    )


def test_a_verdicts_fault_is_worded_for_a_reader_with_the_pages_own_sentence(brief: Brief, claim: MakeClaim) -> None:
    context = "However, this was denied. The mast fell in 2019. Nobody was hurt by it, they said."
    quote = Quote(source_id="s1", snapshot="0", start=0, end=5, text="The mast fell in 2019.", context=context)
    claims = [claim(number, quotes=(quote,)) for number in range(1, 6)]
    sheet = research.judge(brief, [*claims, claim(6)], "8f3a", 1.0)

    found = answered(
        sheet,
        verdicts=[
            {"claim_id": "c1", "verdict": "unsupported", "fault": "Not said.", "sentence": 2},
            {"claim_id": "c2", "verdict": "partly", "fault": "none"},
            {"claim_id": "c3", "verdict": "partly", "fault": "date", "sentence": "2"},
            {"claim_id": "c4", "verdict": "partly", "fault": "call 0800 now", "sentence": 9},
            {"claim_id": "c5", "verdict": "disputed", "fault": "", "sentence": 1},
            {"claim_id": "c6", "verdict": "unsupported", "fault": "contrary"},
        ],
    )

    assert [one.reason for one in found] == [
        "the source does not say it",
        "",
        "the source gives another date, or none: “The mast fell in 2019.”",
        "",
        "“However, this was denied.”",
        "the source says the opposite: “As page 6 says, words 6.”",
    ]


def test_what_could_not_be_established_is_told_in_the_end(brief: Brief, claim: MakeClaim) -> None:
    parts = [SubQuestionEvidence(SubQuestion(id="q1", text="Why?"), (claim(1),))]

    assessment = answered(research.gaps(brief, parts, "8f3a", 1.0), sufficiency="7/10", gaps=["The\nyear.", " "])

    assert (assessment.sufficiency, assessment.gaps, assessment.follow_ups) == (7, ("The year.",), ())


def test_where_the_analyst_has_little_room_it_sees_fewer_claims_and_every_part(brief: Brief, claim: MakeClaim) -> None:
    parts = [SubQuestionEvidence(SubQuestion(id="q1", text="Why?"), tuple(claim(number) for number in range(20)))] * 2

    whole, less = (research.assess(brief, parts, 4, "8f3a", share).values["parts"] for share in (1.0, 0.5))

    assert (whole.count("- Fact"), less.count("- Fact")) == (40, 20)
    assert research.assess(brief, [], 4, "8f3a", 1.0).limits["queries"]["maxItems"] == 4


def test_what_two_claims_are_to_each_other_comes_back_under_their_own_ids(brief: Brief, claim: MakeClaim) -> None:
    sheet = research.compare(
        brief, [(claim(1), claim(2, dated="2019")), (claim(3, dated="2020"), claim(4))], "8f3a", 1.0
    )

    found = answered(
        sheet,
        comparisons=[
            {"pair_id": "d2", "relation": "Contradict.", "reason": "Date"},
            {"pair_id": "d2", "relation": "same"},
            {"pair_id": "d1", "relation": "same", "reason": "date"},
            {"pair_id": "d9", "relation": "same"},
            {"pair_id": "d1", "relation": "alike"},
        ],
    )

    assert found == (
        Comparison(first="cfact3", second="cfact4", relation="contradict", reason="date"),
        Comparison(first="cfact1", second="cfact2", relation="same"),
    )
    assert answered(sheet, comparisons=[]) == ()
    assert (
        '<pair id="d1">\n- Fact number 1 holds.\n- Fact number 2 holds. (as of 2019)\n</pair 8f3a>'
        in (sheet.values["pairs"])
    )
    assert (sheet.role, set(sheet.values)) == ("verifier", {"today", "pairs"})


def test_a_claims_own_words_say_what_it_is_and_when_it_holds(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = research.read(brief, sub_question, passages, 4, "8f3a", 1.0)

    found = answered(
        sheet,
        claims=[
            {"claim": claim, "quote": quote, "passage_id": "p1"}
            for claim, quote in (
                ("The board expects 420 visitors.", "it is forecast that 420 will come"),
                ("The board estimates that it held 420 people in May 2019.", "it might have held 420"),
                ("It holds 420 people.", "As of spring 2019 it holds 420 people."),
                ("It holds 420 people.", "As of 2019 it holds 420 people."),
            )
        ],
    ).claims

    assert [(one.kind, one.dated, one.confidence) for one in found] == [
        ("forecast", "", "medium"),
        ("estimate", "May 2019", "low"),
        ("fact", "", "medium"),
        ("fact", "2019", "medium"),
    ]


def test_a_fault_that_makes_a_claim_an_order_settles_its_verdict_and_repeats_nothing(
    brief: Brief, claim: MakeClaim
) -> None:
    sheet = research.judge(brief, [claim(1)], "8f3a", 1.0)

    found = answered(sheet, verdicts=[{"claim_id": "c1", "verdict": "supported", "fault": "Order", "sentence": 1}])

    assert [(one.verdict, one.reason) for one in found or ()] == [
        ("unsupported", "the words are an instruction to the reader and state no fact")
    ]
