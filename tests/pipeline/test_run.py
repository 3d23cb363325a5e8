"""Whole researches over fakes: order, rounds, ceilings, ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date

import anyio
import pytest

from deepresearch_mcp.budget import SET_ASIDE
from deepresearch_mcp.events import Degraded, Planned
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    InvalidRequest,
    KeyRefused,
    ProviderError,
)
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import (
    FakeEngine,
    ScriptedThinker,
    idle,
    page,
)
from research_world import FACTS, PLAN, World, finds, pages, world


async def test_one_round_goes_from_the_question_to_an_audited_draft():
    ice = world()

    await ice.run()

    assert ice.stages == ["planning", "researching", "synthesizing"]
    assert ice.findings.rounds == 1
    assert ice.findings.ceiling == ""
    assert ice.findings.draft.in_short
    assert [one.heading for one in ice.findings.draft.sections][:2] == [f"On {one.id}" for one in PLAN.sub_questions]
    assert ice.findings.engines == {"one": {"asked": 5, "answered": 5}}
    assert ice.findings.brief.today == ice.clock.today()
    assert ice.heard.of(Planned)[0].sub_questions == tuple(one.text for one in PLAN.sub_questions)


async def test_a_refused_key_stops_the_run_at_once():
    thinker = ScriptedThinker(plan=PLAN, read=KeyRefused("openai:a", "the key is not accepted"))
    ice = world(thinker=thinker)

    with pytest.raises(KeyRefused, match="openai:a"):
        await ice.run()

    assert thinker.called("section") == []


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
    assert ice.ledger.seconds == pytest.approx(60 * (1 - SET_ASIDE), abs=1)
    assert ice.findings.draft.sections
    assert "slow" in {one.reason for one in ice.findings.unread}


async def test_at_the_end_of_time_a_writer_in_flight_is_cut_and_the_rest_written_at_once():
    ice = world(thinker=ScriptedThinker(plan=PLAN, seconds={"section": 900.0}), arguments={"max_minutes": 1})

    await ice.run()

    assert ice.findings.ceiling == "max_minutes"
    assert ice.ledger.seconds == pytest.approx(60, abs=1)
    assert ice.findings.draft.sections


async def test_a_ceiling_met_while_writing_ends_with_what_costs_nothing():
    ice = world(thinker=ScriptedThinker(plan=PLAN, section=BudgetExceeded("max_tokens", 1, 1)))

    await ice.run()

    assert ice.findings.ceiling == "max_tokens"
    assert ice.findings.draft.sections


async def test_a_writer_that_fails_leaves_the_report_to_the_last_resort_once_the_research_is_over():
    ice = world(depth=2, thinker=ScriptedThinker(plan=PLAN, section=ProviderError("model", "HTTP 500")))

    await ice.run()

    assert ice.findings.ceiling == ""
    shown = [one for s in ice.findings.draft.sections for block in s.blocks for one in block.sentences]
    assert {name for one in shown for name in one.claim_ids} <= set(ice.findings.passages)
    assert shown
    *sections, told = [event.what for event in ice.heard.of(Degraded)]
    assert told == "scripted could not write the report: HTTP 500; the extractive engine did it instead."
    assert all(one.startswith("Could not write a section") for one in sections)


async def test_where_no_one_can_write_the_verified_claims_are_listed_as_they_stand():
    ice = world(thinker=ScriptedThinker(plan=PLAN, section=ProviderError("model", "HTTP 500")))
    ice.research._parts = replace(
        ice.research._parts, last_resort=ScriptedThinker("spare", sketch=ZeroDivisionError("ours"))
    )

    await ice.run()

    told = [event.what for event in ice.heard.of(Degraded)]
    assert told[-1].endswith(
        "could not write the report: ZeroDivisionError; the verified claims are listed as they stand."
    )
    said = {one.text for s in ice.findings.draft.sections for one in s.sentences}
    assert said == {claim.text for claim in ice.findings.settled().values()}
    assert ice.findings.draft.in_short


async def test_a_call_that_was_given_up_for_a_ceiling_makes_the_report_partial():
    ice = world()

    def section(*given):
        ice.ledger.refused = "max_usd"  # the meter's word: a fallback wrote instead
        return ice.thinker._defaults.section(*given)

    ice.thinker.script["section"] = section
    await ice.run()

    assert ice.findings.ceiling == "max_usd"


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
    ice = world(thinker=ScriptedThinker(plan=PLAN, seconds={"section": 900.0}))

    async with cancelled_after(ice, 10):
        called = len(ice.thinker.calls)
        await ice.research.write_up()

    assert len(ice.thinker.calls) == called
    assert ice.findings.claims
    assert ice.findings.draft.sections
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


async def test_an_error_that_no_one_expected_leaves_the_run():
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
