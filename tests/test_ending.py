import signal
import subprocess
import sys
from time import monotonic

import anyio
import anyio.lowlevel
import pytest

from clocks import HandClock
from deepresearch_mcp.ending import beat

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

STUCK = """
import re, sys, threading
from deepresearch_mcp import ending

def loop():
    while True:
        pass

def regex():
    re.match(r"(a+)+$", "a" * 64 + "b")
"""


def ended(code: str, *, within: float = 30.0) -> tuple[int, float, str]:
    """Exit code of a process, how long it took, and what it said."""
    began = monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STUCK + code], capture_output=True, text=True, timeout=within, check=False
    )
    return done.returncode, monotonic() - began, done.stdout


@pytest.mark.parametrize("work", ["loop", "regex"])
@POSIX
def test_what_hangs_in_a_thread_does_not_outlive_the_farewell(work: str) -> None:
    code, _, _ = ended(f"ending.end_soon(seconds=0.3)\nthreading.Thread(target={work}).start()")

    # A regular expression lets nothing else run: there the system ends it.
    assert code == (0 if work == "loop" else -signal.SIGALRM)


def test_a_process_that_leaves_waits_for_no_thread_and_loses_no_word() -> None:
    code, _, said = ended("threading.Thread(target=loop).start()\nprint('the report', end='')\nending.leave(3)")

    assert (code, said) == (3, "the report")


def test_a_process_without_stuck_threads_leaves_as_any_other() -> None:
    code, _, said = ended("import atexit\natexit.register(print, 'closed', end='')\nending.leave(4)")

    assert (code, said) == (4, "closed")


@POSIX
def test_a_process_whose_loop_hangs_is_ended_and_one_whose_loop_turns_is_not() -> None:
    turning = """
import anyio

class Quick:
    async def sleep(self, seconds):
        await anyio.sleep(0.01)

async def main(work):
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ending.beat, Quick(), 0.5)
        await anyio.sleep(0)
        await work()
        tasks.cancel_scope.cancel()

async def busy():
    for _ in range(200):
        sum(range(500_000))
        await anyio.sleep(0)

async def hung():
    regex()
"""
    assert ended(f"{turning}\nanyio.run(main, busy)\nprint('whole')")[::2] == (0, "whole\n")
    assert ended(f"{turning}\nanyio.run(main, hung)\nprint('whole')")[::2] == (-signal.SIGPROF, "")


@POSIX
async def test_the_beat_leaves_no_timer_behind() -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(beat, HandClock())
        await anyio.lowlevel.checkpoint()
        await anyio.lowlevel.checkpoint()
        during = signal.getitimer(signal.ITIMER_PROF)[0]
        tasks.cancel_scope.cancel()

    assert during > 0
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
