from mcp.server.mcpserver import Context

from clocks import HandClock
from deepresearch_mcp.events import Progress
from deepresearch_mcp.mcp_server.progress import Teller


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
