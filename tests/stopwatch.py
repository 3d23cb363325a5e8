"""How long the code under test takes, whatever else the machine and the measure of coverage do meanwhile."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def untraced() -> Iterator[None]:
    """Nothing counts lines within: that takes time of its own, and not in proportion to the work."""
    counting = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(counting)


class Spent:
    """Seconds of this thread's processor time, readable after the block that took them."""

    seconds = 0.0


@contextmanager
def spent() -> Iterator[Spent]:
    taken = Spent()
    with untraced():
        began = time.thread_time()
        yield taken
        taken.seconds = time.thread_time() - began
