from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import Context

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.mcp_server.progress import Teller, begun_within
from deepresearch_mcp.mcp_server.server_context import open_server_context
from deepresearch_mcp.progress import Progress
from small_web import settings_for


class Listener(Context[None]):
    """A client's end of a request."""

    heard: list[tuple[float, str | None]]
    totals: list[float | None]

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        self.heard.append((progress, message))
        self.totals.append(total)


class Deaf(Context[Any]):
    """A client that reads nothing: no notification is ever taken."""

    desk: Any

    @property
    def request_context(self) -> Any:
        return SimpleNamespace(lifespan_context=self.desk)

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        await anyio.sleep_forever()


async def test_a_client_that_reads_no_progress_delays_no_run(tmp_path: Path) -> None:
    async with open_server_context(settings_for(tmp_path)) as desk:
        with anyio.fail_after(30):
            named = await begun_within(Deaf(desk=desk), 30, desk.named("local", "a-run"))

        assert named == "a-run"
        assert desk.opened


async def test_jobs_that_cannot_be_opened_are_one_plain_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    async with open_server_context(settings_for(tmp_path / "home")) as desk:
        with pytest.raises(StoreError):
            await begun_within(Deaf(desk=desk), 30, desk.named("local", "a-run"))


async def test_values_rise_strictly_towards_a_total_whatever_the_events_do() -> None:
    listener, clock = Listener(heard=[], totals=[]), HandClock()
    teller = Teller(listener, clock, 4.0)
    weighing = Progress("r", stage="reflecting", round=1, claims=8, events=10)
    reading = Progress("r", stage="researching", round=2, admitted=9, read=1, site="sqlite.org", events=11)

    for progress in (Progress("r"), *[weighing] * 2000, reading, Progress("r", stage="planning"), weighing):
        clock.advance(10)
        await teller.hear(progress)
    await teller.hear(Progress("r", stage="ended"))

    values = [value for value, _ in listener.heard]
    assert values == sorted(set(values))
    assert values[0] == 1
    assert values[-2] < values[-1] == 100
    assert set(listener.totals) == {100}


async def test_what_goes_on_for_long_never_seems_to_be_done() -> None:
    listener, clock = Listener(heard=[], totals=[]), HandClock()
    teller = Teller(listener, clock, 4.0)
    for _ in range(3_000):
        clock.advance(4)
        await teller.hear(Progress("r", stage="planning"))

    values = [value for value, _ in listener.heard]
    assert values == sorted(set(values))
    assert values[-1] < 100


async def test_a_burst_within_a_stage_is_one_message_and_a_new_stage_is_told_at_once() -> None:
    listener, clock = Listener(heard=[], totals=[]), HandClock()
    teller = Teller(listener, clock, 4.0)

    for number in range(10):
        await teller.hear(Progress("r", stage="researching", events=number))
    await teller.hear(Progress("r", stage="synthesizing", events=10))

    assert [message for _, message in listener.heard] == [
        "searching · 0 s",
        "writing, 0 sections done · 0 s",
    ]


@pytest.mark.parametrize("silence", [0.2, 1.0, 4.0, 5.0])
async def test_with_the_follower_s_rhythm_silence_stays_within_what_was_promised(silence: float) -> None:
    clock, listener, times = HandClock(), Listener(heard=[], totals=[]), list[float]()
    teller = Teller(listener, clock, silence)
    began = clock.monotonic()
    while clock.monotonic() - began < 60:
        before = len(listener.heard)
        await teller.hear(Progress("r", events=int(clock.monotonic() - began > 20.3)))
        times += [clock.monotonic() - began] * (len(listener.heard) - before)
        clock.advance(teller.every)

    pauses = [(later, later - earlier) for earlier, later in pairwise(times)]
    assert max(pause for _, pause in pauses) <= silence
    # While a call is young its user sees each second that something is being done.
    assert max(pause for later, pause in pauses if later < 10) <= 1
    assert len(times) <= 10 / min(silence, 0.5) + 60 / (silence - teller.every) + 2
