"""Holds a run while this process owns it: its cancel scope, progress and listeners."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import anyio

from deepresearch_mcp.events import Event, StageEntered
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.consent import InputRequest

_log = logging.getLogger(__name__)

_SAVE_EVERY = 2.0
"""Seconds between saves of the progress, which other processes read."""

_SAVE_AT_LEAST = 5.0
"""Seconds after which the progress is saved even if nothing happened."""

_TOGETHER = 100
"""Events that are written at once: a judgement tells its verdicts within a moment."""

_AGAIN = 1.0
"""Seconds before a failed write of events is retried."""

OnProgress = Callable[[Progress], Awaitable[None]]
"""Called with progress. If it raises, following stops but the run continues."""


@dataclass(slots=True)
class ActiveRun:
    """One run in this process."""

    run_id: str
    request: AnyRequest
    began: float
    """Start of the run in monotonic seconds, moved back by `before`."""
    progress: Progress
    before: float = 0.0
    """Seconds that earlier attempts worked."""
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    """Cancels the work that can be cancelled now. A stopping server cancels from outside."""
    closing: bool = False
    """The run was cancelled while it waited for its client's model; this attempt only writes up what is known."""
    cancelled: bool = False
    """Whether a request cancelled the run."""
    waiting: InputRequest | None = None
    """A question to the run's user. It ends this attempt; the reply starts the next."""
    news: Signal = field(default_factory=Signal)
    ended: bool = False
    _pending: list[tuple[float, Event]] = field(default_factory=list[tuple[float, Event]])
    """Events that are not written yet, with the POSIX time at which they happened."""
    _batch: tuple[tuple[float, str, dict[str, Any]], ...] = ()
    """The first pending events as they are being written."""
    _behind: bool = False
    """Whether the last write of events failed."""
    _more: Signal = field(default_factory=Signal)
    _writing: anyio.Lock = field(default_factory=anyio.Lock)

    def cancel(self) -> None:
        """Cancel the run on request."""
        self.cancelled = True
        self.scope.cancel()

    def wait(self, inquiry: InputRequest) -> None:
        """End this attempt; the run waits for a reply to `inquiry`."""
        self.waiting = inquiry
        self.scope.cancel()

    def enter(self) -> anyio.CancelScope:
        """Open a new cancel scope; it is already cancelled if `cancel` was called before."""
        self.scope = anyio.CancelScope()
        if self.cancelled:
            self.scope.cancel()
        return self.scope

    def now(self, clock: Clock) -> Progress:
        """Return the progress with the seconds worked so far."""
        return replace(self.progress, seconds=clock.monotonic() - self.began)

    def emit(self, event: Event, clock: Clock) -> None:
        """Fold an event into the progress and keep it for the audit trail."""
        self.progress = self.progress.after(event, clock.monotonic() - self.began)
        self._pending.append((clock.now().timestamp(), event))
        self._more.notify()
        self.news.notify()

    async def record(self, store: Store, clock: Clock) -> None:
        """Write events as they occur, until cancelled; `flush` writes the rest."""
        saved = clock.monotonic()
        while True:
            # Save even if nothing happens: the time worked counts against the ceiling of the next attempt.
            await at_most(clock, _SAVE_AT_LEAST, lambda: self._more.wait_until(lambda: bool(self._pending)))
            stages = any(isinstance(event, StageEntered) for _, event in self._pending)
            await self.flush(store)
            if self._behind:
                await clock.sleep(_AGAIN)
            if stages or clock.monotonic() - saved >= _SAVE_EVERY:
                saved = clock.monotonic()
                await self._save(store, clock)

    async def flush(self, store: Store) -> None:
        """Write pending events. A failed write is retried later and does not end the run."""
        try:
            # One flush at a time: on return all earlier events are written, in order.
            async with self._writing:
                if self._pending and not await store.runs.owns(self.run_id):
                    # Another server owns the trail now: our events would come after its end.
                    self._pending.clear()
                    self._batch = ()
                while self._pending:
                    # A retry writes the same ones: a cancelled attempt may have written them already.
                    if not self._batch:
                        first = self._pending[:_TOGETHER]
                        self._batch = tuple((at, event.kind, event.data()) for at, event in first)
                    await store.events.add_all(self.run_id, self._batch)
                    del self._pending[: len(self._batch)]
                    self._batch = ()
            self._behind = False
        except StoreError as error:
            if not self._behind:
                _log.warning("The audit trail of run %s is behind: %s", self.run_id, error)
            self._behind = True

    async def _save(self, store: Store, clock: Clock) -> None:
        if self.progress.stage == "ended":
            return  # `PendingEnds` writes the end together with the status
        try:
            now = clock.now().timestamp()
            await store.runs.move(self.run_id, now, stage=self.progress.stage, progress=asdict(self.now(clock)))
        except StoreError as error:
            _log.warning("The progress of run %s was not saved: %s", self.run_id, error)
