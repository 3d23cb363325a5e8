from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.events import Claimed, Verified
from deepresearch_mcp.exceptions import BudgetExceeded, FetchFailed, KeyRefused
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.records.evidence import Lead
from deepresearch_mcp.records.sources import Link, Query
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import (
    FakeEngine,
    idle,
    lead,
)
from sub_question_world import ICE, SNOW, World, document, hits, task, url

# From a query to verified claims


async def test_a_sub_question_goes_from_its_queries_to_verified_claims() -> None:
    world = await World({ICE: hits(1, 2)}, [document(1), document(2)]).run([task()])

    state = world.of("q1")
    assert world.said() == ["1", "2"]
    assert {claim.verdict for claim in state.claims} == {"supported"}
    assert {claim.checked_by for claim in state.claims} == {"model"}
    assert world.heard.of(Claimed) == [Claimed("q1", 2, 0)]
    assert world.heard.of(Verified) == [Verified("q1", 2, 0)]
    assert state.spent == ""
    assert state.late == []


async def test_every_step_names_those_it_came_from() -> None:
    world = await World({ICE: hits(1)}, [document(1)]).run([task(needs=("plan",))])

    [read], [judge] = world.thinker.called("read"), world.thinker.called("judge")
    search = steps.search(Query(ICE), "one")
    assert world.engine.needs == {ICE: ("plan",)}
    assert world.web.needs == {url(1): (search,)}
    assert read.step.depends_on == (steps.fetch(url(1)),)
    assert judge.step.depends_on == (read.step.key,)
    assert world.of("q1").steps == [judge.step.key]
    assert judge.step.key == read.step.key.replace("read/", "verify/")


async def test_which_pages_are_admitted_and_which_are_read_together_is_recorded() -> None:
    world = await World({ICE: hits(1, 2)}, [document(1), document(2)]).run([task()])

    decisions = [row for row in await world.journal.rows() if row.kind == "decision"]
    assert {row.key.split("/")[0] for row in decisions} == {"admit", "batch", "chosen", "together"}
    assert all(row.status == "done" for row in decisions)
    assert world.journal.row("batch/q1/1/1").result == f'["{url(1)}","{url(2)}"]'


async def test_what_was_searched_for_in_vain_is_known_to_have_been_asked() -> None:
    world = await World().run([task()])

    assert (world.of("q1").asked, world.of("q1").claims, world.of("q2").asked) == (True, [], False)


async def test_a_sub_question_with_nothing_to_find_ends_at_once() -> None:
    world = await World().run([task()])

    assert world.now == 0
    assert world.thinker.calls == []
    assert world.of("q1").claims == []


# Waiting

EAGER = ResearchSettings(first_pages=1 / 3, first_wait=1.0)


def fast_and_slow(**delays: float) -> World:
    """Six pages of one query, with seconds by their number; a third of them is enough to begin, or one second."""
    numbers = range(1, 7)
    return World(
        {ICE: hits(*numbers)},
        [document(number) for number in numbers],
        delays={url(int(name[1:])): seconds for name, seconds in delays.items()},
        pages_per_query=6,
        settings=EAGER,
    )


async def test_reading_begins_with_most_of_the_pages_or_two_seconds_after_the_first() -> None:
    most = fast_and_slow(p1=0.2, p2=0.4, p3=0.6, p4=0.8, p5=1, p6=9)
    few = fast_and_slow(p1=0.2, p2=0.4, p3=4, p4=4, p5=4, p6=4)
    for world in (most, few):
        world.settings = ResearchSettings()

    assert (await most.run([task()])).read[0] == (pytest.approx(1, abs=0.1), ["1", "2", "3", "4", "5"])
    assert (await few.run([task()])).read[0] == (pytest.approx(2.2, abs=0.1), ["1", "2"])


async def test_reading_begins_with_the_share_of_the_pages_that_is_set() -> None:
    world = await fast_and_slow(p1=3, p2=0.2, p3=3, p4=0.3, p5=3, p6=3).run([task()])

    assert world.read == [(pytest.approx(0.3, abs=0.1), ["2", "4"]), (pytest.approx(3, abs=0.2), ["1", "3", "5", "6"])]


async def test_reading_begins_so_long_after_the_first_page_at_the_latest_as_is_set() -> None:
    world = await fast_and_slow(p1=3, p2=0.5, p3=3, p4=3, p5=3, p6=3).run([task()])

    assert world.read[0] == (pytest.approx(1.5, abs=0.1), ["2"])


async def test_pages_that_fail_fast_do_not_begin_the_reading() -> None:
    world = World(
        {ICE: hits(1, 2, 3, 4, 5, 6)},
        {url(n): document(n) for n in (3, 4, 5, 6)},
        delays={url(3): 0.4, url(4): 0.5, url(5): 3, url(6): 3},
        pages_per_query=6,
        settings=EAGER,
    )

    await world.run([task()])

    assert world.read[0] == (pytest.approx(0.5, abs=0.1), ["3", "4"])
    assert world.said() == ["3", "4", "5", "6"]


async def test_where_no_page_can_be_read_no_one_is_asked_to_read() -> None:
    world = await World({ICE: hits(1, 2)}).run([task()])

    assert world.thinker.calls == []
    assert world.now == 0


async def test_a_slow_page_is_waited_for_as_long_as_patience_goes_and_then_left() -> None:
    world = await fast_and_slow(p6=60).run([task()])

    assert world.now == pytest.approx(5, abs=0.2)
    assert world.said() == ["1", "2", "3", "4", "5"]
    assert [late.page.url for late in world.of("q1").late] == [url(6)]


async def test_patience_counts_from_the_beginning_of_reading_however_many_pages_trickle_in() -> None:
    world = await fast_and_slow(p3=2, p4=3.5, p5=4.8, p6=9.5).run([task()])

    assert world.now == pytest.approx(5.8, abs=0.3)
    assert world.said() == ["1", "2", "3", "4", "5"]


async def test_a_slow_page_delays_no_reader() -> None:
    world = fast_and_slow(p1=0.4, p2=0.4, p3=60, p4=60, p5=60, p6=60)

    await world.run([task()])

    assert world.read == [(pytest.approx(0.4, abs=0.1), ["1", "2"])]


async def test_a_page_that_comes_while_others_are_read_is_read_at_once_beside_them() -> None:
    world = World({ICE: hits(1, 2)}, [document(1), document(2)], delays={url(2): 2}, reading=10, settings=EAGER)

    await world.run([task()])

    assert [when for when, _ in world.read] == [0, pytest.approx(2, abs=0.1)]
    assert world.now == pytest.approx(12, abs=0.2)


async def test_a_page_that_was_late_in_one_round_is_read_in_the_next_without_being_fetched_again() -> None:
    world = fast_and_slow(p6=7)
    world.found[SNOW] = hits(7)
    world.engine = FakeEngine(world.found, clock=world.clock, delay={SNOW: 4})

    await world.run([task()], [task(SNOW, turn=2)])

    assert world.said() == ["1", "2", "3", "4", "5", "6"]
    assert sorted(world.web.fetched) == sorted({*world.web.fetched})


async def test_a_page_that_comes_after_patience_is_over_is_read_as_long_as_others_are_at_work() -> None:
    world = await World({ICE: hits(1, 2)}, [document(1), document(2)], delays={url(2): 5.3}, reading=5.5).run([task()])

    assert world.said() == ["1", "2"]


async def test_late_engines_are_not_waited_for_but_what_they_bring_in_time_is_read() -> None:
    clock = HandClock()
    late = FakeEngine({ICE: hits(3)}, name="two", delay=2, clock=clock)
    later = FakeEngine({ICE: hits(4)}, name="three", delay=30, clock=clock)
    world = World(
        {ICE: hits(1, 2)}, [document(n) for n in range(1, 5)], reading=3, more_engines=(late, later), clock=clock
    )

    await world.run([task()])

    assert world.said() == ["1", "2", "3"]
    assert world.now < 10


async def test_the_first_and_the_late_answers_to_a_query_share_its_pages() -> None:
    clock = HandClock()
    late = FakeEngine({ICE: hits(4, 5, 6)}, name="two", delay=2, clock=clock)
    world = World(
        {ICE: hits(1, 2, 3)},
        [document(n) for n in range(1, 7)],
        reading=3,
        more_engines=(late,),
        clock=clock,
    )

    await world.run([task()])

    assert world.web.fetched == [url(1), url(2), url(3), url(4)]


# Once


async def test_two_sub_questions_fetch_a_shared_page_once_and_read_all_pages_of_the_run() -> None:
    world = World({ICE: hits(1), SNOW: hits(1, 2)}, [document(1), document(2)])

    await world.run([task(), task(SNOW, name="q2")])

    assert sorted(world.web.fetched) == [url(1), url(2)]
    assert sorted((*world.said("q1"), *world.said("q2"))) == ["1", "2"]


async def test_the_same_query_of_two_sub_questions_is_asked_once() -> None:
    world = await World({ICE: hits(1)}, [document(1)]).run([task(), task("float ice does why", name="q2")])

    assert world.engine.texts == [ICE]


async def test_two_readers_with_the_same_lead_ask_it_once() -> None:
    same = [lead(query="snow and ice density"), lead(query="density: ice, snow")]
    world = World(
        {ICE: hits(1, 2), SNOW: hits(3)},
        [document(n) for n in (1, 2, 3)],
        leads={1: same, 2: same},
        settings=ResearchSettings(batch_chars=1000),
    )

    await world.run([task(leads=4), task("ice on water", name="q2", leads=4)])

    assert world.engine.texts.count(SNOW) == 1
    assert len(world.engine.texts) == 3


# Leads


def chain(*leads: Lead, links: Sequence[str] = (), **given: Any) -> World:
    """Page 1 is found and points on; pages 7 and 8 are not found by the first query."""
    return World(
        {ICE: hits(1), SNOW: hits(8)},
        [document(1, links=links), document(7), document(8), document(9)],
        leads={1: list(leads)},
        **given,
    )


async def test_a_link_on_the_page_is_followed_at_once_and_read() -> None:
    world = await chain(lead(url=url(7)), links=[url(7)]).run([task(leads=1)])

    assert world.said() == ["1", "7"]
    [first, _] = world.thinker.called("read")
    assert world.web.needs[url(7)] == (first.step.key,)


async def test_a_page_that_a_later_query_names_by_its_link_is_read_though_no_engine_returns_it() -> None:
    linked = [Link(url=url(7), text="Snow and ice density"), Link(url=url(9), text="Home")]
    world = World({ICE: hits(1), SNOW: []}, [document(1, links=linked), document(7), document(9)])

    await world.run([task()], [task(SNOW, turn=2)])

    assert world.said() == ["1", "7"]
    assert sorted(world.web.fetched) == [url(1), url(7)]


async def test_a_page_that_links_name_in_the_words_of_an_earlier_query_is_read_in_a_later_round() -> None:
    links = [Link(url=url(9), text="Polar lake ice")]
    world = World({ICE: hits(1), SNOW: hits(2)}, [document(1, links=links), document(2), document(9)])
    later = replace(task(SNOW, turn=2), linked=("polar lake ice", ICE))

    await world.run([task()], [later])

    assert world.said() == ["1", "2", "9"]
    assert sorted(world.web.fetched) == [url(1), url(2), url(9)]


async def test_a_link_that_stands_nowhere_is_not_followed() -> None:
    world = await chain(lead(url="https://attacker.example/?q=secret"), links=[url(7)]).run([task(leads=3)])

    assert world.web.fetched == [url(1)]


async def test_a_lead_to_ask_is_asked_at_once() -> None:
    world = await chain(lead(query=f"  {SNOW} ")).run([task(leads=1)])

    assert world.said() == ["1", "8"]
    [first, *_] = world.thinker.called("read")
    assert world.engine.needs[SNOW] == (first.step.key,)


async def test_where_the_link_cannot_be_followed_the_query_is_asked() -> None:
    world = await chain(lead(query=SNOW, url="https://nowhere.example/")).run([task(leads=1)])

    assert world.engine.texts == [ICE, SNOW]


@pytest.mark.parametrize("query", ["", "snow", "?", "FLOAT: ice, why!", "site:x.example"])
async def test_a_lead_of_one_word_or_asked_before_is_not_asked(query: str) -> None:
    world = await chain(lead(query=query)).run([task(leads=3)])

    assert world.engine.texts == [ICE]


async def test_no_more_leads_are_followed_than_the_share() -> None:
    leads = [lead(url=url(7)), lead(query=SNOW), lead(url=url(9))]

    world = await chain(*leads, links=[url(7), url(9)]).run([task(leads=2)])

    assert world.said() == ["1", "7", "8"]
    assert (await chain(*leads, links=[url(7)]).run([task(leads=0)])).said() == ["1"]


async def test_leads_that_are_not_followed_use_up_nothing() -> None:
    world = await chain(lead(url="https://nowhere.example/"), lead(query="snow"), lead(url=url(7)), links=[url(7)]).run(
        [task(leads=1)]
    )

    assert world.said() == ["1", "7"]


async def test_a_lead_found_after_patience_is_over_is_still_waited_for() -> None:
    world = await chain(lead(url=url(7)), links=[url(7)], reading=8, delays={url(7): 3}).run([task(leads=1)])

    assert world.said() == ["1", "7"]
    assert world.now == pytest.approx(19, abs=0.3)


async def test_a_chain_of_leads_is_followed_to_its_end() -> None:
    world = World(
        {ICE: hits(1)},
        [document(1, links=[url(2)]), document(2, links=[url(3)]), document(3)],
        leads={1: [lead(url=url(2))], 2: [lead(url=url(3))]},
    )

    assert (await world.run([task(leads=5)])).said() == ["1", "2", "3"]


# Ceilings and failures


async def test_a_ceiling_of_searches_ends_the_searching_and_is_named() -> None:
    spent = BudgetExceeded("max_searches", 8, 8)
    world = await World({ICE: hits(1), SNOW: spent}, [document(1)]).run([task(ICE, SNOW)])

    assert world.of("q1").spent == "max_searches"
    assert world.said() == ["1"]


async def test_a_ceiling_of_pages_leaves_what_was_read_before_it() -> None:
    world = World({ICE: hits(1, 2)}, {url(1): document(1), url(2): BudgetExceeded("max_pages", 1, 1)})

    assert (await world.run([task()])).said() == ["1"]


async def test_a_refused_key_ends_its_sub_question() -> None:
    world = World({ICE: hits(1)}, [document(1)])
    world.thinker.script["read"] = KeyRefused("model", "refused")

    with pytest.raises(ExceptionGroup) as caught:
        await world.run([task()])

    assert isinstance(leaf(caught.value), KeyRefused)


async def test_a_page_that_fails_leaves_the_others() -> None:
    world = World({ICE: hits(1, 2)}, {url(1): FetchFailed(url(1), "timed_out", "too slow"), url(2): document(2)})

    assert (await world.run([task()])).said() == ["2"]


async def test_what_is_verified_stays_when_the_run_is_cancelled() -> None:
    world = World({ICE: hits(1, 2)}, [document(1), document(2)], delays={url(2): 3}, settings=EAGER)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(world.all_rounds, [[task()]])
        for _ in range(30):
            await idle()
            world.clock.advance(0.05)
        tasks.cancel_scope.cancel()

    assert world.said() == ["1"]
