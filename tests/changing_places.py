"""Work that many threads do at once, changing places as often as the interpreter lets them."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

T = TypeVar("T")

_OFTEN = 1e-6
"""Seconds that a thread may go on before another has its turn."""


def at_once(work: Callable[[], T], threads: int = 8) -> list[T]:
    """What the work returned in each of these threads.

    All threads are there before they change places this often: while one installs a tracer, no other may.
    """
    started = Barrier(threads + 1)

    def run() -> T:
        started.wait()
        return work()

    before = sys.getswitchinterval()
    try:
        with ThreadPoolExecutor(threads) as pool:
            runs = [pool.submit(run) for _ in range(threads)]
            started.wait()
            sys.setswitchinterval(_OFTEN)
            return [one.result() for one in runs]
    finally:
        sys.setswitchinterval(before)
