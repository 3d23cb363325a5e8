import io

import pytest
from rich.console import Console

from clocks import HandClock
from deepresearch_mcp.cli.live import LiveView, picture
from deepresearch_mcp.cli.watching import Part, RunView
from deepresearch_mcp.progress import Progress

QUESTION = "How do PostgreSQL and SQLite handle concurrent writers, and what does that mean for web applications?"
BUSY = Progress(
    "r", stage="researching", sub_questions=2, admitted=22, read=14, unread=3, searches=9, engine_failures=1,
    claims=31, verified=24, round=2, usd=0.04, max_usd=0.5, tokens=12_345, seconds=38.0,
)  # fmt: skip

SHOWN = (
    "✓ plan",
    "0:38",
    "9 answered · 1 failed",
    "14 read · 3 not read · 5 loading",
    "31 found · 24 verified",
    "$0.04 of $0.50 · 12,345 tokens",
    "10 of 12 claims",
    "How does SQLite?",
)


def busy() -> RunView:
    state = RunView(QUESTION, BUSY)
    state.parts = {
        "q0": Part(QUESTION, 4, 4),
        "q1": Part("How does PostgreSQL handle concurrent writers when several transactions change one row?", 12, 10),
        "q2": Part("How does SQLite?"),
    }
    state.trail.append(("read", "Concurrency Control\n(postgresql.org/docs/current/mvcc.html) " + "and on " * 20))
    return state


def drawn(state: RunView, width: int, seconds: float = 38.4) -> list[str]:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(picture(state, seconds, width))
    return [line.rstrip() for line in console.export_text().splitlines()]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_picture_fits_its_width_and_tells_the_whole(width):
    lines = drawn(busy(), width)
    text = "\n".join(lines)

    assert max(len(line) for line in lines) <= width
    for words in SHOWN:
        assert words in text


def test_the_picture_keeps_its_height_while_things_happen():
    before = busy()
    before.trail.clear()
    after = busy()
    for number in range(9):
        after.trail.append(("read", f"Page {number}"))

    assert len(drawn(before, 80)) == len(drawn(after, 80))


def test_a_run_that_has_just_begun_has_a_picture_too():
    text = "\n".join(drawn(RunView("Why?", Progress("r")), 80, 0.0))

    assert "Why?" in text
    assert "· plan" in text
    assert "0:00" in text


def test_stopping_is_said_in_the_place_of_the_stages():
    state = busy()
    state.stopping = True

    assert any("Ctrl-C again leaves at once" in line for line in drawn(state, 80))


def test_a_terminal_is_drawn_upon_and_left_clean():
    clock = HandClock()
    file = io.StringIO()
    console = Console(
        file=file, force_terminal=True, width=80, height=40, legacy_windows=False, _environ={"TERM": "xterm"}
    )
    view = LiveView(console, clock)

    view.update(busy())
    clock.advance(2)
    view.update(busy())
    view.close()

    shown = file.getvalue()
    assert "0:40" in shown
    assert shown.endswith("\x1b[2K")  # The last thing done is to wipe its last line.


def test_the_picture_of_a_run_that_waits_shows_its_place_and_how_long_it_has_waited():
    state = RunView(QUESTION, Progress("r", status="queued", place=3, waiting=5, at_work=4))
    text = "\n".join(drawn(state, 80, seconds=75.0))

    assert "queued: 3rd of 5; 4 runs are at work" in text
    assert "1:15" in text
    assert "plan" not in text
