"""Claims of several readings are judged in one question, once no more are to come."""

from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import KeyRefused, UnreadableAnswer
from deepresearch_mcp.pipeline.research.judge_queue import Asking, Judged, JudgeQueue
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement
from pipeline_fakes import MemoryJournal, ScriptedThinker, brief, claim, page


def claims(reading: int, number: int) -> list[Claim]:
    text = " ".join(f"Hall {reading} of street {at} holds {at} people." for at in range(100, 100 + number))
    whole = page(f"https://a{reading}.example/hall", text)
    return [claim(whole, f"Hall {reading} of street {at} holds {at} people.") for at in range(100, 100 + number)]


def at(reading: int) -> Step:
    return Step(f"verify/q1/{reading}", (f"read/q1/{reading}",))


class Room:
    """A queue with what it takes to ask."""

    def __init__(self, journal: MemoryJournal | None = None, **answers: Any) -> None:
        self.thinker = ScriptedThinker(**answers)
        self.queue = JudgeQueue()
        self.clock = HandClock()
        self.asking = Asking(brief(), self.thinker, journal or MemoryJournal(), self.clock)
        self.judged: dict[int, Judged] = {}

    async def read(self, reading: int, found: Sequence[Claim], until: anyio.Event | None = None) -> None:
        with self.queue.expected() as expected:
            await (until.wait() if until else anyio.lowlevel.checkpoint())
            if found:
                self.judged[reading] = await self.queue.judge(found, self.asking, at(reading), expected)

    @property
    def asked(self) -> list[int]:
        return [len(call.args[1]) for call in self.thinker.called("judge")]


async def test_claims_of_readings_under_way_together_are_judged_in_one_question() -> None:
    room, own = Room(), {number: claims(number, 4) for number in (1, 2, 3)}

    async with anyio.create_task_group() as tasks:
        for number, found in own.items():
            tasks.start_soon(room.read, number, found)

    [call] = room.thinker.called("judge")
    assert len(call.args[1]) == 12
    assert call.step.depends_on == ("read/q1/1", "read/q1/2", "read/q1/3")
    for number, found in own.items():
        assert {one.claim_id for one in found} <= {one.claim_id for one in room.judged[number].judgements}
        assert room.judged[number].steps == (call.step.key,)


async def test_a_reading_without_company_keeps_its_own_key_and_waits_for_no_one() -> None:
    room = Room()

    await room.read(1, claims(1, 3))

    assert [call.step for call in room.thinker.called("judge")] == [at(1)]


async def test_enough_claims_do_not_wait_for_a_slow_reading_and_few_do() -> None:
    room, slow = Room(), anyio.Event()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(room.read, 9, claims(9, 2), slow)
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(room.read, 1, claims(1, 5))
        await anyio.wait_all_tasks_blocked()
        waited = list(room.asked)
        tasks.start_soon(room.read, 2, claims(2, 21))
        await anyio.wait_all_tasks_blocked()
        enough = list(room.asked)
        slow.set()

    assert (waited, enough, room.asked) == ([], [26], [26, 2])


async def test_a_reading_that_brings_nothing_keeps_no_one_waiting() -> None:
    room, slow = Room(), anyio.Event()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(room.read, 9, [], slow)
        tasks.start_soon(room.read, 1, claims(1, 2))
        await anyio.wait_all_tasks_blocked()
        slow.set()

    assert room.asked == [2]


async def test_very_many_claims_are_parted_evenly() -> None:
    room = Room()

    await room.read(1, claims(1, 40))

    assert room.asked == [20, 20]
    assert len(room.judged[1].judgements) == 40
    assert len(set(room.judged[1].steps)) == 2


FULL = "SQLite is a lightweight database and cannot support a high level of concurrency in its default configuration."
SHORT = "SQLite is a lightweight database and cannot support a high level of concurrency."
DATABASE = page("https://a.example/db", FULL)


@pytest.mark.parametrize(("verdict", "asked"), [("supported", [1]), ("partly", [1, 1])])
async def test_a_claim_that_adds_nothing_is_judged_only_if_the_fuller_one_falls(verdict: Any, asked: list[int]) -> None:
    def judge(_: object, asked: Sequence[Claim], step: Step) -> list[Judgement]:
        return [Judgement(claim_id=one.claim_id, verdict=verdict if one.text == FULL else "supported") for one in asked]

    room, own = Room(judge=judge), [claim(DATABASE, FULL, SHORT), claim(DATABASE, FULL)]

    await room.read(1, own)

    assert room.asked == asked
    assert {one.claim_id: one.verdict for one in room.judged[1].judgements} == {
        own[0].claim_id: "supported",
        own[1].claim_id: verdict,
    }
    assert len(set(room.judged[1].steps)) == len(asked)


async def test_a_resumed_run_asks_the_recorded_question_in_whatever_order_readings_come() -> None:
    journal, own = MemoryJournal(), {number: claims(number, 4) for number in (1, 2)}
    before = Room(journal)
    async with anyio.create_task_group() as tasks:
        for number, found in own.items():
            tasks.start_soon(before.read, number, found)
    again = Room(journal.next_life())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(again.read, 2, own[2])
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(again.read, 1, own[1])

    assert [call.step.key for call in again.thinker.calls] == [call.step.key for call in before.thinker.calls]
    assert again.asked == [8]


@pytest.mark.parametrize("first", [1, 2])
async def test_readings_that_found_the_same_are_one_question_whichever_comes_first_in_a_resumed_run(first: int) -> None:
    journal, same = MemoryJournal(), claims(1, 4)
    before = Room(journal)
    async with anyio.create_task_group() as tasks:
        for number in (1, 2):
            tasks.start_soon(before.read, number, same)
    again = Room(journal.next_life())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(again.read, first, same)
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(again.read, 3 - first, same)

    [asked], [then] = before.thinker.calls, again.thinker.calls
    assert (then.step, then.args) == (asked.step, asked.args)
    assert asked.step.depends_on == ("read/q1/1", "read/q1/2")


async def test_a_resumed_run_does_not_wait_for_ever_for_a_page_that_is_gone() -> None:
    journal, own = MemoryJournal(), {number: claims(number, 4) for number in (1, 2)}
    before = Room(journal)
    async with anyio.create_task_group() as tasks:
        for number, found in own.items():
            tasks.start_soon(before.read, number, found)
    again = Room(journal.next_life())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(again.read, 2, own[2])
        await anyio.wait_all_tasks_blocked()
        again.clock.advance(6)

    assert again.asked == [4]


@pytest.mark.parametrize("error", [UnreadableAnswer("x", "no shape"), KeyRefused("x", "refused")])
async def test_a_failure_is_told_to_all_readings_of_the_question(error: Exception) -> None:
    room, told = Room(judge=error), list[Exception]()

    async def read(number: int) -> None:
        try:
            await room.read(number, claims(number, 2))
        except (UnreadableAnswer, KeyRefused) as found:
            told.append(found)

    async with anyio.create_task_group() as tasks:
        for number in (1, 2):
            tasks.start_soon(read, number)

    assert [type(one) for one in told] == [type(error)] * 2
