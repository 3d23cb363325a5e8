from collections.abc import Callable
from datetime import date
from typing import Any

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.records.evidence import AddedSubQuestion, Claim, Expected, Lead
from deepresearch_mcp.records.plan import Brief, Deliverable, Hypothesis, Scope, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.prompted import planning, research
from deepresearch_mcp.thinkers.tasks import AssessCoverage, ConsolidateClaims, PlanResearch, ReadPassages
from filled_prompts import Filled, filled
from pipeline_fakes import page

MakeClaim = Callable[..., Claim]


def answered(sheet: Filled, **answer: object) -> Any:
    return sheet.answered(**answer)


def test_claims_come_back_under_the_passages_own_names_and_junk_is_dropped(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = filled(research.READ, ReadPassages(brief, sub_question, passages, 2))

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


def test_a_reader_sees_what_is_to_be_delivered_what_to_look_for_and_the_date_of_each_page(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    scope = Scope(
        deliverables=(Deliverable(id="d1", kind="comparison", text="ice against snow"),),
        subjects=("ice", "snow"),
        aspects=("density",),
        premises=("Ice floats.",),
    )
    guess = Hypothesis(id="h1", statement="Ice has nine tenths of the density.", query="ice density")
    asked = brief.model_copy(update={"scope": scope})
    card = page("https://a.example/", "Text.").card().model_copy(update={"published": date(2026, 2, 12)})
    task = ReadPassages(asked, sub_question, passages, 8, (guess,), {passages[0].source_id: card})

    sheet = filled(research.READ, task)

    assert "- d1 comparison: ice against snow" in sheet.values["points"]
    assert "- s2a1 snow: density" in sheet.values["points"]
    assert "- Ice floats." in sheet.values["points"]
    assert sheet.values["hypotheses"] == "Confirm, correct or refute:\n- h1 Ice has nine tenths of the density."
    assert 'dated="2026-02-12" id="p1">' in sheet.values["passages"]
    claims = [
        {"claim": "A.", "quote": "Text 1", "passage_id": "p1", "weight": 3, "covers": ["D1", "h1", "d9", "h1"]},
        {"claim": "B.", "quote": "Text 2", "passage_id": "p2", "weight": "much"},
    ]
    first, second = answered(sheet, claims=claims).claims
    assert (first.weight, first.covers) == (3, ("d1", "h1"))
    assert (second.weight, second.covers) == (2, ())


def test_hypotheses_and_deliverables_stand_whole_and_a_premise_stands_once(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    premise = f"Ice floats {'on water that is still ' * 12}unless it is pressed together."
    deliverable = f"Why ice floats {'on lakes and rivers ' * 12}and when it does not"
    scope = Scope(
        deliverables=(Deliverable(id="d1", kind="explanation", text=deliverable),), premises=(premise, "Snow falls.")
    )
    guess = Hypothesis(id="h1", statement=premise, query="ice", premise=True)
    asked = brief.model_copy(update={"scope": scope})

    values = filled(research.READ, ReadPassages(asked, sub_question, passages, 8, (guess,))).values

    assert premise in values["hypotheses"]
    assert deliverable in values["points"]
    assert premise not in values["points"]
    assert "- Snow falls." in values["points"]


def test_of_too_many_claims_the_weightiest_are_taken_in_their_order(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = filled(research.READ, ReadPassages(brief, sub_question, passages, 2))
    claims = [{"claim": f"C{n}.", "quote": "Text 1", "passage_id": "p1", "weight": n} for n in (1, 3, 2)]

    assert [one.text for one in answered(sheet, claims=claims).claims] == ["C3.", "C2."]


def test_no_claim_is_an_answer_and_only_junk_is_none(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = filled(research.READ, ReadPassages(brief, sub_question, passages, 2))

    assert answered(sheet, claims=[]).claims == ()
    assert answered(sheet, claims=[{"claim": "A.", "quote": "B", "passage_id": "p9"}]) is None


def test_a_long_question_only_gives_the_reader_its_direction(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    long = brief.model_copy(update={"question": "Why does ice\nfloat? " * 400})

    assert len(filled(research.READ, ReadPassages(long, sub_question, passages, 2)).values["question"]) <= 400
    assert len(filled(planning.PLAN, PlanResearch(long, 3, 6)).values["question"]) == len(long.question)


def test_the_first_query_of_every_open_point_comes_before_the_second_of_any(brief: Brief, claim: MakeClaim) -> None:
    parts = [SubQuestionEvidence(SubQuestion(id=f"q{number}", text="Why?"), (claim(number),)) for number in range(3)]
    sheet = filled(research.ASSESS, AssessCoverage(brief, parts, 4))

    assessment = answered(
        sheet,
        sufficiency=6,
        open=[
            {"point": "d2", "status": "one sided", "missing": "the\ncost", "queries": ["b1", " ", "b3"]},
            {"point": "s1a1", "status": "unheard of", "missing": "", "queries": ["c1", "c2"]},
        ],
        expect=[{"statement": "It costs 5.", "query": "cost five", "sub_question": "q2"}, {"statement": " "}],
        add=[{"question": "What\ndoes it cost?", "queries": ["ice price"]}, {"question": ""}],
        done=["q1", "q7"],
    )

    assert (assessment.sufficiency, assessment.answered, assessment.retired) == (6, ("q0",), ("q0",))
    assert [(one.point, one.status, one.missing) for one in assessment.open or ()] == [
        ("d2", "one_sided", "the cost"),
        ("s1a1", "open", ""),
    ]
    assert [(one.point, one.query) for one in assessment.follow_ups] == [
        ("d2", "b1"),
        ("s1a1", "c1"),
        ("s1a1", "c2"),
        ("d2", "b3"),
    ]
    assert assessment.expected == (Expected(statement="It costs 5.", query="cost five", sub_question="q1"),)
    assert assessment.added == (AddedSubQuestion(text="What does it cost?", queries=("ice price",)),)


def test_the_points_of_the_brief_are_shown_with_their_ids(brief: Brief) -> None:
    scope = Scope(
        deliverables=(Deliverable(id="d1", kind="how_to", text="How to freeze it"),),
        subjects=("Ice",),
        aspects=("cost",),
    )
    asked = brief.model_copy(update={"scope": scope})

    values = filled(research.ASSESS, AssessCoverage(asked, [], 0)).values

    assert values["points"] == "d1 (how-to): How to freeze it\ns1a1: Ice, cost"


def test_after_the_last_round_no_further_queries_are_asked_for_and_each_open_point_names_its_search(
    brief: Brief,
) -> None:
    last, before = (filled(research.ASSESS, AssessCoverage(brief, [], queries)) for queries in (0, 4))

    assert "queries" not in last.values
    assert before.values["queries"] == "4"
    assert {name: rule["maxItems"] for name, rule in last.limits.items()} == {"queries": 1, "expect": 0, "add": 0}
    asked = load("look_back")
    assert asked.fill(**last.values)
    for word in ("Further queries", "expect:", "add:"):
        assert word not in f"{asked.system}{asked.fill(**last.values)}"
    assert research.LOOK_BACK.prompt == "look_back"


def test_a_claim_is_shown_to_its_end(brief: Brief, sub_question: SubQuestion, claim: MakeClaim) -> None:
    said = " ".join(["The setting holds for all of them"] * 7) + " unless the default is off."
    evidence = SubQuestionEvidence(sub_question, (claim(1).model_copy(update={"text": said}),))

    shown = filled(research.ASSESS, AssessCoverage(brief, [evidence], 4)).values

    assert "unless the default is off." in shown["claims"]


def test_claims_of_one_fact_are_compared_by_their_own_ids(brief: Brief, claim: MakeClaim) -> None:
    one, two, three, four = (claim(number) for number in range(4))
    sheet = filled(research.CONSOLIDATE, ConsolidateClaims(brief, [[one, two], [three, four]]))

    found = answered(
        sheet,
        same=[{"claim_ids": ["c1", "c2"]}, {"claim_ids": ["c9"]}],
        within=[{"claim_ids": ["c4", "c1"]}, {"claim_ids": ["c4"]}],
        contradict=[{"claim_ids": ["c3", "c4"], "reason": "version"}, {"claim_ids": ["c3"], "reason": "none"}],
    )

    assert [(each.first, each.second, each.relation, each.reason) for each in found] == [
        (one.claim_id, two.claim_id, "same", ""),
        (four.claim_id, one.claim_id, "within", ""),
        (three.claim_id, four.claim_id, "contradict", "version"),
    ]
    assert sheet.values["clusters"].count("\n\n") == 2


def test_where_the_analyst_has_little_room_it_sees_fewer_claims_and_every_part(brief: Brief, claim: MakeClaim) -> None:
    parts = [SubQuestionEvidence(SubQuestion(id="q1", text="Why?"), tuple(claim(number) for number in range(20)))] * 2

    whole, less = (
        filled(research.ASSESS, AssessCoverage(brief, parts, 4), share).values["claims"] for share in (1.0, 0.5)
    )

    assert (whole.count("- Fact"), less.count("- Fact")) == (40, 20)


def test_a_claims_own_words_say_what_it_is_and_when_it_holds(
    brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    sheet = filled(research.READ, ReadPassages(brief, sub_question, passages, 4))

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
