"""Rounds: their order, their width, and how they end."""

from dataclasses import replace
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.budget import SET_ASIDE, Amount
from deepresearch_mcp.events import Degraded, RoundEnded
from deepresearch_mcp.exceptions import (
    EnginesDead,
    ProviderError,
)
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.records.evidence import Assessment, FollowUp, OpenPoint
from deepresearch_mcp.records.plan import Deliverable, Hypothesis, Plan, Scope
from pipeline_fakes import (
    FakeEngine,
    ScriptedThinker,
    hit,
    idle,
    page,
    part,
)
from research_world import PLAN, QUESTION, World, finds, pages, world


async def test_the_question_itself_is_searched_while_the_plan_is_made_and_read_for_its_points():
    thinker = ScriptedThinker(plan=PLAN, seconds={"plan": 3.0})
    ice = world(thinker=thinker)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ice.research.run)
        for _ in range(20):
            await idle()
            ice.clock.advance(0.1)
        assert thinker.called("plan")
        assert ice.engines[0].texts == [QUESTION]
        assert ice.web.fetched
        assert not thinker.called("read")
        for _ in range(40):
            await idle()
            ice.clock.advance(0.1)
        first = thinker.called("read")[0]
        assert first.args[1].id == WHOLE_QUESTION
        assert first.args[0].scope == ice.findings.brief.scope != Scope()
        assert ice.findings.of(WHOLE_QUESTION).claims
        tasks.cancel_scope.cancel()


async def test_a_long_question_is_searched_by_its_keywords():
    ice = world(question="Why does ice float on water and what follows? " * 12)

    await ice.run()

    assert len(ice.engines[0].texts[0]) < 300


async def test_breadth_bounds_the_sub_questions_and_the_first_round_asks_all_their_queries():
    wide, narrow = world(arguments={"breadth": 2}), world(arguments={"breadth": 1})

    await wide.run()
    await narrow.run()

    first, second = PLAN.sub_questions
    assert set(wide.engines[0].texts) == {QUESTION, *first.queries, *second.queries}
    assert set(narrow.engines[0].texts) == {QUESTION, *first.queries}
    assert narrow.findings.draft.sections


async def test_what_the_planner_expects_is_searched_for_and_steers_the_brief_of_all_later_stages():
    scope = Scope(deliverables=(Deliverable(id="x", kind="explanation", text="Why ice floats"),), subjects=("ice",))
    expected = (
        Hypothesis(id="x", statement="Ice has open hexagons.", query="ice hexagonal lattice", sub_question="q1"),
        Hypothesis(id="x", statement="Ice always floats.", query="ice that sinks", premise=True),
    )
    ice = world(thinker=ScriptedThinker(plan=PLAN.model_copy(update={"scope": scope, "hypotheses": expected})))

    await ice.run()

    assert {"ice hexagonal lattice", "ice that sinks"} <= set(ice.engines[0].texts)
    assert ice.findings.brief.scope.premises == ("Ice always floats.",)
    assert [one.text for one in ice.findings.brief.scope.deliverables] == ["Why ice floats"]
    later = [call.args[0] for call in ice.thinker.called("sketch")]
    assert [one.scope for one in later] == [ice.findings.brief.scope]


async def test_a_ceiling_cuts_the_least_important_queries_of_a_plan_and_is_never_passed():
    expected = tuple(
        Hypothesis(id="x", statement=f"Ice has {n} forms.", query=f"ice form {n}", sub_question="q1") for n in range(4)
    )
    ice = world(
        thinker=ScriptedThinker(plan=PLAN.model_copy(update={"hypotheses": expected})), arguments={"max_searches": 4}
    )

    await ice.run()

    assert ice.ledger.used.searches == 4
    assert ice.engines[0].texts == [QUESTION, "ice density reason", "ice form 0", "frozen lakes fish"]
    assert ice.findings.ceiling == ""


async def test_a_second_round_asks_what_is_still_open():
    def assess(brief, parts, queries, at):
        if queries == 0:
            return Assessment(sufficiency=9, gaps=("Who found out.",))
        return Assessment(sufficiency=3, follow_ups=(FollowUp(sub_question="q2", query="icebergs above water"),))

    thinker = ScriptedThinker(plan=PLAN, assess=assess)
    ice = world(depth=2, thinker=thinker)

    await ice.run()

    assert "icebergs above water" in ice.engines[0].texts
    assert ice.findings.rounds == 2
    assert ice.stages == ["planning", "researching", "reflecting", "researching", "synthesizing"]
    assert ice.heard.of(RoundEnded)[0].enough is False
    assert ice.findings.assessment.gaps == ("Who found out.",)


async def test_rounds_that_bring_nothing_new_end_the_research():
    def assess(brief, parts, queries, at):
        follow_ups = (FollowUp(sub_question="q1", query=f"empty query {at.key}"),)
        return Assessment(sufficiency=1, follow_ups=follow_ups if queries else ())

    ice = world(depth=5, engines=[FakeEngine({})], thinker=ScriptedThinker(plan=PLAN, assess=assess))

    await ice.run()

    assert ice.findings.rounds == 2
    assert ice.findings.claims == []
    assert ice.findings.ended == "Stopped after round 2 of 5: 2 rounds in a row brought no new claim."


async def test_no_new_query_ends_the_research():
    single = Plan(sub_questions=(part("q1", QUESTION, (QUESTION,)),), made_by="scripted")
    thinker = ScriptedThinker(plan=single, assess=Assessment(sufficiency=1, answered=("q1",)))
    ice = world(depth=5, thinker=thinker, engines=[FakeEngine(lambda query: [])])

    await ice.run()

    assert ice.findings.rounds == 1
    assert ice.findings.ended == "Stopped after round 1 of 5: no new query was left (0 of 1 deliverables covered)."


async def test_a_sub_question_waits_for_the_one_that_it_depends_on():
    chained = Plan(
        sub_questions=(
            part("q1", "Who found out?", ("who discovered density", "history of density")),
            part("q2", "When did they live?", ("life of discoverer", "years of discoverer"), depends_on=("q1", "q7")),
        ),
        made_by="scripted",
    )
    engine = FakeEngine(finds(*pages()), delay={"who discovered density": 5.0})
    ice = world(thinker=ScriptedThinker(plan=chained), engines=[engine], arguments={"breadth": 5})
    engine._clock = ice.clock

    await ice.run()

    texts = engine.texts
    assert texts.index("life of discoverer") > texts.index("history of density")


async def test_dead_engines_end_the_run_before_anybody_is_paid():
    away = ProviderError("one", "connection refused")
    ice = world(engines=[FakeEngine(lambda query: away), FakeEngine(lambda query: away, name="two")])

    with pytest.raises(EnginesDead, match="one: connection refused; two: connection refused"):
        await ice.run()

    assert ice.thinker.calls == []
    assert len(ice.findings.failures) == 2


async def test_one_engine_that_answers_is_enough():
    documents = pages()
    away = FakeEngine(lambda query: ProviderError("two", "away"), name="two")
    ice = world(engines=[away, FakeEngine(finds(*documents))], documents=documents)

    await ice.run()

    assert ice.findings.claims
    assert ice.findings.failures


@pytest.mark.parametrize(("share", "rounds", "used_up"), [(0.70, 1, "max_tokens"), (0.45, 2, "")])
async def test_a_used_up_share_ends_the_rounds_of_a_complete_run_and_a_nearly_used_one_narrows_them(
    share: float, rounds: int, used_up: str
):
    def assess(brief, parts, queries, at):
        names = [one.sub_question.id for one in parts]
        follow_ups = tuple(
            FollowUp(sub_question=name, query=f"more about {name} {n}") for name in names for n in (1, 2)
        )
        return Assessment(sufficiency=2, follow_ups=follow_ups)

    low = PLAN.sub_questions[1].model_copy(update={"priority": "low"})
    plan = PLAN.model_copy(update={"sub_questions": (PLAN.sub_questions[0], low)})
    ice = world(depth=2, thinker=ScriptedThinker(plan=plan, assess=assess), arguments={"max_tokens": 100_000})
    ice.ledger.reserve(Amount(tokens=1)).settle(Amount(tokens=int(100_000 * share)))

    await ice.run()

    assert (ice.findings.rounds, ice.findings.used_up) == (rounds, used_up)
    assert (ice.findings.ceiling, ice.findings.cut_short) == ("", False)
    told = "Stopped after round 1 of 2: what max_tokens leaves is set aside for checking and writing."
    assert ice.findings.ended == (told if used_up else "")
    second = [text for text in ice.engines[0].texts if text.startswith("more about")]
    assert all("q1" in text for text in second)
    assert len(second) <= 2


def near(ice: World, share: float) -> None:
    """So much of the tokens for research is used."""
    ice.ledger.reserve(Amount(tokens=1)).settle(Amount(tokens=int(10_000 * (1 - SET_ASIDE) * share)))


LOW = PLAN.sub_questions[1].model_copy(update={"priority": "low"})


async def test_near_a_ceiling_the_first_round_asks_less_and_the_report_lists_what_was_left_out():
    plan = PLAN.model_copy(update={"sub_questions": (PLAN.sub_questions[0], LOW)})
    ice = world(thinker=ScriptedThinker(plan=plan), arguments={"max_tokens": 10_000, "breadth": 6})
    near(ice, 0.92)

    await ice.run()

    assert not set(LOW.queries) & set(ice.engines[0].texts)
    assert ice.findings.left_out == {LOW.id: "max_tokens"}
    assert ice.findings.ceiling == "max_tokens"


async def test_a_low_part_that_waited_for_another_is_not_begun_once_a_ceiling_is_near_and_again_so_after_a_crash():
    late = LOW.model_copy(update={"depends_on": ("q1",)})
    plan = PLAN.model_copy(update={"sub_questions": (PLAN.sub_questions[0], late)})

    def spending(brief, part, passages, limit, at):
        if part.id == "q1" and not ice.findings.left_out:
            near(ice, 0.92 if ice.ledger.used.tokens == 0 else 0.0)
        return ice.thinker._defaults.read(brief, part, passages, limit, at)

    ice = world(thinker=ScriptedThinker(plan=plan, read=spending), arguments={"max_tokens": 10_000})
    await ice.run()

    assert not set(LOW.queries) & set(ice.engines[0].texts)
    assert ice.findings.left_out == {LOW.id: "max_tokens"}
    # In the next life nothing seems to be used, and what was decided holds all the same.
    again = world(thinker=ScriptedThinker(plan=plan), arguments={"max_tokens": 10_000})
    journal = again.journal = ice.journal.next_life()
    again.thinker._journal = journal
    parts = replace(again.research._parts, journal=journal)
    again.research = Research(again.request, parts)
    await again.run()
    assert again.research.findings.left_out == {LOW.id: "max_tokens"}
    assert [claim.claim_id for claim in again.research.findings.claims] == [one.claim_id for one in ice.findings.claims]


async def test_a_page_that_the_question_names_is_read_first_and_is_no_query():
    named = page("https://named.example/library", "Ice floats because it is less dense than liquid water.")
    ice = world(question=f"What does {named.url} say about why ice floats?", documents=[*pages(), named])

    await ice.run()

    assert ice.web.fetched[0] == named.url
    assert named.source_id in {quote.source_id for claim in ice.findings.claims for quote in claim.quotes}
    asked = [text for engine in ice.engines for text in engine.texts]
    assert asked
    assert not [text for text in asked if "named" in text or "http" in text]


async def test_a_run_without_the_web_reads_no_page_that_its_question_names():
    question = "What does https://named.example/library say about why ice floats?"
    ice = world(question=question, arguments={"web": False, "collections": ("notes",)})

    await ice.run()

    assert "https://named.example/library" not in ice.web.fetched


NAMED = page("https://named.example/library", "Ice floats because it is less dense than liquid water.")


ABOUT_NAMED = f"What does {NAMED.url} say about why ice floats?"


def away(name: str = "one", clock: HandClock | None = None, delay: float = 0.0) -> FakeEngine:
    return FakeEngine(lambda query: ProviderError(name, "connection refused"), name=name, clock=clock, delay=delay)


async def test_a_named_page_is_read_by_no_model_before_it_is_known_whether_an_engine_answers():
    clock = HandClock()
    ice = world(question=ABOUT_NAMED, documents=[NAMED], engines=[away(clock=clock, delay=30)], clock=clock)
    told: list[int] = []

    async def look() -> None:
        await clock.sleep(20)
        told.append(len(ice.thinker.calls))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        await ice.run()

    assert NAMED.url in ice.web.fetched
    assert told == [0]


async def test_where_every_engine_is_dead_a_named_page_that_was_read_carries_the_research_and_it_is_told():
    ice = world(question=ABOUT_NAMED, documents=[NAMED], engines=[away()])

    await ice.run()

    assert {quote.source_id for claim in ice.findings.claims for quote in claim.quotes} == {NAMED.source_id}
    assert ice.findings.failures
    assert any(
        "the research rests on the pages that the question names" in event.what for event in ice.heard.of(Degraded)
    )


async def test_where_every_engine_is_dead_and_the_named_page_too_no_model_is_paid():
    ice = world(question=ABOUT_NAMED, documents=[], engines=[away()])

    with pytest.raises(EnginesDead):
        await ice.run()

    assert ice.thinker.calls == []


async def test_a_named_page_of_an_excluded_domain_is_not_fetched_and_is_told_as_off_limits():
    ice = world(question=ABOUT_NAMED, documents=[*pages(), NAMED], arguments={"exclude_domains": ("named.example",)})

    await ice.run()

    assert NAMED.url not in ice.web.fetched
    assert (NAMED.url, "off_limits") in [(one.url, one.reason) for one in ice.findings.unread]


async def test_a_paid_engine_that_the_money_does_not_pay_for_keeps_no_free_one_from_being_asked():
    documents = pages()
    paid, free = FakeEngine(finds(*documents), name="brave"), FakeEngine(finds(*documents), name="wikipedia")
    ice = world(arguments={"max_usd": 0.0}, engines=[paid, free], documents=documents, prices={"brave": 0.005})

    await ice.run()

    assert paid.texts == []
    assert len(free.texts) > 1
    assert ice.findings.claims
    assert (ice.findings.ceiling, ice.findings.cut_short) == ("", False)
    told = [event.what for event in ice.heard.of(Degraded)]
    assert any("brave could not be asked: max_usd leaves no room for its price" in what for what in told)


WIDE = PLAN.model_copy(
    update={"sub_questions": tuple(part(f"q{n}", f"What is ice {n}?", tuple(f"ice {n} {m} more" for m in range(3)))
                           for n in range(1, 7))}
)  # fmt: skip


async def test_the_first_round_leaves_pages_to_later_ones_and_each_of_its_queries_reads_its_best():
    web = pages(200)
    asked: dict[str, list[str]] = {}

    def finds_new(query: Any) -> list[Any]:
        own = asked.setdefault(query.text, [])
        if not own:
            at = 4 * len(asked)
            own += [one.url for one in web[at : at + 4]]
        return [hit(url) for url in own]

    def assess(brief: Any, parts: Any, queries: int, at: Any) -> Assessment:
        number = len(seen)
        seen.append((len(ice.web.fetched), list(asked)))
        wanted = (FollowUp(sub_question="q1", query=f"still open {number} {n}", point="d1") for n in range(8))
        return Assessment(sufficiency=2, open=(OpenPoint(point="d1", missing="the rest"),), follow_ups=tuple(wanted))

    seen: list[tuple[int, list[str]]] = []
    thinker = ScriptedThinker(plan=WIDE, assess=assess)
    ice = world(
        documents=web,
        engines=[FakeEngine(finds_new)],
        thinker=thinker,
        depth=3,
        arguments={"breadth": 6, "max_pages": 40, "max_searches": 80},
    )

    await ice.run(limit=900)

    (first, queries), (second, _), *_ = seen
    assert first <= 30
    assert all(set(asked[query][:1]) & set(ice.web.fetched[:first]) for query in queries)
    assert second > first
    assert ice.findings.rounds == 3
    assert len(ice.web.fetched) > second
