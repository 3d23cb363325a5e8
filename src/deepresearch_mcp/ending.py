"""Ends our processes: cleanly within seconds, or by force if something hangs."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from deepresearch_mcp.ports.clock import Clock

FAREWELL = 4.0
"""Seconds that a clean shutdown may take; clients kill a server that takes much longer."""
_BEAT = 1.0
"""Seconds between two settings of the timer."""
HANG = max(30.0, 4 * _BEAT * (os.cpu_count() or 1))
"""Processor seconds that this process may use before its event loop must turn once.

Threads on all cores use them up together, so a machine with many cores gets more.
"""
_JOIN = 0.25
"""Seconds that all threads together get to end after everything is closed."""
_FLUSH = 1.0
"""Seconds to flush the output; after that, a reader that stopped reading no longer holds the process."""


def end_soon(code: int = 0, seconds: float = FAREWELL) -> None:
    """End this process after `seconds`, whatever still runs in it."""
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()
    if hasattr(signal, "setitimer"):
        # The system's timer also ends a thread that never releases the interpreter, such as a regular expression.
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)


def exit_process(code: int) -> None:
    """End this process after everything is closed, without waiting for threads that cannot be stopped.

    Python's normal exit would wait for them.
    """
    own = threading.current_thread()
    others = [one for one in threading.enumerate() if one is not own and not one.daemon]
    _within(_JOIN, lambda: [one.join() for one in others])
    if any(one.is_alive() for one in others):
        try:
            _within(_FLUSH, _flush)
        finally:
            os._exit(code)
    sys.exit(code)


def _within(seconds: float, work: Callable[[], object]) -> None:
    """Run a function in a thread; stop waiting for it after `seconds`."""
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(seconds)


def _flush() -> None:
    """Flush logs and output; a closed pipe or stream is no longer an error."""
    for flush in (logging.shutdown, *(stream.flush for stream in (sys.stdout, sys.stderr) if stream)):
        with suppress(OSError, ValueError):
            flush()


async def beat(clock: Clock, hang: float = HANG) -> None:
    """End this process by a signal if its event loop hangs; run until cancelled.

    Its runs have then lost their owner, as after a kill, and another server adopts them. The timer counts processor
    time, so a sleeping machine, a stopped process or a busy machine does not trigger it. Where the system has no such
    timer, this function does nothing.
    """
    if not hasattr(signal, "setitimer"):
        return
    try:
        while True:
            signal.setitimer(signal.ITIMER_PROF, hang)
            await clock.sleep(_BEAT)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
