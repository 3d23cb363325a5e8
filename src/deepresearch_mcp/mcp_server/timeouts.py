"""How long clients wait for an answer: set by the user, known by the client's name, or learned from calls they left."""

import json
import logging
import os
import re
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from deepresearch_mcp.mcp_server.callers import NO_NAME, name_of, nameless
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

_SURE = 4.0
"""Seconds that any client waits: the shortest time-out that is known is five."""

_WITHIN = 0.7
"""The part of a time-out after which a call is answered."""

_LEAST = 1.0
"""Seconds; whoever leaves sooner than that has met no time-out."""

_DAYS = 7
"""How long a time-out is remembered: a user may have raised it since."""

_TIMED_OUT = re.compile(r"tim(?:ed?|ing)[ _-]?out|deadline", re.IGNORECASE)
_BY_USER = re.compile(r"\babort|\buser\b|interrupt|escape", re.IGNORECASE)

_MANY = 256
"""Entries of each memory; the oldest goes."""

_T = TypeVar("_T")


class _Left(NamedTuple):
    """A call that its client did not wait for."""

    run_id: str
    seconds: float


class Timeouts:
    """What clients have shown of how long they wait.

    A call that its client says has timed out tells of all later calls of clients of that name: it is kept in a file,
    as the limit is most often set once for a machine. A call that was left without a reason tells of the run it was
    about; two that were left after the same time tell of the client, for this process.

    The first call of a caller without a name returns while any client waits still, and its text has the next one wait
    long. Whoever leaves that one, or asks again before it was answered, is answered quickly from then on.
    """

    def __init__(self, file: Path | None = None) -> None:
        """`file`: where time-outs are remembered; it need not be there."""
        self._file = file
        self._clients: OrderedDict[str, float] = OrderedDict()
        """Client → seconds of its time-out."""
        self._days: dict[str, int] = {}
        """Client → the day on which that was learned, where it is to be remembered."""
        self._runs: OrderedDict[str, float] = OrderedDict()
        """Run → seconds after which a call about it was left."""
        self._on_trial: set[str] = set()
        self._left: OrderedDict[tuple[str, RequestId], _Left] = OrderedDict()
        self._reasons: OrderedDict[tuple[str, RequestId], str] = OrderedDict()
        self._unexplained: OrderedDict[str, float] = OrderedDict()
        self.unsaved = False

    def limit(self, name: str, run_id: str = "") -> float | None:
        """Seconds within which a call is to be answered; None where nothing was learned."""
        learned = [one for one in (self._clients.get(name), self._runs.get(run_id)) if one is not None]
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
        if trial and (seconds <= _SURE or run_id in self._runs):
            seconds, trial = min(seconds, _SURE), False
        began = clock.monotonic()
        if trial:
            self._on_trial.add(run_id)
        try:
            yield seconds
        except BaseException:  # That is how a request is cancelled.
            self.leave(ctx, spent + clock.monotonic() - began, run_id)
            raise
        finally:
            if trial:
                self._on_trial.discard(run_id)

    def leave(self, ctx: "Ctx", seconds: float, run_id: str = "") -> None:
        """The client of a call has gone after so many seconds; why, it says before or after that, or never."""
        name, request_id = name_of(ctx.session), ctx.request_id
        if request_id is None or seconds < _LEAST:
            return
        key = (name, request_id)
        if key in self._left:  # It was told by who waited for the run.
            return
        left = _Left(run_id, seconds)
        if run_id:
            _put(self._runs, run_id, min(seconds, self._runs.get(run_id, seconds)))
        for known in (key, ("", request_id)):
            if (reason := self._reasons.pop(known, None)) is not None:
                self._learn(name, left, reason)
                return
        _put(self._left, key, left)
        before = self._unexplained.get(name)
        if before is not None and abs(before - seconds) <= max(0.5, before * 0.03):
            self._remember(name, min(before, seconds), keep=False)
        _put(self._unexplained, name, seconds)

    def explain(self, ctx: "Ctx", request_id: "RequestId", reason: str) -> None:
        """Why a client does not wait any more for one of its calls.

        In the newer protocol notifications name no client: there the id alone tells, which is of one pipe.
        """
        name = name_of(ctx.session)
        for key in reversed(self._left):
            if key[1] == request_id and name in {"", key[0]}:
                self._learn(key[0], self._left.pop(key), reason)
                return
        _put(self._reasons, (name, request_id), reason)

    def _learn(self, name: str, left: _Left, reason: str) -> None:
        if _TIMED_OUT.search(reason):
            self._remember(name, left.seconds, keep=True)
        elif _BY_USER.search(reason):
            # A user who stops a call says nothing about its time-out.
            self._runs.pop(left.run_id, None)
            self._unexplained.pop(name, None)

    def _remember(self, name: str, seconds: float, *, keep: bool) -> None:
        if name in {"", NO_NAME}:  # That may be anybody.
            return
        _log.info("%s does not wait longer than %.0f s: its calls are answered sooner.", name, seconds)
        _put(self._clients, name, seconds)
        if keep:
            self._days[name] = _today()
            self.unsaved = True

    def load(self) -> None:
        """Read what earlier sessions learned."""
        for name, (seconds, day) in self._read().items():
            if day > _today() - _DAYS and name not in self._clients:
                self._clients[name], self._days[name] = seconds, day

    def save(self) -> None:
        """Write what was learned for later sessions, beside what others wrote."""
        self.unsaved = False
        if self._file is None or not self._file.parent.is_dir():
            return
        own = {name: (self._clients[name], day) for name, day in self._days.items() if name in self._clients}
        kept = {name: one for name, one in (self._read() | own).items() if one[1] > _today() - _DAYS}
        part = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump({name: {"seconds": one[0], "day": one[1]} for name, one in kept.items()}, file)
            part.replace(self._file)
        except OSError as error:
            _log.info("What was learned of clients' time-outs is not kept: %s", error.strerror)

    def _read(self) -> dict[str, tuple[float, int]]:
        try:
            table: Any = json.loads(self._file.read_text(encoding="utf-8")) if self._file else {}
            rows = cast("dict[str, dict[str, float]]", table).items()
            found = {str(name): (float(row["seconds"]), int(row["day"])) for name, row in list(rows)[:_MANY]}
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

    Whoever sets `server.wait_seconds` knows the clients better.
    """
    if _given(settings):
        return settings.server.wait_seconds or usual
    if nameless(ctx):
        return min(usual, _SURE)
    name = name_of(ctx.session)
    return min([usual, *(seconds for word, seconds in _KNOWN.items() if word in name)])


def next_wait(ctx: "Ctx", settings: "Settings", timeouts: Timeouts, run_id: str, usual: float) -> float:
    """Seconds that the text about a run has the next call wait; never none at all."""
    on_trial = tried(ctx, settings) and not timeouts.hasty(run_id)
    seconds = usual if on_trial else patience(ctx, settings, usual)
    return max(1.0, _within(ctx, settings, timeouts, run_id, seconds))


def tried(ctx: "Ctx", settings: "Settings") -> bool:
    """Whether it has to be found out how long this caller waits."""
    return nameless(ctx) and not _given(settings)


def _within(ctx: "Ctx", settings: "Settings", timeouts: Timeouts, run_id: str, seconds: float) -> float:
    limit = None if _given(settings) else timeouts.limit(name_of(ctx.session), run_id)
    return seconds if limit is None else min(seconds, limit)


def _given(settings: "Settings") -> bool:
    return "wait_seconds" in settings.server.model_fields_set
