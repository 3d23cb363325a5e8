import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.pipeline.signal import Signal, at_most, leaf
from pipeline_fakes import drive, idle


async def test_what_ends_in_time_is_waited_for_and_the_clock_is_left_alone() -> None:
    clock = HandClock()
    done: list[str] = []

    async def work() -> None:
        await clock.sleep(0.5)
        done.append("work")

    ended = await drive(clock, lambda: at_most(clock, 2, work))

    assert (ended, done, clock.sleepers) == (True, ["work"], 0)


async def test_what_takes_too_long_is_cancelled_at_the_second_named() -> None:
    clock = HandClock()
    began = clock.monotonic()

    ended = await drive(clock, lambda: at_most(clock, 2, anyio.sleep_forever))

    assert ended is False
    assert clock.monotonic() - began == pytest.approx(2, abs=0.11)


async def test_a_failure_is_heard_and_no_one_goes_on_sleeping() -> None:
    clock = HandClock()

    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ExceptionGroup) as caught:
        await at_most(clock, 2, fail)

    assert str(leaf(caught.value)) == "no"
    assert clock.sleepers == 0


async def test_a_cancellation_from_outside_is_no_end_in_time() -> None:
    clock = HandClock()
    ended: list[bool] = []

    async def work() -> None:
        ended.append(await at_most(clock, 2, anyio.sleep_forever))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work)
        await idle()
        tasks.cancel_scope.cancel()

    assert ended == []


async def test_no_time_at_all_still_lets_what_is_ready_end() -> None:
    clock = HandClock()

    async def ready() -> None:
        pass

    assert await at_most(clock, 0, ready)
    assert not await at_most(clock, 0, anyio.sleep_forever)


def test_the_leaf_of_a_group_lies_however_deep() -> None:
    deep = ExceptionGroup("a", [ExceptionGroup("b", [KeyError("first"), ValueError()]), TypeError()])

    assert leaf(deep).args == ("first",)


async def test_news_wake_everybody_and_only_those_whose_condition_holds_go_on() -> None:
    news, state, gone = Signal(), {"one": False, "two": False}, list[str]()

    async def wait(name: str) -> None:
        await news.wait_until(lambda: state[name])
        gone.append(name)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wait, "one")
        tasks.start_soon(wait, "two")
        await idle()
        news.notify()
        await idle()
        assert gone == []
        state["two"] = True
        news.notify()
        await idle()
        assert gone == ["two"]
        state["one"] = True
        news.notify()

    assert gone == ["two", "one"]
