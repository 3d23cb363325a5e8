"""Whole researches over fakes: order, rounds, ceilings, ends."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger
from deepresearch_mcp.events import Degraded, Planned, RoundEnded, StageEntered
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    EnginesDead,
    InvalidRequest,
    KeyRefused,
    ProviderError,
)
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.pipeline.research.affording import Means
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.records.evidence import Assessment, ClaimDraft, FollowUp, Reading
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.search.metering import MeteredEngine
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.web.wrappers import MeteredWeb
from pipeline_fakes import (
    FakeEngine,
    FakeWeb,
    Heard,
    MemoryJournal,
    ScriptedThinker,
    drive,
    hit,
    idle,
    lead,
    page,
    part,
)

QUESTION = "Why does ice float on water?"
FACTS = (
    "Ice floats because it is less dense than liquid water.",
    "Hydrogen bonds hold the molecules of ice apart.",
    "Lakes freeze from above in winter.",
    "Fish survive below the ice of lakes.",
    "Sea ice covers the Arctic ocean in winter.",
    "Icebergs show a tenth of their volume above water.",
    "Seals breathe through holes in frozen lakes.",
    "Antarctic glaciers push into the southern sea.",
)
PLAN = Plan(
    sub_questions=(
        part("q1", "Why is ice less dense than water?", ("ice density reason", "hydrogen bonds ice"), priority="high"),
        part("q2", "What does floating ice do to lakes?", ("frozen lakes fish", "lake ice winter")),
    ),
    made_by="scripted",
)


def pages(number: int = 8) -> list[Document]:
    return [
        page(f"https://site{at}.example/ice", FACTS[at % len(FACTS)] + f" Page {at} says so.", title=f"Ice {at}")
        for at in range(number)
    ]


def finds(*documents: Document) -> Callable[[Query], list[Hit]]:
    """Every query finds two pages, each query others as long as there are any."""
    known: dict[str, int] = {}

    def answer(query: Query) -> list[Hit]:
        at = known.setdefault(query.text, len(known))
        return [hit(documents[(2 * at + step) % len(documents)].url) for step in (0, 1)]

    return answer


@dataclass
class World:
    """Everything that one research works with, on a clock of its own."""

    request: ResearchRequest
    clock: HandClock = field(default_factory=HandClock)
    thinker: Any = None
    engines: list[Any] = field(default_factory=list)
    documents: list[Document] = field(default_factory=pages)
    delays: dict[str, float] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    heard: Heard = field(default_factory=Heard)
    background: str = ""
    prices: dict[str, float] = field(default_factory=dict)
    """Engine → USD a query."""

    def __post_init__(self) -> None:
        self.journal = MemoryJournal(clock=self.clock)
        self.thinker = self.thinker or ScriptedThinker(journal=self.journal, plan=PLAN)
        self.thinker._journal = self.journal
        self.thinker._clock = self.clock
        self.ledger = Ledger(self.request.shape, self.clock)
        self.engines = self.engines or [FakeEngine(finds(*self.documents), clock=self.clock)]
        self.web = FakeWeb(self.documents, clock=self.clock, delays=self.delays)
        parts = Dependencies(
            thinker=self.thinker,
            last_resort=Extractive(),
            engines=[MeteredEngine(one, self.ledger, self.prices.get(one.name, 0.0)) for one in self.engines],
            search_window=0.3,
            web=MeteredWeb(self.web, self.ledger),
            journal=self.journal,
            ledger=self.ledger,
            clock=self.clock,
            emit=self.heard.append,
            settings=ResearchSettings.model_validate(self.settings),
            means=Means(query_usd=self.prices),
        )
        self.research = Research(self.request, parts, self.background)
        self.findings = self.research.findings

    async def run(self, limit: float = 400.0) -> None:
        try:
            await drive(self.clock, self.research.run, limit=limit)
        except BaseExceptionGroup as group:
            raise leaf(group) from group

    @property
    def stages(self) -> list[str]:
        return [event.stage for event in self.heard.of(StageEntered)]


def world(depth: int = 1, question: str = QUESTION, arguments: dict[str, Any] | None = None, **given: Any) -> World:
    request = ResearchRequest(question=question, depth=depth, **(arguments or {}))
    return World(request, **given)


async def test_one_round_goes_from_the_question_to_an_audited_draft():
    ice = world()

    await ice.run()

    assert ice.stages == ["planning", "researching", "synthesizing"]
    assert ice.findings.rounds == 1
    assert ice.findings.ceiling == ""
    assert ice.findings.draft.in_short
    assert [one.heading for one in ice.findings.draft.sections] == [one.text for one in PLAN.sub_questions]
    assert ice.findings.engines == {"one": {"asked": 4, "answered": 4}}
    assert ice.findings.brief.today == ice.clock.today()
    assert ice.heard.of(Planned)[0].sub_questions == tuple(one.text for one in PLAN.sub_questions)


async def test_the_question_itself_is_searched_while_the_plan_is_made():
    thinker = ScriptedThinker(plan=PLAN, seconds={"plan": 3.0})
    ice = world(thinker=thinker)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ice.research.run)
        for _ in range(20):
            await idle()
            ice.clock.advance(0.1)
        assert thinker.called("plan")
        assert ice.engines[0].texts == [QUESTION]
        assert ice.findings.of(WHOLE_QUESTION).claims
        tasks.cancel_scope.cancel()


async def test_a_long_question_is_searched_by_its_keywords():
    ice = world(question="Why does ice float on water and what follows? " * 12)

    await ice.run()

    assert len(ice.engines[0].texts[0]) < 300


async def test_an_earlier_runs_findings_reach_the_planner():
    ice = world(background="An earlier run asked: …")

    await ice.run()

    assert ice.thinker.called("plan")[0].args[0].background == "An earlier run asked: …"


async def test_breadth_bounds_the_queries_of_a_round():
    ice = world(arguments={"breadth": 2})

    await ice.run()

    assert len(ice.engines[0].texts) == 2


async def test_breadth_one_searches_the_question_alone():
    ice = world(arguments={"breadth": 1})

    await ice.run()

    assert ice.engines[0].texts == [QUESTION]
    assert ice.findings.draft.sections


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
    assert seen == [len(ice.findings.claims)]


async def test_the_plan_says_in_the_end_how_far_each_part_came():
    third = part("q3", "Who sold ice to India?", ("ice trade India",))
    plan = Plan(sub_questions=(*PLAN.sub_questions, third), made_by="scripted")
    documents = pages()

    def find(query: Query) -> list[Hit]:
        return [] if "India" in query.text else [hit(documents[0].url), hit(documents[1].url)]

    ice = world(depth=1, engines=[FakeEngine(find)], documents=documents, thinker=ScriptedThinker(plan=plan))

    await ice.run()

    assert [one.status for one in ice.findings.plan.sub_questions] == ["done", "in_progress", "blocked"]


async def test_enough_after_one_round_ends_the_research_and_gaps_are_still_asked_for():
    ice = world(depth=3, settings={"min_records": 1, "min_cited": 1, "min_domains": 1, "min_corroborated": 0})

    await ice.run()

    assert ice.findings.rounds == 1
    assert ice.heard.of(RoundEnded)[0].enough
    assert ice.findings.ended == "Stopped after round 1 of 3: the evidence is sufficient (sufficiency 10 of 10)."
    assert ice.findings.assessment.answered == ("q1", "q2")
    assert ice.findings.draft.sections


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
    assert ice.findings.ended == "Stopped after round 1 of 5: no new query was left (sufficiency 1 of 10)."


async def test_a_round_is_spent_on_second_sources_and_none_after_it_brought_none():
    settings = {"min_records": 1, "min_cited": 1, "min_domains": 1}
    ice = world(depth=5, settings=settings)

    await ice.run()

    first, second = ice.heard.of(RoundEnded)
    assert (first.enough, second.enough) == (False, True)
    assert first.why.endswith("key claims have a second source")
    assert [one.model_dump() for one in ice.findings.assessed] == [
        {"round": number, "sufficiency": one.sufficiency, "enough": one.enough, "why": one.why}
        for number, one in enumerate((first, second), 1)
    ]
    assert ice.findings.rounds == 2


async def test_the_plan_is_marked_between_the_rounds_too():
    nobody = Assessment(sufficiency=1)
    thinker = ScriptedThinker(plan=PLAN, assess=nobody)
    ice = world(depth=2, thinker=thinker, engines=[FakeEngine(lambda query: [])])

    await ice.run()

    assert {one.status for one in ice.findings.plan.sub_questions} == {"blocked"}
    assert ice.findings.rounds == 2


async def test_sections_are_written_before_other_sub_questions_are_done():
    documents = pages()
    slow = documents[4].url  # only the second sub-question's query finds it

    def find(query: Query) -> list[Hit]:
        return [hit(slow)] if "lakes" in query.text else [hit(documents[0].url), hit(documents[1].url)]

    ice = world(engines=[FakeEngine(find)], documents=documents, delays={slow: 20.0}, settings={"patience": 60.0})
    written: list[float] = []
    plain = ice.thinker.script.get("write")
    assert plain is None

    def write(brief, section, claims, at):
        written.append(ice.clock.monotonic())
        return ice.thinker._defaults.write(brief, section, claims, at)

    ice.thinker.script["write"] = write
    await ice.run()

    assert len(written) == 2
    assert written[1] - written[0] > 10


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


async def test_a_refused_key_stops_the_run_at_once():
    thinker = ScriptedThinker(plan=PLAN, read=KeyRefused("openai:a", "the key is not accepted"))
    ice = world(thinker=thinker)

    with pytest.raises(KeyRefused, match="openai:a"):
        await ice.run()

    assert thinker.called("write") == []


async def test_an_unusable_plan_is_told_of_and_the_question_stands_for_it():
    ice = world(thinker=ScriptedThinker(plan=ProviderError("openai", "no answer")))

    await ice.run()

    assert ice.findings.plan.made_by == "default"
    assert ice.heard.of(Degraded)
    assert ice.findings.claims


async def test_a_ceiling_met_while_planning_is_known_and_the_question_is_the_plan():
    ice = world(depth=2, thinker=ScriptedThinker(plan=BudgetExceeded("max_usd", 0.1, 0.1)))

    await ice.run()

    assert ice.findings.ceiling == "max_usd"
    assert ice.findings.plan.made_by == "default"
    assert ice.findings.rounds == 1


@pytest.mark.parametrize("ceiling", ["max_usd", "max_tokens"])
async def test_a_ceiling_met_while_reading_leaves_a_report_of_what_was_read(ceiling: str):
    read = 0

    def once(brief, sub_question, passages, limit, at):
        nonlocal read
        read += 1
        if read > 1:
            raise BudgetExceeded(ceiling, 1, 1)
        return ScriptedThinker()._defaults.read(brief, sub_question, passages, limit, at)

    ice = world(depth=3, thinker=ScriptedThinker(plan=PLAN, read=once))

    await ice.run()

    assert ice.findings.ceiling == ceiling
    assert ice.findings.rounds == 1
    assert ice.findings.draft.sections
    assert "read" in {event.by_rule for event in ice.heard.of(Degraded)}


async def test_max_searches_is_kept_and_named():
    ice = world(arguments={"max_searches": 2})

    await ice.run()

    assert len(ice.engines[0].texts) == 2
    assert ice.findings.ceiling == "max_searches"
    assert ice.findings.draft.sections


async def test_a_collection_does_not_use_up_the_searches_of_the_web():
    shelf, web = (FakeEngine(finds(*pages()), name=name) for name in ("local", "web"))
    ice = world(arguments={"max_searches": 4}, engines=[shelf, web])

    await ice.run()

    assert (len(shelf.texts), len(web.texts)) == (2, 2)
    assert ice.findings.ceiling == "max_searches"


async def test_pages_whose_own_date_lies_outside_the_limits_are_in_no_report():
    def dated(document: Document, day: date) -> Document:
        return document.model_copy(update={"published": day})

    old, new, undated, *_ = pages()
    shelf = [dated(old, date(2019, 5, 1)), dated(new, date(2021, 5, 1)), undated]
    ice = world(arguments={"published_after": "2020-01-01"}, documents=shelf)

    await ice.run()

    assert set(ice.findings.documents) == {new.source_id, undated.source_id}
    [refused] = ice.findings.unread
    assert (refused.url, refused.reason) == (old.url, "off_limits")


async def test_no_search_at_all_asks_no_engine_and_ends_truthfully():
    ice = world(arguments={"max_searches": 0})

    await ice.run()

    assert ice.engines[0].texts == []
    assert ice.findings.ceiling == "max_searches"
    assert ice.thinker.called("plan") == []


async def test_max_pages_is_kept_and_named():
    ice = world(arguments={"max_pages": 2})

    await ice.run()

    assert len(ice.web.fetched) == 2
    assert ice.findings.ceiling == "max_pages"
    assert list(ice.findings.unread) == []
    assert ice.findings.draft.sections


async def test_max_minutes_cuts_research_short_and_leaves_time_to_write():
    documents = pages()
    ice = world(
        documents=documents,
        delays={documents[2].url: 500.0, documents[3].url: 500.0},
        settings={"patience": 900.0},
        arguments={"max_minutes": 1},
    )

    await ice.run()

    assert ice.findings.ceiling == "max_minutes"
    assert ice.ledger.seconds == pytest.approx(45, abs=1)
    assert ice.findings.draft.sections
    assert "slow" in {one.reason for one in ice.findings.unread}


async def test_at_the_end_of_time_a_writer_in_flight_is_cut_and_the_rest_written_at_once():
    ice = world(thinker=ScriptedThinker(plan=PLAN, seconds={"write": 900.0}), arguments={"max_minutes": 1})

    await ice.run()

    assert ice.findings.ceiling == "max_minutes"
    assert ice.ledger.seconds == pytest.approx(60, abs=1)
    assert ice.findings.draft.in_short


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


async def test_a_ceiling_met_while_writing_ends_with_what_costs_nothing():
    ice = world(thinker=ScriptedThinker(plan=PLAN, write=BudgetExceeded("max_tokens", 1, 1)))

    await ice.run()

    assert ice.findings.ceiling == "max_tokens"
    assert ice.findings.draft.in_short


async def test_a_writer_that_fails_leaves_the_report_to_the_last_resort_once_the_research_is_over():
    ice = world(depth=2, thinker=ScriptedThinker(plan=PLAN, outline=ProviderError("model", "HTTP 500")))

    await ice.run()

    assert ice.findings.ceiling == ""
    written = {claim for s in ice.findings.draft.sections for p in s.paragraphs for one in p for claim in one.claim_ids}
    assert written <= {claim.claim_id for claim in ice.findings.claims}
    assert len(written) > 2
    [told] = ice.heard.of(Degraded)
    assert told.what == "scripted could not write the report: HTTP 500; the extractive engine did it instead."


async def test_where_nobody_can_write_the_verified_claims_are_listed_as_they_stand():
    ice = world(thinker=ScriptedThinker(plan=PLAN, write=ProviderError("model", "HTTP 500")))
    ice.research._parts = replace(ice.research._parts, last_resort=ScriptedThinker(outline=ZeroDivisionError("ours")))

    await ice.run()

    told = [event.what for event in ice.heard.of(Degraded)]
    assert told[-1].endswith(
        "could not write the report: ZeroDivisionError; the verified claims are listed as they stand."
    )
    said = {one.text for s in ice.findings.draft.sections for p in s.paragraphs for one in p}
    assert said == {claim.text for claim in ice.findings.settled().values()}
    assert ice.findings.draft.in_short


async def test_a_call_that_was_given_up_for_a_ceiling_makes_the_report_partial():
    ice = world()

    def write(brief, section, claims, at):
        ice.ledger.refused = "max_usd"  # the meter's word: a fallback wrote instead
        return ice.thinker._defaults.write(brief, section, claims, at)

    ice.thinker.script["write"] = write
    await ice.run()

    assert ice.findings.ceiling == "max_usd"


@pytest.mark.parametrize(("share", "rounds", "ceiling"), [(0.76, 1, "max_tokens"), (0.60, 2, "")])
async def test_a_spent_budget_stops_the_rounds_and_a_nearly_spent_one_narrows_them(
    share: float, rounds: int, ceiling: str
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

    assert (ice.findings.rounds, ice.findings.ceiling) == (rounds, ceiling)
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


async def test_without_research_the_answer_comes_from_the_thinker_alone():
    ice = world(depth=0, thinker=ScriptedThinker(direct=" Because it is lighter. "))

    await ice.run()

    assert ice.findings.direct == "Because it is lighter."
    assert [call.method for call in ice.thinker.calls] == ["direct"]
    assert (ice.engines[0].texts, ice.web.fetched) == ([], [])


async def test_without_research_and_without_knowledge_there_is_nothing_to_say():
    with pytest.raises(InvalidRequest, match="depth=0"):
        await world(depth=0).run()


async def test_a_direct_answer_keeps_the_ceilings_too():
    late = world(depth=0, thinker=ScriptedThinker(direct="x", seconds={"direct": 900.0}), arguments={"max_minutes": 1})
    dear = world(depth=0, thinker=ScriptedThinker(direct=BudgetExceeded("max_usd", 1, 1)))

    await late.run()
    await dear.run()

    assert (late.findings.ceiling, late.findings.direct) == ("max_minutes", "")
    assert late.ledger.seconds <= 61
    assert (dear.findings.ceiling, dear.findings.direct) == ("max_usd", "")


@asynccontextmanager
async def cancelled_after(ice: World, seconds: float) -> AsyncGenerator[None]:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ice.research.run)
        for _ in range(int(seconds * 20)):
            await idle()
            ice.clock.advance(0.05)
        tasks.cancel_scope.cancel()
    yield


async def test_a_cancelled_research_is_written_up_from_what_is_verified_without_paying():
    ice = world(thinker=ScriptedThinker(plan=PLAN, seconds={"write": 900.0}))

    async with cancelled_after(ice, 10):
        called = len(ice.thinker.calls)
        await ice.research.write_up()

    assert len(ice.thinker.calls) == called
    assert ice.findings.claims
    assert ice.findings.draft.in_short
    assert ice.findings.documents


async def test_a_research_cancelled_at_once_is_written_up_all_the_same():
    ice = world()

    async with cancelled_after(ice, 0):
        await ice.research.write_up()

    assert ice.findings.draft.sections == ()


async def test_what_was_composed_already_is_not_written_again():
    ice = world()
    await ice.run()
    draft = ice.findings.draft

    await ice.research.write_up()

    assert ice.findings.draft is draft


async def test_few_searches_are_spent_on_one_engine():
    documents = pages()
    second = FakeEngine(finds(*documents), name="two")
    ice = world(engines=[FakeEngine(finds(*documents)), second], documents=documents, arguments={"max_searches": 6})

    await ice.run()

    assert second.texts == []
    assert ice.findings.ceiling == ""


async def test_an_error_that_nobody_expected_leaves_the_run():
    def read(brief, sub_question, passages, limit, at):
        raise ZeroDivisionError("a fault of ours")

    with pytest.raises(ZeroDivisionError):
        await world(thinker=ScriptedThinker(plan=PLAN, read=read)).run()


async def test_where_better_sources_are_asked_for_the_others_are_told_as_unread_and_give_no_claim():
    papers = [page(f"https://www.thelancet.com/{at}", FACTS[at], title=f"Paper {at}") for at in range(4)]
    others = [page(f"https://x{at}.blogspot.com/ice", FACTS[at], title=f"Blog {at}") for at in range(4, 8)]
    documents = [one for pair in zip(papers, others, strict=True) for one in pair]
    ice = world(documents=documents, settings={"require_peer_review": True})

    await ice.run()

    findings = ice.findings
    refused = [one.url for one in findings.unread if one.reason == "not_peer_reviewed"]
    assert set(findings.documents) <= {one.source_id for one in papers}
    assert refused
    assert {claim.standing for claim in findings.claims} == {"good"}
    assert all(findings.returned[one.url] == {"one"} for one in findings.documents.values())


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
