import os
from asyncio import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from calls import call_of
from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.mcp_server.timeouts import Timeouts, attached_for, next_wait, patience
from deepresearch_mcp.settings.schema import Settings

TIMED_OUT = "SdkError: Request timed out"
"""What Claude Code 2.1.330 says."""
CANCELLED = "MCP request cancelled by caller"
"""What Codex 0.169 says, whatever it was."""


def left_after(
    timeouts: Timeouts, call: Any, seconds: float, run_id: str = "run", clock: HandClock | None = None
) -> None:
    """A client leaves a call about a run after so many seconds."""
    clock = clock or HandClock()
    with suppress(CancelledError), timeouts.waiting(call, run_id, 600, clock):
        clock.advance(seconds)
        raise CancelledError


def attached(call: Any, timeouts: Timeouts | None = None, asked: float | None = None, **server: float) -> float:
    settings = Settings.model_validate({"server": server})
    return attached_for(call, settings, timeouts or Timeouts(), "run", asked)


@pytest.mark.parametrize(
    ("name", "seconds", "attached_seconds"),
    [
        ("claude-code", 45, 45),
        ("codex-mcp-client", 25, 25),
        ("mcp", 45, 45),
        ("my-mcp-tool", 45, 45),
        ("openai-agents-mcp", 4, 4),
        ("JetBrains-IU/copilot", 25, 25),
        (None, 45, 45),
    ],
)
def test_every_client_is_answered_within_45_seconds_and_sooner_where_it_is_known_to_leave(
    name: str | None, seconds: float, attached_seconds: float
) -> None:
    assert patience(call_of(name), Settings(), 45) == seconds
    assert attached(call_of(name)) == attached_seconds


def test_a_set_wait_holds_for_every_client_whatever_was_learned() -> None:
    settings = Settings.model_validate({"server": {"wait_seconds": 20}})
    timeouts = Timeouts()
    for name in ("claude-code", "mcp", "codex-mcp-client", "openai-agents"):
        caller = call_of(name, hears=False)
        left_after(timeouts, caller, 5)

        assert attached(caller, timeouts, wait_seconds=20) == 20
        assert next_wait(caller, settings, timeouts, "run", 45) == 20
    # 0 is about the call that begins a run: who asks for its report waits for it.
    at_once = Settings.model_validate({"server": {"wait_seconds": 0}})
    assert next_wait(call_of("mcp", hears=False), at_once, timeouts, "run", 45) == 45


@pytest.mark.parametrize("first", ["leaves", "explains"])
@pytest.mark.parametrize("name", ["claude-code", "some-host"])
def test_a_call_that_timed_out_shortens_all_later_ones_of_that_client(name: str, first: str) -> None:
    timeouts = Timeouts()
    if first == "leaves":
        left_after(timeouts, call_of(name), 60)
        timeouts.explain(call_of(name), 1, TIMED_OUT)
    else:
        timeouts.explain(call_of(name), 1, TIMED_OUT)
        left_after(timeouts, call_of(name), 60)

    assert timeouts.limit(name, "another run") == pytest.approx(42)
    assert attached(call_of(name), timeouts) == pytest.approx(42)
    assert attached(call_of(name), timeouts, asked=300) == pytest.approx(42)
    assert next_wait(call_of(name), Settings(), timeouts, "another run", 45) == pytest.approx(42)
    assert timeouts.limit("another-client", "another run") is None


def test_a_notification_that_names_no_client_is_matched_by_its_request() -> None:
    """As every one of the newer protocol."""
    for order in ("leaves first", "explains first"):
        timeouts = Timeouts()
        steps = [
            lambda timeouts=timeouts: left_after(timeouts, call_of("claude-code", request_id=7), 5),
            lambda timeouts=timeouts: timeouts.explain(call_of(None), 7, TIMED_OUT),
        ]
        for step in steps if order == "leaves first" else reversed(steps):
            step()

        assert timeouts.limit("claude-code") == pytest.approx(3.5)


def test_a_call_that_was_left_without_a_reason_shortens_those_about_its_run_alone() -> None:
    timeouts = Timeouts()
    left_after(timeouts, call_of("codex-mcp-client"), 10)
    timeouts.explain(call_of("codex-mcp-client"), 1, CANCELLED)

    assert timeouts.limit("codex-mcp-client", "run") == pytest.approx(7)
    assert timeouts.limit("codex-mcp-client", "another run") is None


def test_two_calls_left_after_the_same_time_have_met_a_time_out() -> None:
    timeouts, clock = Timeouts(), HandClock()
    left_after(timeouts, call_of("codex-mcp-client", request_id=1), 10.0, "one", clock)
    left_after(timeouts, call_of("codex-mcp-client", request_id=2), 10.1, "two", clock)

    assert timeouts.limit("codex-mcp-client", "three") == pytest.approx(7)
    assert not timeouts.unsaved


def test_two_calls_left_at_the_same_moment_show_no_time_out() -> None:
    """As one press of Esc in Codex, which gives no other reason than for a time-out."""
    timeouts, clock = Timeouts(), HandClock()
    calls = [call_of("codex-mcp-client", request_id=number) for number in (1, 2)]
    with (
        suppress(CancelledError),
        timeouts.waiting(calls[0], "one", 600, clock),
        timeouts.waiting(calls[1], "two", 600, clock),
    ):
        clock.advance(1.6)
        raise CancelledError

    assert timeouts.limit("codex-mcp-client", "three") is None


@pytest.mark.parametrize("fault", [StoreError("The disk is full."), RuntimeError("a fault of ours"), TimeoutError()])
def test_a_call_that_failed_was_not_left_by_its_client(fault: Exception) -> None:
    timeouts, clock = Timeouts(), HandClock()
    for number in (1, 2):
        caller = call_of("claude-code", request_id=number)
        with suppress(type(fault)), timeouts.waiting(caller, "run", 600, clock):
            clock.advance(10)
            raise fault

    assert timeouts.limit("claude-code", "run") is None


def test_a_stopped_call_that_is_told_of_twice_is_counted_once() -> None:
    """By what waited for the run, and by what answers the call."""
    timeouts, clock = Timeouts(), HandClock()
    for number in (1, 2):
        caller = call_of("claude-code", request_id=number)
        timeouts.explain(caller, number, "AbortError: This operation was aborted")
        left_after(timeouts, caller, 10, "run", clock)
        timeouts.leave(caller, 10, clock.monotonic())

    assert timeouts.limit("claude-code", "run") is None


def test_over_http_a_reason_is_for_the_call_of_its_own_session() -> None:
    timeouts = Timeouts()
    one, other = ({"mcp-session-id": name} for name in ("one", "other"))
    left_after(timeouts, call_of("some-host", headers=one), 60, "of one")
    timeouts.explain(call_of("some-host", headers=other), 1, "The user interrupted the turn")
    timeouts.explain(call_of("some-host", headers=one), 1, TIMED_OUT)
    timeouts.explain(call_of(None, headers={}), 1, "The user interrupted the turn")
    left_after(timeouts, call_of("another-host", headers={}), 30, "without a session")

    assert timeouts.limit("some-host", "of one") == pytest.approx(42)
    assert timeouts.limit("some-host") == pytest.approx(42)
    assert timeouts.limit("another-host", "without a session") == pytest.approx(21)


@pytest.mark.parametrize("reason", ["AbortError: This operation was aborted", "The user interrupted the turn"])
def test_a_user_who_stops_a_call_has_shown_no_time_out(reason: str) -> None:
    timeouts = Timeouts()
    left_after(timeouts, call_of("claude-code"), 7)
    timeouts.explain(call_of("claude-code"), 1, reason)

    assert timeouts.limit("claude-code", "run") is None


def test_a_call_that_waits_for_no_run_can_time_out_too() -> None:
    timeouts = Timeouts()
    timeouts.leave(call_of("claude-code"), 5.0, 100.0)
    timeouts.leave(call_of("claude-code"), 5.1, 100.1)  # What waited within it has said so already.
    timeouts.explain(call_of("claude-code"), 1, TIMED_OUT)

    assert timeouts.limit("claude-code") == pytest.approx(3.5)


def test_anyone_who_leaves_at_once_has_met_no_time_out() -> None:
    timeouts = Timeouts()
    left_after(timeouts, call_of("claude-code"), 0.3)
    timeouts.explain(call_of("claude-code"), 1, TIMED_OUT)

    assert timeouts.limit("claude-code", "run") is None


async def test_what_was_learned_is_remembered_by_the_next_server_for_some_days(tmp_path: Path) -> None:
    file = tmp_path / "client_timeouts.json"
    first, other = Timeouts(file), Timeouts(file)
    left_after(first, call_of("claude-code"), 60)
    first.explain(call_of("claude-code"), 1, TIMED_OUT)
    assert first.unsaved
    await first.save()
    left_after(other, call_of("some-host"), 30)
    other.explain(call_of("some-host"), 1, TIMED_OUT)
    await other.save()

    later = Timeouts(file)
    await later.load()

    assert later.limit("claude-code") == pytest.approx(42)
    assert later.limit("some-host") == pytest.approx(21)
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == [file.name]
    file.write_text(file.read_text().replace('"day": ', '"day": -'))
    old = Timeouts(file)
    await old.load()
    assert old.limit("claude-code") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"claude-code": 5}', '{"claude-code": {"seconds": "x", "day": 1}}'])
async def test_a_file_that_cannot_be_read_is_as_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "client_timeouts.json"
    file.write_text(text)
    timeouts = Timeouts(file)

    await timeouts.load()
    await timeouts.save()

    assert timeouts.limit("claude-code") is None


async def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    timeouts = Timeouts(tmp_path / "none" / "client_timeouts.json")
    left_after(timeouts, call_of("claude-code"), 60)
    timeouts.explain(call_of("claude-code"), 1, TIMED_OUT)

    await timeouts.save()

    assert not (tmp_path / "none").exists()


async def test_a_folder_that_cannot_be_written_to_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "client_timeouts.json").mkdir()
    timeouts = Timeouts(tmp_path / "client_timeouts.json")
    left_after(timeouts, call_of("claude-code"), 60)
    timeouts.explain(call_of("claude-code"), 1, TIMED_OUT)

    await timeouts.save()

    assert timeouts.limit("claude-code") == pytest.approx(42)


async def test_what_many_clients_show_at_once_is_saved_whole_and_bounded(tmp_path: Path) -> None:
    """While one save is under way more is learned, and saved."""
    file = tmp_path / "client_timeouts.json"
    timeouts = Timeouts(file)
    async with anyio.create_task_group() as tasks:
        for number in range(600):
            caller = call_of(f"host {number}", request_id=number)
            left_after(timeouts, caller, 60)
            timeouts.explain(caller, number, TIMED_OUT)
            if number % 20 == 0:
                tasks.start_soon(timeouts.save)
                await anyio.lowlevel.checkpoint()
        tasks.start_soon(timeouts.save)
    later = Timeouts(file)
    await later.load()

    assert later.limit("host 599") == pytest.approx(42)
    assert os.listdir(tmp_path) == [file.name]
    assert sum(timeouts.limit(f"host {number}") is not None for number in range(600)) == 256


def test_what_is_remembered_is_bounded() -> None:
    timeouts, clock = Timeouts(), HandClock()
    for number in range(1000):
        left_after(timeouts, call_of("some-host", request_id=number), 60, f"run {number}", clock)

    assert timeouts.limit("other", "run 0") is None
    assert timeouts.limit("other", "run 999") == pytest.approx(42)


def test_a_caller_without_name_or_progress_is_waited_with_as_long_as_any_is_and_told_to_try_the_usual() -> None:
    caller, timeouts = call_of("mcp", hears=False), Timeouts()

    assert attached(caller) == 4
    assert next_wait(caller, Settings(), timeouts, "run", 45) == 45
    assert next_wait(call_of("JetBrains"), Settings(), timeouts, "run", 45) == 25


def test_what_the_client_has_waited_already_counts() -> None:
    assert attached_for(call_of("mcp", hears=False), Settings(), Timeouts(), "run", spent=1.5) == 2.5
    assert attached_for(call_of("claude-code"), Settings(), Timeouts(), "run", spent=700) == 0


def test_a_nameless_caller_that_asks_again_before_it_was_answered_has_given_up() -> None:
    caller, timeouts, clock = call_of("mcp", hears=False), Timeouts(), HandClock()

    with (
        timeouts.waiting(caller, "run", 50, clock, trial=True) as first,
        timeouts.waiting(caller, "run", 50, clock, trial=True) as second,
        timeouts.waiting(caller, "other", 50, clock, trial=True) as other,
    ):
        assert (first, second, other) == (50, 4, 50)

    assert [timeouts.hasty(run_id) for run_id in ("run", "other")] == [True, False]
    assert next_wait(caller, Settings(), timeouts, "run", 45) == 4


def test_a_nameless_caller_that_leaves_a_long_call_has_given_up_and_one_that_stays_has_not() -> None:
    timeouts, clock = Timeouts(), HandClock()
    caller = call_of("mcp", hears=False)

    for _ in range(2):
        with timeouts.waiting(caller, "patient", 50, clock, trial=True) as seconds:
            assert seconds == 50
    with suppress(CancelledError), timeouts.waiting(caller, "hasty", 50, clock, trial=True):
        clock.advance(6)
        raise CancelledError
    for asked, waits in ((50, 4), (1, 1)):
        with timeouts.waiting(caller, "hasty", asked, clock, trial=True) as seconds:
            assert seconds == waits

    assert [timeouts.hasty(run_id) for run_id in ("hasty", "patient")] == [True, False]
    # Any framework has that name: what one shows is no other's.
    timeouts.explain(caller, 1, TIMED_OUT)
    assert timeouts.limit("mcp") is None
