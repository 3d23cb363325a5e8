from types import SimpleNamespace
from typing import Any

import pytest
from mcp import types
from mcp.server.mcpserver import Context

from clocks import HandClock
from deepresearch_mcp.events import Progress
from deepresearch_mcp.mcp_server.progress import Teller, Trials, attached_for, next_wait, patience
from deepresearch_mcp.settings import Settings


class Listener(Context[None]):
    """A client's end of a request."""

    heard: list[tuple[float, str | None]]

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        self.heard.append((progress, message))


async def test_values_rise_strictly_whatever_the_events_do() -> None:
    listener, clock = Listener(heard=[]), HandClock()
    teller = Teller(listener, clock, 4.0)

    for events in (1, 1, 1, 10, 10, 5):
        clock.advance(1)
        await teller.hear(Progress("r", events=events))

    assert [value for value, _ in listener.heard] == [1, 2, 3, 10, 11, 12]


async def test_a_burst_within_a_stage_is_one_message_and_a_new_stage_is_told_at_once() -> None:
    listener, clock = Listener(heard=[]), HandClock()
    teller = Teller(listener, clock, 4.0)

    for number in range(10):
        await teller.hear(Progress("r", stage="researching", events=number))
    await teller.hear(Progress("r", stage="synthesizing", events=10))

    assert [message for _, message in listener.heard] == [
        "reading 0 of 0 pages · 0 s",
        "writing, 0 sections done · 0 s",
    ]


async def test_with_the_follower_s_rhythm_silence_stays_within_what_was_promised() -> None:
    clock = HandClock()
    for silence in (0.2, 1.0, 4.0, 5.0):
        listener = Listener(heard=[])
        teller = Teller(listener, clock, silence)
        await teller.hear(Progress("r"))
        # The worst case: a message that was held back just before the rhythm's beat.
        clock.advance(silence - teller.every - 0.001)
        await teller.hear(Progress("r", events=1))
        clock.advance(teller.every)
        await teller.hear(Progress("r", events=1))

        assert len(listener.heard) == 2
        assert silence - 0.01 <= (silence - teller.every - 0.001) + teller.every <= silence


class Named(Context[None]):
    """A request of a client that gives itself a name."""

    def __init__(self, name: str | None, *, hears: bool = True) -> None:
        super().__init__()
        info = types.Implementation(name=name or "", version="1")
        params = types.InitializeRequestParams(
            protocol_version="2025-11-25", capabilities=types.ClientCapabilities(), client_info=info
        )
        session = SimpleNamespace(client_params=params if name is not None else None)
        self._asked: Any = SimpleNamespace(session=session, meta={"progress_token": 1} if hears else None)

    @property
    def request_context(self) -> Any:
        return self._asked


@pytest.mark.parametrize(
    ("name", "seconds", "attached"),
    [
        ("claude-code", 50, 600),
        ("codex-mcp-client", 50, 45),
        ("mcp", 50, 45),
        ("my-mcp-tool", 50, 45),
        ("openai-agents-mcp", 4, 4),
        ("JetBrains-IU/copilot", 25, 25),
        (None, 50, 45),
    ],
)
def test_a_client_is_waited_with_as_long_as_it_is_known_to_wait(
    name: str | None, seconds: float, attached: float
) -> None:
    assert patience(Named(name), Settings(), 50) == seconds
    assert attached_for(Named(name), Settings()) == attached


def test_a_caller_without_name_or_progress_is_waited_with_as_long_as_any_is_and_told_to_try_the_usual() -> None:
    caller, trials = Named("mcp", hears=False), Trials()

    assert attached_for(caller, Settings()) == 4
    assert next_wait(caller, Settings(), trials, "run", 50) == 50
    assert next_wait(Named("JetBrains"), Settings(), trials, "run", 50) == 25


def test_what_the_client_has_waited_already_counts() -> None:
    assert attached_for(Named("mcp", hears=False), Settings(), spent=1.5) == 2.5
    assert attached_for(Named("claude-code"), Settings(), spent=700) == 0


def test_a_caller_that_asks_again_before_it_was_answered_has_given_up() -> None:
    caller, trials = Named("mcp", hears=False), Trials()

    with trials.waiting("run", 50) as first, trials.waiting("run", 50) as second, trials.waiting("other", 50) as other:
        assert (first, second, other) == (50, 4, 50)

    assert [trials.hasty(run_id) for run_id in ("run", "other")] == [True, False]
    assert next_wait(caller, Settings(), trials, "run", 50) == 4


def test_a_caller_that_leaves_a_long_call_has_given_up_and_one_that_stays_has_not() -> None:
    trials = Trials()

    for _ in range(2):
        with trials.waiting("patient", 50) as seconds:
            assert seconds == 50
    with pytest.raises(TimeoutError), trials.waiting("hasty", 50):
        raise TimeoutError
    with trials.waiting("hasty", 50) as seconds:
        assert seconds == 4
    with trials.waiting("hasty", 1) as seconds:
        assert seconds == 1

    assert [trials.hasty(run_id) for run_id in ("hasty", "patient")] == [True, False]


def test_whoever_sets_how_long_calls_stay_knows_the_clients_better() -> None:
    settings = Settings.model_validate({"server": {"wait_seconds": 20}})

    for name in ("mcp", "codex-mcp-client", "openai-agents"):
        caller = Named(name, hears=False)
        assert attached_for(caller, settings) == 20
        assert next_wait(caller, settings, Trials(), "run", 50) == 20
    # 0 is about the call that begins a run: who asks for its report waits for it.
    at_once = Settings.model_validate({"server": {"wait_seconds": 0}})
    assert next_wait(Named("mcp", hears=False), at_once, Trials(), "run", 50) == 50
