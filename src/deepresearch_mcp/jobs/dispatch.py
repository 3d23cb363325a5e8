"""Takes runs from the queue, the callers in turn, while this process has room."""

import logging
from collections.abc import Awaitable, Callable, Sized

import anyio

from deepresearch_mcp.exceptions import DeepResearchError, ServersDied, StoreError
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.jobs.naming import resume_command
from deepresearch_mcp.jobs.pending_ends import described
from deepresearch_mcp.ports.queue import DEATHS
from deepresearch_mcp.records.run import Run, RunRow
from deepresearch_mcp.runtime import Runtime

_log = logging.getLogger(__name__)

Send = Callable[[str], Awaitable[None]]
"""Notifies worker processes of a queued run."""

_ORPHANS = 100
"""Most orphaned runs that are queued again at a time."""


def _hopeless(run_id: str) -> dict[str, str]:
    error = ServersDied(
        f"At least {DEATHS} servers in a row died or hung while working on this run without finishing a step.",
        f"Finished steps are kept. Try once more with {resume_command(run_id)}, or start anew with fresh=true.",
    )
    return described(error)


class Dispatch:
    """Takes runs from the queue for this process: all runs of its setup, or only those requested here.

    Callers of `adopt`, `add`, `close` and `take` must hold `Jobs.starting`, so that no place is given to two runs.
    """

    def __init__(
        self,
        runtime: Runtime,
        at_work: Sized,
        begin: Callable[[RunRow, str | Run], None],
        result: Callable[[str, str], Awaitable[Run]],
        *,
        everything: bool,
        send: Send | None = None,
    ) -> None:
        """Take runs for this process.

        Args:
            runtime: The runtime with the store, the clock and the settings.
            at_work: The runs that this process carries out.
            begin: Starts a claimed run, given its row and the run it builds on.
            result: Returns a run by its id and caller.
            everything: Whether to take all runs of this setup, not only those requested here.
            send: Notifies workers of a queued run. With it, this process starts no runs.
        """
        self._runtime = runtime
        self._runs = runtime.store.runs
        self._at_work = at_work
        self._begin = begin
        self._result = result
        self._everything = everything
        self._send = send
        self._asked: set[str] = set()
        """Ids of runs that this process queued, or joined in the queue."""

    async def adopt(self, mark: str = "") -> None:
        """Queue runs that lost their server again; with `mark`, only those with this fingerprint.

        A run on which several servers in a row died fails, because it could kill this server too.
        """
        now = self._runtime.clock.now().timestamp()
        found = await self._runs.adopt(self._runtime.setup, now, _ORPHANS, mark, hopeless=_hopeless)
        for row in found:
            if row.status == "failed":
                _log.warning("Run %s is given up: %s", row.run_id, (row.error or {}).get("message", ""))
                continue
            _log.info("Run %s is queued again: its server is gone", row.run_id)
            if mark:
                self._asked.add(row.run_id)

    async def join(self, row: RunRow) -> None:
        """Note a queued run that was requested here again, so that this process may take it."""
        if row.setup != self._runtime.setup:
            # Move it to this setup: the servers of the old one may be gone.
            now = self._runtime.clock.now().timestamp()
            await self._runs.revive(row.run_id, row.request, self._runtime.setup, now)
        await self.add(row.run_id)

    async def add(self, run_id: str) -> None:
        """Note a run that was queued here; start it if it is its turn, or notify the workers."""
        if self._send:
            await self._send(run_id)
            return
        self._asked.add(run_id)
        try:
            await self.take()
        except StoreError as error:
            # The run is stored: the next server with room takes it.
            _log.warning("The queue cannot be read now: %s", error)

    async def close(self, row: RunRow) -> bool:
        """Queue a cancelled run that waits for its client's model, so that its findings are written up.

        Return False if it does not wait for its client's model, or has another setup.
        """
        if row.status != "input_required" or row.setup != self._runtime.setup:
            return False
        inquiries, now = self._runtime.store.inquiries, self._runtime.clock.now().timestamp()
        inquiry = await inquiries.open(row.run_id)
        if inquiry is None or inquiry.kind != "work":
            return False
        with anyio.CancelScope(shield=True):
            if not await inquiries.close(row.run_id, inquiry.inquiry_id, now):
                return False
            await self.add(row.run_id)
        return True

    def expect(self, run_id: str) -> None:
        """Note a run of this process that waits for its user, so that it may resume here after the reply."""
        self._asked.add(run_id)

    async def take(self) -> None:
        """Start as many queued runs as there is room for."""
        room = self._runtime.settings.server.runs_at_once - len(self._at_work)
        if self._send or room <= 0 or not (self._everything or self._asked):
            return
        per_caller = self._runtime.settings.limits.runs_per_caller
        among = None if self._everything else frozenset(self._asked)
        setup, now = self._runtime.setup, self._runtime.clock.now().timestamp()
        # A run that is claimed but not begun would wait until this process dies.
        with anyio.CancelScope(shield=True):
            for row in await self._runs.waiting(setup, per_caller=per_caller, limit=room, of=among):
                if taken := await self._runs.claim(row.run_id, setup, now, per_caller=per_caller):
                    self._asked.discard(row.run_id)
                    await self._start(taken)

    async def _start(self, row: RunRow) -> None:
        try:
            background = await background_of(row.request, lambda run_id: self._result(run_id, row.caller))
        except DeepResearchError as error:
            if row.fence == 1:
                now = self._runtime.clock.now().timestamp()
                await self._runs.move(row.run_id, now, status="failed", error=described(error))
                return
            background = ""  # the earlier run is gone; this run's own steps hold what it needs of it
        self._begin(row, background)
