"""What is gathered into a round, and when; whole runs are in test_handing.py."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.broker import ROOM, StoredBroker, mark_of, packed
from deepresearch_mcp.jobs.inquiring import suspend
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.work import ClientAnswer
from deepresearch_mcp.store.sqlite import open_sqlite_store

REQUEST = ResearchRequest(question="Why?", depth=2)


def a_call(key: str = "plan", *, name: str = "plan", words: int = 10, **given: Any) -> ModelCall:
    more: dict[str, Any] = {"system": f"How to {name}.", "schema": {"type": "object"}, **given}
    return ModelCall(key, "planner", prompt="word " * words, max_tokens=100, schema_name=name, **more)


class Life:
    """One life of a run, with a broker."""

    def __init__(self, store: Store, clock: HandClock) -> None:
        self.store = store
        self.clock = clock
        self.live = ActiveRun("r1", REQUEST, clock.monotonic(), Progress("r1"))
        self.broker = StoredBroker(self.live, store, clock)
        self.said: dict[str, ModelAnswer | str] = {}

    async def run(self, *calls: ModelCall, beside: Callable[[], Awaitable[None]] | None = None) -> InputRequest | None:
        """Ask all calls at once; the round that they make, or None where nobody had to wait."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.broker.watch)
            with self.live.enter():
                async with anyio.create_task_group() as asking:
                    for call in calls:
                        asking.start_soon(self._ask, call)
                    if beside:
                        asking.start_soon(beside)
            tasks.cancel_scope.cancel()
        return self.live.waiting

    async def _ask(self, call: ModelCall) -> None:
        try:
            self.said[call.key] = await self.broker.answer(call)
        except ProviderError as error:
            self.said[call.key] = error.reason


@asynccontextmanager
async def lives(home: Path, *, auto: bool = True) -> AsyncGenerator[Callable[[], Life]]:
    clock = HandClock(auto=auto)
    async with open_sqlite_store(home, clock) as store:
        await store.runs.create("r1", "local", REQUEST, "f", 0.0)
        yield lambda: Life(store, clock)


async def replied(life: Life, inquiry: InputRequest, **answers: ClientAnswer) -> None:
    assert await suspend(life.live, inquiry, life.store, life.clock)
    given = {packet.packet_id: answers[packet.task] for packet in inquiry.packets if packet.task in answers}
    await life.store.inquiries.fill("r1", inquiry.inquiry_id, given, ())
    await life.store.inquiries.reply("r1", inquiry.inquiry_id, Reply(decision="approve"), REQUEST, 1.0)
    assert await life.store.runs.claim("r1", "", 2.0)


async def test_all_that_waits_is_one_round_and_its_answers_are_there_in_the_next_life(tmp_path: Path) -> None:
    async with lives(tmp_path) as born:
        first = born()
        round_1 = await first.run(a_call(), a_call("read/1", name="read"), a_call("direct", name="x", schema=None))
        assert round_1
        said = {
            "plan": ClientAnswer(text="{}", model="m"),
            "read": ClientAnswer(text="{", cut=True),
            "text": ClientAnswer(text="A"),
        }
        await replied(first, round_1, **said)
        second = born()
        round_2 = await second.run(a_call(), a_call("read/1", name="read"), a_call("direct", name="x", schema=None))

    assert [(packet.packet_id, packet.task) for packet in round_1.packets] == [
        ("1.1", "plan"),
        ("1.2", "read"),
        ("1.3", "text"),
    ]
    assert round_1.text == "Work for the client's own model: plan (1), read (1), text (1)."
    assert round_2 is None
    assert second.said == {
        "plan": ModelAnswer("{}", "client:m"),
        "read/1": ModelAnswer("{", "client", stop="length"),
        "direct": ModelAnswer("A", "client"),
    }


async def test_a_round_waits_for_searches_and_fetches_and_takes_what_they_bring(tmp_path: Path) -> None:
    async with lives(tmp_path, auto=False) as born:
        life, found = born(), list[InputRequest | None]()
        fetched = anyio.Event()

        async def fetch() -> None:
            with life.broker.elsewhere():
                await fetched.wait()
            await life._ask(a_call("read/late", name="read"))

        async def run() -> None:
            found.append(await life.run(a_call(), beside=fetch))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            await anyio.wait_all_tasks_blocked()
            life.clock.advance(5.0)
            assert not found
            fetched.set()
            while not found:
                await anyio.wait_all_tasks_blocked()
                life.clock.advance(0.5)

    assert found[0]
    assert [packet.task for packet in found[0].packets] == ["plan", "read"]


async def test_a_page_that_never_comes_holds_a_round_up_for_seconds_only(tmp_path: Path) -> None:
    async with lives(tmp_path) as born:
        life = born()

        async def fetch() -> None:
            with life.broker.elsewhere():
                await anyio.sleep_forever()

        assert await life.run(a_call(), beside=fetch)
        assert life.clock.monotonic() - HandClock().monotonic() < 10


async def test_readings_that_find_no_room_are_not_asked_and_anything_else_waits_for_the_next_round(
    tmp_path: Path,
) -> None:
    half = ROOM // 2
    async with lives(tmp_path) as born:
        life = born()
        reads = [a_call(f"read/{number}", name="read", words=half) for number in range(3)]
        round_1 = await life.run(*reads, a_call("write/1", name="write", words=half), a_call())

    assert round_1
    assert [packet.task for packet in round_1.packets] == ["plan", "write"]
    assert life.said == dict.fromkeys(("read/0", "read/1", "read/2"), "the round was full")


def test_a_round_begins_with_what_matters_most_and_pays_for_instructions_once() -> None:
    system = "word " * (ROOM // 4)
    calls = [a_call(f"write/{number}", name="write", system=system, words=ROOM // 6) for number in range(5)]

    taken, left = packed([*calls, a_call("outline", name="outline")])

    assert [call.key for call in taken] == ["write/0", "write/1", "write/2", "write/3", "outline"]
    assert [call.key for call in left] == ["write/4"]


def test_every_sub_question_is_read_for_before_one_is_read_for_again_and_an_outline_can_wait() -> None:
    names = ("read/q1/a", "read/q1/b", "read/q1/c", "read/q2/a")
    reads = [a_call(name, name="read", words=ROOM // 3) for name in names]

    taken, left = packed([a_call("outline", name="outline", words=ROOM // 2), *reads])

    assert [call.key for call in taken] == ["read/q1/a", "read/q2/a"]
    assert [call.key for call in left] == ["read/q1/b", "read/q1/c", "outline"]


async def test_what_fits_no_round_is_told_so(tmp_path: Path) -> None:
    async with lives(tmp_path) as born:
        life = born()
        assert await life.run(a_call(words=ROOM + 1)) is None

    assert life.said["plan"] == ModelAnswer("", "client", stop="context")


async def test_an_answer_of_no_use_twice_and_two_rounds_of_silence_are_the_end_of_asking(tmp_path: Path) -> None:
    async with lives(tmp_path) as born:
        for _ in range(2):
            life = born()
            inquiry = await life.run(a_call(), a_call("read/1", name="read"))
            assert inquiry
            await replied(life, inquiry, read=ClientAnswer(text="", unusable=True))
            if len(inquiry.packets) == 1:
                break
        last = born()
        await last.run(a_call(), a_call("read/1", name="read"), a_call("write/1", name="write"))

    assert last.said["read/1"] == "its answer was not of the shape asked, twice"
    assert last.said["plan"] == "it no longer answers"
    assert last.said["write/1"] == "it no longer answers"


async def test_after_the_usual_rounds_no_sentence_is_looked_at_again_and_after_four_more_nothing_is(
    tmp_path: Path,
) -> None:
    async with lives(tmp_path) as born:
        refused: dict[int, set[str]] = {}
        for number in range(1, 14):
            life = born()
            inquiry = await life.run(
                a_call(f"write/{number}", name="write"), a_call(f"audit/hold/{number}", name="judge")
            )
            refused[number] = {key for key, said in life.said.items() if str(said).startswith("no round was left for")}
            if inquiry is None:
                break
            await replied(life, inquiry, write=ClientAnswer(text="{}"), judge=ClientAnswer(text="{}"))

    assert refused[8] == set()
    assert refused[9] == {"audit/hold/9"}
    assert refused[12] == {"audit/hold/12"}
    assert refused[13] == {"audit/hold/13", "write/13"}


@pytest.mark.parametrize(("first", "last"), [("plan", 7), ("read/q1/a", 6)], ids=["plans itself", "has its plan"])
async def test_the_last_rounds_are_kept_for_the_report(tmp_path: Path, first: str, last: int) -> None:
    async with lives(tmp_path) as born:
        said: dict[int, ModelAnswer | str | None] = {}
        for number in range(1, 10):
            life = born()
            key = first if number == 1 else f"read/q1/{number}"
            inquiry = await life.run(a_call(key, name=key.split("/")[0]), a_call(f"write/{number}", name="write"))
            assert inquiry
            said[number] = life.said.get(key)
            await replied(life, inquiry, **dict.fromkeys(("plan", "read", "write"), ClientAnswer(text="{}")))

    refused = [number for number, answer in said.items() if answer == "the rounds that were left are for the report"]
    assert refused == list(range(last + 1, 10))


@pytest.mark.parametrize("change", [{"key": "plan/2"}, {"prompt": "?"}, {"system": "?"}, {"schema": None}])
def test_an_answer_belongs_to_the_very_words_that_were_asked(change: dict[str, Any]) -> None:
    assert mark_of(a_call()) == mark_of(a_call())
    assert mark_of(replace(a_call(), **change)) != mark_of(a_call())
