"""Progress notifications of one request."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver import Context

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server.server_context import ServerContext

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
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


async def jobs_of(ctx: Context[ServerContext]) -> "Jobs":
    """The open jobs; a client that has to wait for them is told so, and one that reads nothing delays nothing."""
    desk = ctx.request_context.lifespan_context
    if desk.opened:
        return await desk.jobs()
    failure: DeepResearchError | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ctx.report_progress, 0.1, TOTAL, "starting · 0 s")
        try:
            await desk.jobs()
        except DeepResearchError as error:
            failure = error  # Raised in here, it would come out as a group.
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return await desk.jobs()


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
