"""Progress notifications of one request."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver import Context

from deepresearch_mcp.mcp_server.beginnings import Beginning, StillOpening
from deepresearch_mcp.mcp_server.server_context import ServerContext

if TYPE_CHECKING:
    from deepresearch_mcp.ports.clock import Clock
    from deepresearch_mcp.progress import Progress

_GAP = 0.5
"""Seconds between two messages of one stage, at least: an event of a run may come every few milliseconds."""

CALLED: ContextVar[float | None] = ContextVar("called", default=None)
"""The system clock when the call came in: the first one opens the parts, and its client waits for that too."""


_OPENING = 10.0
"""Seconds of a call in which its user is told something each second: without a sign it looks dead."""
_OFTEN = 1.0

TOTAL = 100.0
"""What progress counts up to: percent."""


async def begun_within(ctx: Context[ServerContext], seconds: float, beginning: Beginning) -> str:
    """The id of a run that begins once the parts are open; a client that reads no progress delays nothing.

    Raises:
        StillOpening: They are not open after so many seconds.
        DeepResearchError: They cannot be opened, or the run cannot begin.
    """
    failure: Exception | None = None
    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as tasks:
            if not ctx.request_context.lifespan_context.opened:
                tasks.start_soon(ctx.report_progress, 0.1, TOTAL, "starting · 0 s")
            try:
                return await beginning.begun()
            except Exception as error:  # noqa: BLE001 - raised below: in here it would come out as a group
                failure = error
            finally:
                tasks.cancel_scope.cancel()
    raise failure or StillOpening(beginning.run_id)


class Teller:
    """Sends one client the progress of a run, in values that rise with every message."""

    def __init__(self, ctx: Context[Any], clock: "Clock", silence: float) -> None:
        """Promise a message at least every `silence` seconds, if `Jobs.follow` calls `hear` every `every` seconds."""
        self._ctx = ctx
        self._clock = clock
        self._silence = silence
        self._gap = min(_GAP, silence / 4)
        self.every = min(_OFTEN, silence) - self._gap
        self._value = 0.1
        self._stage = ""
        self._events = -1
        self._began = clock.monotonic()
        self._last = float("-inf")

    async def hear(self, progress: "Progress") -> None:
        """Pass on what is new, unless the last message was sent a moment ago; now and then also that nothing is."""
        now = self._clock.monotonic()
        if progress.stage == self._stage:
            silence = min(_OFTEN, self._silence) if now - self._began < _OPENING else self._silence
            quiet = self._gap if progress.events != self._events else silence - self.every
            if now - self._last < quiet:
                return
        self._stage, self._events, self._last = progress.stage, progress.events, now
        # A message without anything done must rise all the same, and never to the end: by a hundredth of what is left.
        step = min(0.05, (TOTAL - self._value) / 100)
        self._value = max(self._value + step, progress.percent)
        await self._ctx.report_progress(self._value, TOTAL, progress.message())
