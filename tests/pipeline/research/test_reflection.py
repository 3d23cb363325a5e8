"""What is made of a round, and what is missing in the end."""

from dataclasses import replace

from deepresearch_mcp.events import RoundEnded
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
)
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.records.evidence import Assessment, ClaimDraft, FollowUp, Reading
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.sources import Hit, Query
from pipeline_fakes import (
    FakeEngine,
    ScriptedThinker,
    hit,
    lead,
    page,
    part,
)
from research_world import PLAN, world


async def test_what_a_page_points_to_is_asked_in_the_next_round():
    def read(brief, sub_question, passages, limit, at):
        sentence = passages[0].text.split(".")[0] + "."
        draft = ClaimDraft(text=sentence, quote=sentence, passage_id=passages[0].passage_id)
        return Reading(claims=(draft,), leads=(lead("Archimedes treatise on floating bodies"),))

    def assess(brief, parts, queries, at):
        return Assessment(sufficiency=3)

    ice = world(depth=2, thinker=ScriptedThinker(plan=PLAN, read=read, assess=assess))

    await ice.run()

    assert ice.engines[0].texts.count("Archimedes treatise on floating bodies") == 1


async def test_what_a_page_read_for_the_whole_question_points_to_is_shown_and_asked_next():
    told: list[tuple[str, ...]] = []

    def read(brief, sub_question, passages, limit, at):
        led = sub_question.id == WHOLE_QUESTION
        return Reading(claims=(), leads=(lead("Archimedes treatise on floating bodies"),) if led else ())

    def assess(brief, parts, queries, at):
        told.extend(part.leads for part in parts if queries)
        return Assessment(sufficiency=3)

    ice = world(depth=2, thinker=ScriptedThinker(plan=PLAN, read=read, assess=assess))

    await ice.run()

    assert sorted(told) == [(), ("Archimedes treatise on floating bodies",)]
    assert ice.engines[0].texts.count("Archimedes treatise on floating bodies") == 1


async def test_the_analyst_sees_what_was_read_for_the_question_as_a_whole():
    seen: list[int] = []

    def assess(brief, parts, queries, at):
        seen.append(sum(len(part.claims) for part in parts))
        return Assessment(sufficiency=9)

    ice = world(depth=1, thinker=ScriptedThinker(plan=PLAN, assess=assess))

    await ice.run()

    assert ice.findings.of(WHOLE_QUESTION).claims
    assert seen == [len({one.claim_id for one in ice.findings.settled().values()})]


async def test_the_plan_says_in_the_end_how_far_each_part_came():
    third = part("q3", "Who sold ice to India?", ("ice trade India",))
    plan = Plan(sub_questions=(*PLAN.sub_questions, third), made_by="scripted")
    documents = [
        page("https://a.example/", "Ice is less dense than water. Page one says so.", title="Ice"),
        page("https://b.example/", "Floating ice keeps lakes warm for fish. Page two says so.", title="Lakes"),
    ]

    def find(query: Query) -> list[Hit]:
        nothing = "India" in query.text or query.text.startswith("Why does ice")
        return [] if nothing else [hit(documents["lake" in query.text].url)]

    ice = world(depth=1, engines=[FakeEngine(find)], documents=documents, thinker=ScriptedThinker(plan=plan))

    await ice.run()

    assert [one.status for one in ice.findings.plan.sub_questions] == ["done", "in_progress", "blocked"]


async def test_enough_after_one_round_ends_the_research_and_gaps_are_still_asked_for():
    ice = world(depth=3, settings={"min_records": 1, "min_cited": 1, "min_domains": 1, "min_corroborated": 0})

    await ice.run()

    assert ice.findings.rounds == 1
    assert ice.heard.of(RoundEnded)[0].enough
    assert ice.findings.ended == "Stopped after round 1 of 3: nothing more is needed (all that was asked is covered)."
    assert ice.findings.assessment.answered == ("q1", "q2")
    assert ice.findings.draft.sections


async def test_a_round_is_spent_on_second_sources_and_none_after_it_brought_none():
    settings = {"min_records": 1, "min_cited": 1, "min_domains": 1}
    ice = world(depth=5, settings=settings)

    await ice.run()

    first, second = ice.heard.of(RoundEnded)
    assert (first.enough, second.enough) == (False, True)
    assert first.why.endswith("key claims with a second source")
    assert [(one.round, one.enough, one.why) for one in ice.findings.assessed] == [
        (number, one.enough, one.why) for number, one in enumerate((first, second), 1)
    ]
    told = ice.findings.assessed[0]
    assert (told.engines, told.claims > 0, told.used <= told.found) == (("one",), True, True)
    assert "ice density reason" in told.queries
    assert not set(told.queries) & set(ice.findings.assessed[1].queries)
    assert ice.findings.rounds == 2


async def test_the_plan_is_marked_between_the_rounds_too():
    nobody = Assessment(sufficiency=1)
    thinker = ScriptedThinker(plan=PLAN, assess=nobody)
    ice = world(depth=2, thinker=thinker, engines=[FakeEngine(lambda query: [])])

    await ice.run()

    assert {one.status for one in ice.findings.plan.sub_questions} == {"blocked"}
    assert ice.findings.rounds == 2


async def test_looking_back_for_gaps_ends_with_the_time_too():
    ice = world(thinker=ScriptedThinker(plan=PLAN, seconds={"assess": 900.0}), arguments={"max_minutes": 1})

    await ice.run()

    assert ice.ledger.seconds <= 61
    assert ice.findings.draft.sections
    assert ice.findings.assessment is not None


async def test_a_ceiling_met_while_looking_back_leaves_the_counting():
    def assess(brief, parts, queries, at):
        raise BudgetExceeded("max_tokens", 1, 1)

    ice = world(thinker=ScriptedThinker(plan=PLAN, assess=assess))

    await ice.run()

    assert ice.findings.assessment is not None
    assert ice.findings.draft.sections


async def test_a_ceiling_met_while_reflecting_ends_the_research():
    def assess(brief, parts, queries, at):
        if queries:
            raise BudgetExceeded("max_tokens", 1, 1)
        return Assessment(sufficiency=4)

    ice = world(depth=3, thinker=ScriptedThinker(plan=PLAN, assess=assess))

    await ice.run()

    assert (ice.findings.ceiling, ice.findings.rounds) == ("max_tokens", 1)
    assert ice.heard.of(RoundEnded)[0].why == "max_tokens is met"


async def test_what_was_decided_after_a_round_holds_after_a_crash_whatever_is_there_by_then():
    def assess(brief, parts, queries, at):
        follow_ups = (FollowUp(sub_question="q2", query="icebergs above water"),)
        return Assessment(sufficiency=3, answered=("q1", "q2"), follow_ups=follow_ups if queries else ())

    ice = world(depth=2, thinker=ScriptedThinker(plan=PLAN, assess=assess))
    await ice.run()
    # Before the crash a site was missing; after it enough seems to be there.
    enough = {"stop_score": 1, "min_records": 1, "min_cited": 1, "min_domains": 1, "min_corroborated": 0}
    again = world(depth=2, thinker=ScriptedThinker(plan=PLAN), settings=enough)
    journal = again.journal = ice.journal.next_life()
    again.thinker._journal = journal
    again.research = Research(again.request, replace(again.research._parts, journal=journal))
    await again.run()

    assert (ice.findings.rounds, again.research.findings.rounds) == (2, 2)
    assert not ice.heard.of(RoundEnded)[0].enough
    assert again.heard.of(RoundEnded) == ice.heard.of(RoundEnded)
    assert again.research.findings.assessed == ice.findings.assessed
    assert not {key for key in journal.ran if key.startswith(("search", "assess", "reflect", "read"))}


async def test_a_lead_that_was_asked_in_other_words_is_not_shown_again():
    def read(brief, sub_question, passages, limit, at):
        sentence = passages[0].text.split(".")[0] + "."
        draft = ClaimDraft(text=sentence, quote=sentence, passage_id=passages[0].passage_id)
        return Reading(claims=(draft,), leads=(lead("density ice reason water"), lead("winter of the frozen seals")))

    plan = PLAN.model_copy(
        update={"sub_questions": (part("q1", "Why is ice less dense?", ("ice density reason water winter",)),)}
    )
    ice = world(depth=2, thinker=ScriptedThinker(plan=plan, read=read), settings={"leads": 0})

    await ice.run()

    shown = {one for call in ice.thinker.called("assess") for seen in call.whole.parts for one in seen.leads}
    assert shown == {"winter of the frozen seals"}
