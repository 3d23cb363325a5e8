"""Progress notifications of one request, and how long its client waits: told by its name, or found out."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context
from mcp.server.session import ServerSession

if TYPE_CHECKING:
    from deepresearch_mcp.events import Progress
    from deepresearch_mcp.ports.clock import Clock
    from deepresearch_mcp.settings import Settings

_GAP = 0.5
"""Seconds between two messages of one stage, at least: an event of a run may come every few milliseconds."""

_PATIENT = {"claude-code": 600.0}
"""Client → seconds that it is known to wait while progress flows; others give up after a minute or less."""

_IMPATIENT = {"openai-agents": 4.0, "jetbrains": 25.0, "intellij": 25.0}
"""Word in a client's name → seconds after which it is sure to be waiting still."""

_NO_NAME = "mcp"
"""What the Python SDK calls a client that gives itself no name, as those of openai-agents, LangChain and fastmcp."""

_SURE = 4.0
"""Seconds that any client waits: the shortest time-out that is known is five."""

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


class Trials:
    """What callers without a name have shown of how long they wait for a run.

    The first call of such a one returns while any client waits still, and its text has the next one wait long. Whoever
    leaves that call, or asks again before it was answered, gave up early: from then on nothing of that run is waited
    for longer than any client does.
    """

    def __init__(self) -> None:
        self._hasty: set[str] = set()
        self._on_trial: set[str] = set()

    def hasty(self, run_id: str) -> bool:
        """Whether somebody who asked about this run gave up early."""
        return run_id in self._hasty

    @contextmanager
    def waiting(self, run_id: str, seconds: float) -> Generator[float]:
        """Wait for a run; yields for how long."""
        if run_id in self._on_trial:
            self._hasty.add(run_id)
        if seconds <= _SURE or run_id in self._hasty:
            yield min(seconds, _SURE)
            return
        self._on_trial.add(run_id)
        try:
            yield seconds
        except BaseException:  # That is how a request is cancelled.
            self._hasty.add(run_id)
            raise
        finally:
            self._on_trial.discard(run_id)


def attached_for(ctx: Context[Any], settings: "Settings", spent: float = 0.0) -> float:
    """Seconds to stay with a run for a client that did not say: longer where it is known to wait for progress.

    `spent`: seconds that it has waited already.
    """
    default = patience(ctx, settings, settings.server.wait_seconds)
    if not hears_progress(ctx):
        return max(0.0, default - spent)
    return max(0.0, max(default, _PATIENT.get(_name(ctx.request_context.session), default)) - spent)


def patience(ctx: Context[Any], settings: "Settings", usual: float) -> float:
    """Seconds that this client surely waits for an answer, `usual` where nothing else is known of it.

    Whoever sets `server.wait_seconds` knows the clients better.
    """
    if _given(settings):
        return settings.server.wait_seconds or usual
    if nameless(ctx):
        return min(usual, _SURE)
    name = _name(ctx.request_context.session)
    return min([usual, *(seconds for word, seconds in _IMPATIENT.items() if word in name)])


def next_wait(ctx: Context[Any], settings: "Settings", trials: Trials, run_id: str, usual: float) -> float:
    """Seconds that the text about a run has the next call wait; never none at all."""
    return max(1.0, usual if tried(ctx, settings) and not trials.hasty(run_id) else patience(ctx, settings, usual))


def tried(ctx: Context[Any], settings: "Settings") -> bool:
    """Whether it has to be found out how long this caller waits."""
    return nameless(ctx) and not _given(settings)


def nameless(ctx: Context[Any]) -> bool:
    """Whether nothing is known of this caller: no name, and no wish to hear progress, which fastmcp always has."""
    return not named(ctx) and not hears_progress(ctx)


def named(ctx: Context[Any]) -> bool:
    """Whether the client says who it is, as hosts do for their users; agents' frameworks leave it to the SDK."""
    return gives_name(ctx.request_context.session)


def gives_name(session: ServerSession) -> bool:
    """Whether the client at this session's other end says who it is."""
    return _name(session) != _NO_NAME


def hears_progress(ctx: Context[Any]) -> bool:
    """Whether this request asks to be told how it comes on."""
    return (ctx.request_context.meta or {}).get("progress_token") is not None


def _given(settings: "Settings") -> bool:
    return "wait_seconds" in settings.server.model_fields_set


def _name(session: ServerSession) -> str:
    client = session.client_params
    return client.client_info.name.casefold() if client else ""
