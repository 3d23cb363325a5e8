import os
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
    """Exit code of a process, how long it took, and what it said; a word on standard error fails the test."""
    began = monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STUCK + code],
        env=os.environ | {"PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        timeout=within,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, monotonic() - began, done.stdout


@pytest.mark.parametrize("work", ["loop", "regex"])
@POSIX
def test_what_hangs_in_a_thread_does_not_outlive_the_farewell(work: str) -> None:
    code, _, _ = ended(f"ending.end_soon(seconds=0.3)\nthreading.Thread(target={work}).start()")

    # A regular expression lets nothing else run: there the system ends it.
    assert code == (0 if work == "loop" else -signal.SIGALRM)


def test_a_process_that_leaves_waits_for_no_thread_and_loses_no_word() -> None:
    code, _, said = ended("threading.Thread(target=loop).start()\nprint('the report', end='')\nending.exit_process(3)")

    assert (code, said) == (3, "the report")


def test_a_process_without_stuck_threads_leaves_as_any_other() -> None:
    code, _, said = ended("import atexit\natexit.register(print, 'closed', end='')\nending.exit_process(4)")

    assert (code, said) == (4, "closed")


def test_many_threads_that_sleep_hold_a_process_no_longer_than_one() -> None:
    sleeping = "import time\nfor _ in range(12): threading.Thread(target=time.sleep, args=(60,)).start()\n"
    _, alone, _ = ended("threading.Thread(target=loop).start()\nending.exit_process(3)")
    code, all_twelve, _ = ended(f"{sleeping}ending.exit_process(3)")

    assert code == 3
    assert all_twelve < alone + 1.5


@POSIX
def test_a_process_whose_reader_is_gone_leaves_without_a_traceback() -> None:
    broken = "import os\nread, write = os.pipe()\nos.dup2(write, 1)\nos.close(write)\nos.close(read)\n"
    code, _, _ = ended(f"{broken}threading.Thread(target=loop).start()\nprint('lost')\nending.exit_process(3)")

    assert code == 3


@POSIX
def test_a_process_whose_reader_reads_no_more_leaves_all_the_same() -> None:
    full = (
        "import os\nread, write = os.pipe()\nos.set_blocking(write, False)\n"
        "try:\n    while True: os.write(write, bytes(4096))\nexcept BlockingIOError: pass\n"
        "os.set_blocking(write, True)\nos.dup2(write, 1)\n"
    )
    code, seconds, _ = ended(f"{full}threading.Thread(target=loop).start()\nprint('stuck')\nending.exit_process(3)")

    assert code == 3
    assert seconds < 10


@POSIX
async def test_a_loop_that_turns_winds_the_timer_up_each_second() -> None:
    clock = HandClock()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(beat, clock)
        await anyio.lowlevel.checkpoint()
        sum(range(3_000_000))
        used = signal.getitimer(signal.ITIMER_PROF)[0]
        clock.advance(1)
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        wound_up = signal.getitimer(signal.ITIMER_PROF)[0]
        tasks.cancel_scope.cancel()

    assert wound_up > used


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
