"""How long clients wait for an answer: set by the user, known by the client's name, or learned from calls they left."""

import json
import logging
import os
import re
import secrets
from asyncio import CancelledError
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import anyio
import anyio.to_thread

from deepresearch_mcp.mcp_server.callers import NO_NAME, name_of, nameless, session_of
from deepresearch_mcp.system_clock import SystemClock

if TYPE_CHECKING:
    from mcp.types import RequestId

    from deepresearch_mcp.mcp_server.tasks import Ctx
    from deepresearch_mcp.ports.clock import Clock
    from deepresearch_mcp.settings.schema import Settings

_log = logging.getLogger(__name__)

_KNOWN = {"openai-agents": 4.0, "jetbrains": 25.0, "intellij": 25.0, "codex": 25.0}
"""Word in a client's name → seconds within which it is answered. Codex would wait for 60, but the code that calls tools
for its model is taken back after 30, and each further look is a turn of the model."""

SURE = 4.0
"""Seconds that any client waits: the shortest time-out that is known is five."""

_WITHIN = 0.7
"""The part of a time-out after which a call is answered."""

_LEAST = 1.0
"""Seconds; a call that was left sooner has met no time-out."""

_DAYS = 7
"""How long a time-out is remembered: a user may have raised it since."""

_TIMED_OUT = re.compile(r"tim(?:ed?|ing)[ _-]?out|deadline", re.IGNORECASE)
_BY_USER = re.compile(r"\babort|\buser\b|interrupt|escape", re.IGNORECASE)

_MANY = 256
"""Entries of each memory; the oldest goes."""

_T = TypeVar("_T")


_Key = tuple[str, str, "RequestId"]
"""Session, name of the client, request: ids of requests begin at 1 in each session."""


class _Left(NamedTuple):
    """A call that its client did not wait for."""

    run_id: str
    seconds: float


class _Limit(NamedTuple):
    """The time-out of a client."""

    seconds: float
    day: int | None
    """When it was learned, if that is to be remembered."""


class _Leaving(NamedTuple):
    """How long a call had lasted that was left without a reason, and when."""

    seconds: float
    at: float


class Timeouts:
    """What clients have shown of how long they wait.

    A call whose client says that it timed out sets a limit for all clients of that name. The limit is kept in a file,
    because it is most often set once for a machine. A call that was left without a reason sets a limit for its run;
    two of them, one after the other and of the same length, set one for the client, for this process.

    The first call of a caller without a name returns while any client still waits, and its text has the next one wait
    long. A caller that leaves that one, or asks again before it was answered, is answered quickly from then on.
    """

    def __init__(self, file: Path | None = None) -> None:
        """`file`: where time-outs are remembered; it need not be there."""
        self._file = file
        self._clients: OrderedDict[str, _Limit] = OrderedDict()
        """By name."""
        self._runs: OrderedDict[str, float] = OrderedDict()
        """Run → seconds after which a call about it was left."""
        self._on_trial: set[str] = set()
        self._left: OrderedDict[_Key, _Left] = OrderedDict()
        self._reasons: OrderedDict[_Key, str] = OrderedDict()
        self._unexplained: OrderedDict[str, _Leaving] = OrderedDict()
        self._saving = anyio.Lock()
        self.unsaved = False

    def limit(self, name: str, run_id: str = "") -> float | None:
        """Seconds within which a call is to be answered; None where nothing was learned."""
        client = self._clients.get(name)
        learned = [one for one in (client and client.seconds, self._runs.get(run_id)) if one is not None]
        return max(_LEAST, _WITHIN * min(learned)) if learned else None

    def hasty(self, run_id: str) -> bool:
        """Whether a call about this run was left."""
        return run_id in self._runs

    @contextmanager
    def waiting(
        self, ctx: "Ctx", run_id: str, seconds: float, clock: "Clock", spent: float = 0.0, *, trial: bool = False
    ) -> Generator[float]:
        """Wait for a run; yields for how long. `spent`: seconds since the call came in, by the system's clock."""
        if trial and run_id in self._on_trial:
            self._runs.setdefault(run_id, seconds)
        if trial and (seconds <= SURE or run_id in self._runs):
            seconds, trial = min(seconds, SURE), False
        began = clock.monotonic()
        if trial:
            self._on_trial.add(run_id)
        try:
            yield seconds
        except CancelledError:
            self.leave(ctx, spent + clock.monotonic() - began, clock.monotonic(), run_id)
            raise
        finally:
            if trial:
                self._on_trial.discard(run_id)

    def leave(self, ctx: "Ctx", seconds: float, now: float, run_id: str = "") -> None:
        """The client of a call left it after so many seconds; it gives its reason before or after that, or never."""
        name, session, request_id = name_of(ctx.session), session_of(ctx), ctx.request_id
        if request_id is None or seconds < _LEAST:
            return
        key = (session, name, request_id) if session is not None else None
        if key is not None and key in self._left:  # It was already counted where the call waited for its run.
            return
        left = _Left(run_id, seconds)
        if run_id:
            _put(self._runs, run_id, min(seconds, self._runs.get(run_id, seconds)))
        if key is not None:
            _put(self._left, key, left)
            for known in (key, (key[0], "", request_id)):
                if (reason := self._reasons.pop(known, None)) is not None:
                    self._learn(name, left, reason)
                    return
        before = self._unexplained.get(name)
        # One press of a key leaves all calls that run: only a call that began later shows the same limit again.
        again = before is not None and now - seconds >= before.at
        if before is not None and again and abs(before.seconds - seconds) <= max(0.5, before.seconds * 0.03):
            self._remember(name, min(before.seconds, seconds), keep=False)
        _put(self._unexplained, name, _Leaving(seconds, now))

    def explain(self, ctx: "Ctx", request_id: "RequestId", reason: str) -> None:
        """Why a client no longer waits for one of its calls.

        In the newer protocol notifications name no client, so on a pipe the id alone tells; over HTTP, where that
        protocol has no sessions, nothing tells whose call it was.
        """
        name, session = name_of(ctx.session), session_of(ctx)
        if session is None:
            return
        for key in reversed(self._left):
            if key[0] == session and key[2] == request_id and name in {"", key[1]}:
                self._learn(key[1], self._left[key], reason)
                return
        _put(self._reasons, (session, name, request_id), reason)

    def _learn(self, name: str, left: _Left, reason: str) -> None:
        if _TIMED_OUT.search(reason):
            self._remember(name, left.seconds, keep=True)
        elif _BY_USER.search(reason):
            # A user who stops a call says nothing about its time-out.
            self._runs.pop(left.run_id, None)
            self._unexplained.pop(name, None)

    def _remember(self, name: str, seconds: float, *, keep: bool) -> None:
        if name in {"", NO_NAME}:  # Many programs call themselves that.
            return
        _log.info("%s does not wait longer than %.0f s: its calls are answered sooner.", name, seconds)
        _put(self._clients, name, _Limit(seconds, _today() if keep else None))
        self.unsaved = self.unsaved or keep

    async def load(self) -> None:
        """Read what earlier sessions learned."""
        for name, (seconds, day) in (await anyio.to_thread.run_sync(self._read)).items():
            if day > _today() - _DAYS and name not in self._clients:
                _put(self._clients, name, _Limit(seconds, day))

    async def save(self) -> None:
        """Write what was learned for later sessions, beside what others wrote."""
        async with self._saving:
            self.unsaved = False
            # A thread must not read what the event loop changes.
            own = {name: (one.seconds, one.day) for name, one in self._clients.items() if one.day is not None}
            await anyio.to_thread.run_sync(self._write, own)

    def _write(self, own: dict[str, tuple[float, int]]) -> None:
        if self._file is None or not self._file.parent.is_dir():
            return
        # The newest come last, and the oldest go where there are too many.
        others = {name: one for name, one in self._read().items() if name not in own}
        kept = dict([(name, one) for name, one in (others | own).items() if one[1] > _today() - _DAYS][-_MANY:])
        part = self._file.with_name(f"{self._file.name}.{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump({name: {"seconds": one[0], "day": one[1]} for name, one in kept.items()}, file)
            part.replace(self._file)
        except OSError as error:
            _log.info("Clients' time-outs could not be saved: %s", error.strerror)
            with suppress(OSError):
                part.unlink()

    def _read(self) -> dict[str, tuple[float, int]]:
        try:
            table: Any = json.loads(self._file.read_text(encoding="utf-8")) if self._file else {}
            rows = cast("dict[str, dict[str, float]]", table).items()
            found = {str(name): (float(row["seconds"]), int(row["day"])) for name, row in list(rows)[-_MANY:]}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {}
        return {name: one for name, one in found.items() if _LEAST <= one[0] < 86_400}


def _put(memory: "OrderedDict[Any, _T]", key: object, value: _T) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > _MANY:
        memory.popitem(last=False)


def _today() -> int:
    return SystemClock().now().toordinal()


def attached_for(
    ctx: "Ctx", settings: "Settings", timeouts: Timeouts, run_id: str, asked: float | None = None, spent: float = 0.0
) -> float:
    """Seconds to stay with a run in one call: those `asked` for, else those that its client surely waits.

    `spent`: seconds that it has waited already.
    """
    seconds = patience(ctx, settings, settings.server.wait_seconds) if asked is None else asked
    return max(0.0, _within(ctx, settings, timeouts, run_id, seconds) - (spent if asked is None else 0.0))


def patience(ctx: "Ctx", settings: "Settings", usual: float) -> float:
    """Seconds that this client surely waits for an answer, `usual` where nothing else is known of it.

    A set `server.wait_seconds` holds for every client.
    """
    if _given(settings):
        return settings.server.wait_seconds or usual
    if nameless(ctx):
        return min(usual, SURE)
    name = name_of(ctx.session)
    return min([usual, *(seconds for word, seconds in _KNOWN.items() if word in name)])


def next_wait(ctx: "Ctx", settings: "Settings", timeouts: Timeouts, run_id: str, usual: float) -> float:
    """Seconds that the text about a run tells the next call to wait: at least one."""
    on_trial = tried(ctx, settings) and not timeouts.hasty(run_id)
    seconds = usual if on_trial else patience(ctx, settings, usual)
    return max(1.0, _within(ctx, settings, timeouts, run_id, seconds))


def tried(ctx: "Ctx", settings: "Settings") -> bool:
    """Whether the time-out of this caller is still to be learned."""
    return nameless(ctx) and not _given(settings)


def _within(ctx: "Ctx", settings: "Settings", timeouts: Timeouts, run_id: str, seconds: float) -> float:
    limit = None if _given(settings) else timeouts.limit(name_of(ctx.session), run_id)
    return seconds if limit is None else min(seconds, limit)


def _given(settings: "Settings") -> bool:
    return "wait_seconds" in settings.server.model_fields_set
