from collections.abc import Mapping, Sequence
from typing import cast

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.events import Answered, Degraded, EngineFailed
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.research.preference import Preference
from deepresearch_mcp.pipeline.research.searcher import Batch, Engines
from deepresearch_mcp.ports.answers import EngineAnswers, KeptAnswer
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.answer_cache import AnswerCache
from deepresearch_mcp.search.wrappers import RecordedEngine
from pipeline_fakes import FakeEngine, Heard, MemoryJournal, drive, hit, idle

QUERY = Query("ice float water")
A, B, C = (f"https://{name}.example/1" for name in "abc")
DOWN = ProviderError("two", "HTTP 500")
MET = BudgetExceeded("max_searches", 8, 8)


def found(url: str, engine: str, delay: float = 0, clock: HandClock | None = None) -> FakeEngine:
    return FakeEngine({QUERY.text: [hit(url, engine)]}, name=engine, delay=delay, clock=clock)


def failing(error: Exception, engine: str, delay: float = 0, clock: HandClock | None = None) -> FakeEngine:
    return FakeEngine({QUERY.text: error}, name=engine, delay=delay, clock=clock)


def together(
    engines: Sequence[SearchEngine], clock: HandClock | None = None, journal: MemoryJournal | None = None
) -> Engines:
    return Engines(engines, clock or HandClock(), journal or MemoryJournal(), Heard().append, window=0.3)


async def asked(engines: Engines, clock: HandClock | None = None) -> list[tuple[float, Batch]]:
    """Every batch of one query, with the second in which it came."""
    clock = clock or HandClock()
    batches: list[tuple[float, Batch]] = []
    send, receive = anyio.create_memory_object_stream[Batch](10)

    async def work() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen)
            async with send:
                await engines.ask(QUERY, "q1", ("plan",), send)

    async def listen() -> None:
        async with receive:
            batches.extend([(round(clock.monotonic() - 1000, 2), batch) async for batch in receive])

    await drive(clock, work)
    return batches


def urls(batch: Batch) -> list[str]:
    return [one.url for one in batch.hits]


# The window


async def test_engines_that_answer_within_the_window_are_fused_into_one_batch() -> None:
    clock = HandClock()
    engines = together([found(A, "one", 0.5, clock), found(A, "two", 0.7, clock), found(B, "three", 0.6, clock)], clock)

    [(when, batch)] = await asked(engines, clock)

    assert when == pytest.approx(0.7, abs=0.06)
    assert urls(batch) == [A, B]
    assert batch.hits[0].engines == ("one", "two")


async def test_after_the_window_no_one_is_waited_for_and_a_late_answer_comes_in_its_own_batch() -> None:
    clock = HandClock()
    engines = together([found(A, "one", 0.5, clock), found(B, "two", 2, clock)], clock)

    (first, fast), (second, slow) = await asked(engines, clock)

    assert (first, second) == (pytest.approx(0.8, abs=0.06), pytest.approx(2, abs=0.06))
    assert (urls(fast), urls(slow)) == ([A], [B])
    assert fast.needs == (steps.search(QUERY, "one"),)
    assert slow.needs == (steps.search(QUERY, "two"),)
    assert fast.key != slow.key


async def test_one_late_engine_does_not_wait_for_a_later_one() -> None:
    clock = HandClock()
    slow = [found(A, "one", 0.1, clock), found(B, "two", 1, clock), found(C, "three", 9, clock)]

    batches = await asked(together(slow, clock), clock)

    assert [(round(when), urls(batch)) for when, batch in batches] == [(0, [A]), (1, [B]), (9, [C])]


async def test_the_window_begins_with_an_answer_not_with_a_failure() -> None:
    clock = HandClock()
    engines = together(
        [failing(DOWN, "one", 0.1, clock), found(A, "two", 1, clock), found(B, "three", 1.2, clock)], clock
    )

    [(when, batch)] = await asked(engines, clock)

    assert (when, urls(batch)) == (pytest.approx(1.2, abs=0.06), [A, B])


async def test_one_engine_alone_is_not_waited_after() -> None:
    clock, journal = HandClock(), MemoryJournal()

    [(when, batch)] = await asked(together([found(A, "one", 0.5, clock)], clock, journal), clock)

    assert when == pytest.approx(0.5, abs=0.06)
    assert urls(batch) == [A]
    assert journal.keys == []


async def test_of_equally_good_hits_the_earlier_engine_of_the_settings_wins_also_when_it_answered_later() -> None:
    clock = HandClock()
    engines = together([found(A, "one", 0.2, clock), found(B, "two", 0.1, clock)], clock)

    [(_, batch)] = await asked(engines, clock)

    assert urls(batch) == [A, B]


async def test_pages_that_a_request_prefers_come_before_those_that_several_engines_returned() -> None:
    engines = together([found(A, "one"), found(A, "two"), found(B, "three")])
    engines.preference = Preference(own_scale(), domains=("b.example",))

    [(_, batch)] = await asked(engines)

    assert urls(batch) == [B, A]


async def test_engines_that_find_nothing_send_nothing_and_are_no_failure() -> None:
    engines = together([FakeEngine(name="one"), FakeEngine(name="two")])

    assert await asked(engines) == []
    assert engines.failures == []
    assert engines.alive
    assert not engines.dead


# Failures


async def test_failures_are_kept_with_their_reason_and_the_others_are_heard() -> None:
    heard = Heard()
    engines = Engines([found(A, "one"), failing(DOWN, "two")], HandClock(), MemoryJournal(), heard.append, 0.3)

    [(_, batch)] = await asked(engines)

    assert urls(batch) == [A]
    assert [(one.engine, one.query, one.reason) for one in engines.failures] == [("two", QUERY.text, "HTTP 500")]
    assert (engines.asked, engines.answered) == ({"one": 1, "two": 1}, {"one": 1})
    assert heard.of(Answered) == [Answered("one", QUERY.text, 1, "q1")]
    assert heard.of(EngineFailed) == [EngineFailed("two", QUERY.text, "HTTP 500", "q1")]
    assert engines.answered_keys == [steps.search(QUERY, "one")]


async def test_when_all_have_failed_and_no_one_ever_answered_they_are_dead() -> None:
    engines = together([failing(DOWN, "one"), failing(DOWN, "two")])
    assert not engines.dead

    assert await asked(engines) == []
    assert engines.dead


async def test_as_long_as_one_may_still_answer_no_one_is_dead() -> None:
    clock = HandClock()
    engines = together([failing(DOWN, "one"), found(A, "two", 5, clock)], clock)
    dead: list[bool] = []

    async with anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[Batch](10)
        tasks.start_soon(engines.ask, QUERY, "q1", (), send)
        await idle()
        dead.append(engines.dead)
        clock.advance(5)
        await idle()
        send.close()
        receive.close()

    assert dead == [False]
    assert engines.alive


async def test_an_engine_that_is_cut_off_is_no_silence_but_a_failure() -> None:
    clock = HandClock()
    engines = together([found(A, "one"), found(B, "two", 60, clock)], clock)

    send, receive = anyio.create_memory_object_stream[Batch](10)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(engines.ask, QUERY, "q1", (), send)
        await idle()
        tasks.cancel_scope.cancel()
    send.close()
    receive.close()

    [failure] = engines.failures
    assert (failure.engine, engines.asked["two"]) == ("two", 1)
    assert "no answer" in failure.reason


# Earlier answers


class Earlier:
    """Implements `EarlierAnswers`: of every engine in `hits` the answer to anything, given three hours ago."""

    def __init__(self, clock: HandClock, hits: dict[str, list[Hit]]) -> None:
        self.clock = clock
        self.hits = hits
        self.looked = 0

    async def find(self, subjects: Mapping[str, str]) -> dict[str, KeptAnswer]:
        self.looked += 1
        then = self.clock.now().timestamp() - 3 * 3600
        return {one: KeptAnswer(tuple(self.hits[name]), then) for one, name in subjects.items() if name in self.hits}

    async def keep(self, subject: str, hits: Sequence[Hit], until: float, *, limit: int = 0) -> None:
        raise AssertionError("the stage keeps nothing")


def remembering(
    engines: Sequence[SearchEngine], journal: MemoryJournal, **hits: list[Hit]
) -> tuple[Engines, Earlier, Heard]:
    clock, heard = HandClock(), Heard()
    earlier = Earlier(clock, hits)
    keeper = AnswerCache(cast("EngineAnswers", earlier), clock, 30)
    return Engines(engines, clock, journal, heard.append, 0.3, earlier_answers=keeper), earlier, heard


async def test_where_all_fail_what_they_answered_before_is_sent_and_told_with_its_age() -> None:
    journal = MemoryJournal()
    both = [failing(DOWN, "one"), failing(DOWN, "two")]
    engines, _, heard = remembering(both, journal, one=[hit(A, "one")], two=[hit(B, "two"), hit(A, "two")])

    [(_, batch)] = await asked(engines)

    assert urls(batch) == [A, B]
    assert batch.needs[0].startswith("earlier/")
    assert (engines.alive, engines.dead, len(engines.failures)) == (True, False, 2)
    assert [event.what for event in heard.of(Degraded)] == [
        f"{name} could not be asked: HTTP 500; what it answered 3 hours ago to the same query was used."
        for name in ("one", "two")
    ]


async def test_as_long_as_one_answers_no_one_looks_for_earlier_answers() -> None:
    engines, earlier, _ = remembering([found(A, "one"), failing(DOWN, "two")], MemoryJournal(), two=[hit(B, "two")])

    [(_, batch)] = await asked(engines)

    assert (urls(batch), earlier.looked) == ([A], 0)


async def test_without_an_earlier_answer_all_are_dead_and_nothing_is_recorded() -> None:
    journal = MemoryJournal()
    engines, _, _ = remembering([failing(DOWN, "one"), failing(DOWN, "two")], journal)

    assert await asked(engines) == []
    assert engines.dead
    assert not [key for key in journal.keys if key.startswith("earlier/")]


async def test_in_its_next_life_a_run_goes_on_with_the_same_earlier_answer_and_asks_no_one() -> None:
    journal = MemoryJournal()
    engines, _, _ = remembering([failing(DOWN, "one")], journal, one=[hit(A, "one")])
    before = await asked(engines)
    healthy = found(B, "one")
    engines, _, heard = remembering([healthy], journal.next_life(), one=[hit(C, "one")])

    again = await asked(engines)

    assert [batch for _, batch in again] == [batch for _, batch in before]
    assert healthy.texts == []
    assert engines.asked == {"one": 1}
    assert len(heard.of(Degraded)) == 1


async def test_whose_key_is_refused_is_told_with_what_to_do() -> None:
    refused = KeyRefused("brave", "HTTP 401: the key is missing or wrong.", action="Set BRAVE_API_KEY.")
    engines = together([failing(refused, "brave")])

    await asked(engines)

    assert engines.failures[0].reason == "HTTP 401: the key is missing or wrong. Set BRAVE_API_KEY."


# Ceilings


async def test_a_ceiling_met_by_one_engine_does_not_cost_the_answer_of_another_that_was_paid_for() -> None:
    clock = HandClock()
    engines = together([found(A, "one", 0.5, clock), failing(MET, "two")], clock)
    send, receive = anyio.create_memory_object_stream[Batch](10)

    async def ask() -> str:
        try:
            await engines.ask(QUERY, "q1", (), send)
        except BudgetExceeded as error:
            return error.kind
        return ""

    assert await drive(clock, ask) == "max_searches"
    assert urls(receive.receive_nowait()) == [A]
    assert engines.asked == {"one": 1, "two": 0}
    assert engines.failures == []
    send.close()
    receive.close()


async def test_whom_a_ceiling_kept_from_asking_has_not_failed() -> None:
    engines = together([failing(MET, "one")])
    send, receive = anyio.create_memory_object_stream[Batch](10)

    with pytest.raises(BudgetExceeded):
        await engines.ask(QUERY, "q1", (), send)

    assert not engines.dead
    assert not engines.alive
    send.close()
    receive.close()


# Once


async def test_who_claims_a_query_keeps_others_from_asking_it_before_it_is_asked() -> None:
    engines = together([])

    assert engines.new("ice float")
    assert engines.claim("ice float")
    assert not engines.claim("float ice")
    assert not engines.new("float ice")


async def test_what_is_asked_counts_as_asked() -> None:
    engines = together([found(A, "one")])

    await asked(engines)

    assert not engines.claim("water ice float")


# Replay


async def test_after_a_crash_the_same_engines_are_fused_however_fast_they_are_now() -> None:
    clock, journal = HandClock(), MemoryJournal()

    def recorded(journal: MemoryJournal, first: float, second: float) -> list[RecordedEngine]:
        return [
            RecordedEngine(found(A, "one", first, clock), journal, steps.search),
            RecordedEngine(found(B, "two", second, clock), journal, steps.search),
        ]

    before = await asked(together(recorded(journal, 0.5, 2), clock, journal), clock)
    after = journal.next_life()
    again = await asked(together(recorded(after, 9, 9), clock, after), clock)

    assert [batch for _, batch in again] == [batch for _, batch in before]
    assert after.ran == []


async def test_after_a_crash_a_fused_engine_that_was_not_recorded_is_waited_for() -> None:
    clock, journal = HandClock(), MemoryJournal()
    fuse = [found(A, "one", 0.1, clock), found(B, "two", 0.2, clock)]
    await asked(together(fuse, clock, journal), clock)

    slow = [found(A, "one", 0.1, clock), found(B, "two", 5, clock)]
    [(_, batch)] = await asked(together(slow, clock, journal.next_life()), clock)

    assert urls(batch) == [A, B]


def test_a_shelf_on_this_machine_is_asked_apart_from_the_web() -> None:
    shelf, one, two = found(A, "local"), found(B, "one"), found(C, "two")

    assert together([shelf, one, two]).groups() == [[shelf], [one, two]]
    assert together([one]).groups() == [[one]]
    assert together([shelf]).groups() == [[shelf]]


async def test_a_group_is_asked_without_the_others() -> None:
    clock = HandClock()
    engines = together([found(A, "local", 0.0, clock), found(B, "one", 2.0, clock)], clock)
    send, receive = anyio.create_memory_object_stream[Batch](10)

    async def work() -> None:
        async with send:
            for group in engines.groups():
                await engines.ask(QUERY, "q1", ("plan",), send, group)

    async with receive:
        await drive(clock, work)
        batches = [receive.receive_nowait(), receive.receive_nowait()]

    assert [urls(batch) for batch in batches] == [[A], [B]]
    assert len({batch.key for batch in batches}) == 2
    assert engines.asked == {"local": 1, "one": 1}


async def test_an_engine_that_the_money_does_not_pay_for_is_left_out_and_the_others_are_asked() -> None:
    heard = Heard()
    engines = Engines(
        [failing(BudgetExceeded("max_usd", 0, 0), "brave"), found(A, "wikipedia")],
        HandClock(), MemoryJournal(), heard.append, window=0.3,
    )  # fmt: skip

    [(_, batch)] = await asked(engines)

    assert urls(batch) == [A]
    assert engines.asked == {"brave": 0, "wikipedia": 1}
    assert [event.what for event in heard.of(Degraded)] == [
        "brave could not be asked: max_usd leaves no room for its price; the other engines were asked."
    ]


async def test_where_the_money_pays_for_no_engine_the_ceiling_is_met() -> None:
    engines = together([failing(BudgetExceeded("max_usd", 0, 0), name) for name in ("brave", "tavily")])

    send, receive = anyio.create_memory_object_stream[Batch](10)

    async with send, receive:
        with pytest.raises(BudgetExceeded, match="max_usd"):
            await engines.ask(QUERY, "q1", (), send)

    assert engines.asked == {"brave": 0, "tavily": 0}


# Engines that stand in for others


def one_at_a_time(engines: Sequence[SearchEngine], journal: MemoryJournal | None = None) -> Engines:
    found = together(engines, journal=journal)
    found.web_at_once = 1
    return found


async def test_where_searches_are_few_another_engine_is_asked_only_for_one_that_fails() -> None:
    first, second, third = failing(DOWN, "one"), found(A, "two"), found(B, "three")
    engines = one_at_a_time([first, second, third])

    [(_, batch)] = await asked(engines)

    assert urls(batch) == [A]
    assert (engines.asked, engines.answered) == ({"one": 1, "two": 1}, {"two": 1})
    assert third.texts == []


async def test_an_engine_that_failed_is_asked_last_until_it_answers() -> None:
    answers: list[Sequence[Hit] | Exception] = [DOWN, [hit(B, "one")]]
    first, second = FakeEngine(lambda query: answers.pop(0), name="one"), found(A, "two")
    engines = one_at_a_time([first, second])

    async def next_query() -> list[str]:
        engines.journal = MemoryJournal()
        [(_, batch)] = await asked(engines)
        return urls(batch)

    assert await next_query() == [A]
    assert await next_query() == [A]
    assert (len(first.texts), len(second.texts)) == (1, 2)
    second._answers = {QUERY.text: DOWN}
    assert await next_query() == [B]
    assert engines.failing == {"two"}


async def test_where_no_engine_can_be_paid_for_the_free_one_behind_it_is_asked() -> None:
    engines = one_at_a_time([failing(BudgetExceeded("max_usd", 1, 1), "one"), found(A, "two")])

    [(_, batch)] = await asked(engines)

    assert urls(batch) == [A]
    assert engines.asked == {"one": 0, "two": 1}


async def test_once_the_searches_are_used_up_no_other_engine_is_asked() -> None:
    free = found(A, "two")
    engines = one_at_a_time([failing(MET, "one"), free])

    with pytest.raises(BaseExceptionGroup) as caught:
        await asked(engines)

    assert caught.group_contains(BudgetExceeded)
    assert free.texts == []


async def test_all_engines_that_fail_one_after_the_other_are_dead_together() -> None:
    engines = one_at_a_time([failing(DOWN, "one"), failing(DOWN, "two")])

    assert await asked(engines) == []
    assert engines.dead
    assert [one.engine for one in engines.failures] == ["one", "two"]


async def test_a_resumed_run_asks_the_engine_that_stood_in_though_the_first_one_works_again() -> None:
    journal = MemoryJournal()
    stood_in = RecordedEngine(found(A, "two"), journal, steps.search)
    [(_, before)] = await asked(
        one_at_a_time([RecordedEngine(failing(DOWN, "one"), journal, steps.search), stood_in], journal)
    )

    later = journal.next_life()
    works, kept = found(B, "one"), found(C, "two")
    [(_, after)] = await asked(
        one_at_a_time([RecordedEngine(works, later, steps.search), RecordedEngine(kept, later, steps.search)], later)
    )

    assert after == before
    assert works.texts == kept.texts == []
