import signal
import subprocess
import sys
from dataclasses import replace

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.cli.watching import TRAIL, Lines, RunView, Silent, interrupts, short_address
from deepresearch_mcp.events import (
    Answered,
    Cautioned,
    CeilingNear,
    Claimed,
    Degraded,
    EngineFailed,
    Event,
    PageRead,
    PageUnread,
    Planned,
    RoundEnded,
    SectionWritten,
    Started,
    Verified,
)
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.progress import Progress


def state_after(*events: Event) -> RunView:
    state = RunView("Why?", Progress("r"))
    for number, event in enumerate(events):
        state.take(EventRow(number, "r", 0.0, event.kind, event.data()))
    return state


def test_sub_questions_gather_their_claims_whenever_the_plan_comes():
    state = state_after(
        Claimed("q0", 2, 0), Claimed("q1", 3, 1), Planned("extractive", ("One?", "Two?")), Verified("q1", 2, 1)
    )

    assert {name: (part.text, part.claims, part.verified) for name, part in state.parts.items()} == {
        "q0": ("Why?", 2, 0),
        "q1": ("One?", 3, 2),
        "q2": ("Two?", 0, 0),
    }


def test_a_plan_is_told_by_what_it_holds():
    state = state_after(
        Planned("extractive", ("One?",)), Planned("openai:x", ("One?", "Two?"), ("A list", "Advice"), hypotheses=1)
    )

    assert list(state.trail) == [
        ("planned", "1 sub-question"),
        ("planned", "2 things to deliver, 2 sub-questions, 1 statement to test"),
    ]


def test_the_trail_tells_what_happened_last_in_plain_words():
    state = state_after(
        Started("Why?", "extractive", ("searxng",)),
        Degraded("A model failed."),
        EngineFailed("brave", "ice", "HTTP 500"),
        Answered("searxng", "ice", 1, "q0"),
        PageRead("https://a.example/x?y=1", "Ice", "s1"),
        PageRead("https://a.example/", "", "s2"),
        PageUnread("https://a.example/z", "robots", ""),
        SectionWritten("Findings"),
    )

    assert list(state.trail) == [
        ("read", "Ice (a.example/x)"),
        ("read", "a.example"),
        ("not read", "a.example/z: robots"),
        ("wrote", "Findings"),
    ]
    assert len(state.trail) == TRAIL
    told = list(
        state_after(Degraded("A model failed."), EngineFailed("brave", "i", "no"), Answered("s", "i", 2, "")).trail
    )
    assert told == [("note", "A model failed."), ("no answer", "brave: no"), ("searched", "s, 2 hits: i")]
    weighed = state_after(RoundEnded(1, 5, enough=False, why="2 sites"), RoundEnded(2, 8, enough=True, why="8 of 10"))
    assert list(weighed.trail) == [
        ("weighed", "round 1 is not enough: 2 sites"),
        ("weighed", "round 2 is enough: 8 of 10"),
    ]
    assert list(state_after(CeilingNear("max_usd", "warned")).trail) == [("ceiling", "max_usd is 80 % used")]


def test_an_address_that_is_none_is_shown_as_it_is():
    assert short_address("http://[::1") == "http://[::1"


def test_plain_lines_come_at_each_stage_and_then_every_few_seconds():
    said: list[str] = []
    clock = HandClock()
    lines = Lines(said.append, clock)
    reading = Progress("r", stage="researching", admitted=3)

    def at(seconds: float, progress: Progress) -> None:
        clock.advance(seconds)
        lines.update(RunView("Why?", progress))

    at(0, Progress("r"))
    at(0, replace(reading, stage="planning"))
    at(0, replace(reading, admitted=0))
    at(0, reading)
    at(1, replace(reading, read=1))
    at(2, replace(reading, read=2))
    at(3, replace(reading, read=2))
    at(0, replace(reading, stage="ended"))
    lines.close()

    assert said == ["planning · 0 s", "reading 0 of 3 pages · 0 s", "reading 2 of 3 pages · 0 s"]


async def test_the_first_ctrl_c_is_heard_and_the_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT)

    with interrupts(Silent()) as stop, anyio.fail_after(30):
        signal.raise_signal(signal.SIGINT)
        await stop.wait()

    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_second_ctrl_c_leaves_at_once_and_says_how_to_go_on(name):
    code = (
        "import anyio, signal\n"
        "from deepresearch_mcp.cli.watching import Silent, interrupts\n"
        "async def main():\n"
        "    with interrupts(Silent(), 'Kept: run x.'), anyio.CancelScope(shield=True):\n"
        f"        signal.raise_signal(signal.{name})\n"
        "        await anyio.sleep(0)\n"
        f"        signal.raise_signal(signal.{name})\n"
        "        await anyio.sleep_forever()\n"
        "anyio.run(main)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)

    assert done.returncode == 130
    assert done.stderr == b"Kept: run x.\n"


def test_plain_lines_tell_each_new_place_in_the_queue_at_once():
    clock = HandClock()
    said: list[str] = []
    lines = Lines(said.append, clock)
    for place in (0, 2, 2, 1):
        lines.update(RunView("Why?", Progress("r", status="queued", place=place, waiting=2, at_work=1)))

    assert said == ["queued: 2nd of 2; 1 run is at work", "queued: 1st of 2; 1 run is at work"]


def test_what_is_told_as_a_run_begins_is_said_at_once_and_once():
    said: list[str] = []
    lines = Lines(said.append, HandClock())

    for told in ((), ("max_usd allows less.",), ("max_usd allows less.", "drafts=3 has no effect.")):
        lines.update(RunView("Why?", Progress("r", cautions=told)))

    assert said == ["Note: max_usd allows less.", "Note: drafts=3 has no effect."]
    assert state_after(Cautioned("max_usd allows less.")).trail[-1] == ("note", "max_usd allows less.")
