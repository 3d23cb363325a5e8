"""Progress notifications of one request."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

if TYPE_CHECKING:
    from deepresearch_mcp.events import Progress
    from deepresearch_mcp.ports.clock import Clock

_GAP = 0.5
"""Seconds between two messages of one stage, at least: an event of a run may come every few milliseconds."""

CALLED: ContextVar[float | None] = ContextVar("called", default=None)
"""The system clock when the call came in: the first one opens the parts, and its client waits for that too."""


class Teller:
    """Tells one client how a run comes on."""

    def __init__(self, ctx: Context[Any], clock: "Clock", silence: float) -> None:
        """Promise a message at least every `silence` seconds, if `Jobs.follow` calls `hear` every `every` seconds."""
        self._ctx = ctx
        self._clock = clock
        self._gap = min(_GAP, silence / 4)
        self.every = silence - self._gap
        self._value = 0.0
        self._stage = ""
        self._last = float("-inf")

    async def hear(self, progress: "Progress") -> None:
        """Pass on what is new, unless the last message was sent a moment ago."""
        now = self._clock.monotonic()
        if progress.stage == self._stage and now - self._last < self._gap:
            return
        self._stage, self._last = progress.stage, now
        # Runs count their events; a message without a new event must rise all the same.
        self._value = max(self._value + 1, float(progress.events))
        await self._ctx.report_progress(self._value, None, progress.line())
