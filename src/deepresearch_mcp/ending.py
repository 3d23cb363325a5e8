"""How a process of ours ends: in order where that takes seconds, else at once, so that nothing that hangs holds it."""

import logging
import os
import signal
import sys
import threading

from deepresearch_mcp.ports.clock import Clock

FAREWELL = 4.0
"""Seconds that an orderly end may take; clients kill a server that takes much longer."""
HANG = 30.0
"""Processor seconds of this process in which its event loop must turn once."""
_BEAT = 5.0
_JOIN = 0.25
"""Seconds that a thread gets to end by itself once everything is closed."""


def end_soon(code: int = 0, seconds: float = FAREWELL) -> None:
    """From now on this process ends within so many seconds, whatever still runs in it."""
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()
    if hasattr(signal, "setitimer"):
        # The system's own, for when one thread keeps the interpreter to itself: a regular expression does.
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)


def leave(code: int) -> None:
    """End this process, everything being closed; threads that nothing can stop are left where they are.

    Python alone would wait for them.
    """
    own = threading.current_thread()
    others = [one for one in threading.enumerate() if one is not own and not one.daemon]
    for one in others:
        one.join(_JOIN)
    if any(one.is_alive() for one in others):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


async def beat(clock: Clock, hang: float = HANG) -> None:
    """End this process by a signal when its event loop hangs, until cancelled.

    Then its runs have lost their owner, as after a kill, and another server takes them over. Processor time is
    counted, so a machine that sleeps, a stopped process and a busy machine end nothing. Where the system has no such
    timer, nothing is ended.
    """
    if not hasattr(signal, "setitimer"):
        return
    try:
        while True:
            signal.setitimer(signal.ITIMER_PROF, hang)
            await clock.sleep(_BEAT)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
