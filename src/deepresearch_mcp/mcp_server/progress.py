"""Progress notifications of one request: strictly rising, never silent for long, never a flood."""

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

if TYPE_CHECKING:
    from deepresearch_mcp.events import Progress
    from deepresearch_mcp.ports.clock import Clock
    from deepresearch_mcp.settings import Settings

_GAP = 0.5
"""Seconds between two messages of one stage, at least: an event of a run may come every few milliseconds."""

_PATIENT = {"claude-code": 600.0}
"""Client → seconds that it is known to wait while progress flows; others give up after a minute or less."""

_IMPATIENT = {"mcp": 4.0, "openai-agents": 4.0, "jetbrains": 25.0, "intellij": 25.0}
"""Word in a client's name → seconds after which it is sure to be waiting still.

`mcp` is what the Python SDK calls a client that gives itself no name, as those of openai-agents: 5 seconds are theirs.
"""


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


def attached_for(ctx: Context[Any], settings: "Settings") -> float:
    """Seconds to stay with a run for a client that did not say: longer where it is known to wait for progress."""
    default = patience(ctx, settings, settings.server.wait_seconds)
    token = (ctx.request_context.meta or {}).get("progress_token")
    return default if token is None else max(default, _PATIENT.get(_name(ctx), default))


def patience(ctx: Context[Any], settings: "Settings", usual: float) -> float:
    """Seconds that this client surely waits for an answer, `usual` where nothing else is known of it.

    Whoever sets `server.wait_seconds` knows the clients better.
    """
    if "wait_seconds" in settings.server.model_fields_set:
        return usual
    name = _name(ctx)
    known = [seconds for word, seconds in _IMPATIENT.items() if word == name or (word in name and word != "mcp")]
    return min([usual, *known])


def _name(ctx: Context[Any]) -> str:
    client = ctx.request_context.session.client_params
    return client.client_info.name.casefold() if client else ""
