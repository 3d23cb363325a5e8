"""Progress notifications of one request: strictly rising, never silent for long, never a flood."""

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

if TYPE_CHECKING:
    from deepresearch_mcp.events import Progress
    from deepresearch_mcp.ports.clock import Clock

_GAP = 0.5
"""Seconds between two messages of one stage, at least: an event of a run may come every few milliseconds."""

_PATIENT = {"claude-code": 600.0}
"""Client → seconds that it is known to wait while progress flows; others give up after a minute or less."""


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


def attached_for(ctx: Context[Any], default: float) -> float:
    """Seconds to stay with a run for a client that did not say: longer where it is known to wait for progress."""
    request = ctx.request_context
    client = request.session.client_params
    token = (request.meta or {}).get("progress_token")
    if client is None or token is None:
        return default
    return max(default, _PATIENT.get(client.client_info.name.casefold(), default))
