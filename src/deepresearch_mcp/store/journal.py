"""The journal of a run's steps, which stores results before paid work can be lost."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
from anyio.lowlevel import checkpoint
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from typing_extensions import override

from deepresearch_mcp.exceptions import DuplicateStep, JournalError, OwnershipLost, UnknownRun
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step, StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.store.encoding import adapter, dump, request_hash, to_json
from deepresearch_mcp.store.sql import Database, Owners

T = TypeVar("T")

# One statement checks the fence and writes: no process can adopt the run in between.
_START = """
INSERT INTO steps(run_id, key, kind, status, attempt, fence, needs, request, used, started)
SELECT run_id, ?, ?, 'started', 1, fence, ?, ?, ?, ? FROM runs WHERE run_id = ? AND fence = ?$share
ON CONFLICT(run_id, key) DO UPDATE SET kind = excluded.kind, status = excluded.status, attempt = steps.attempt + 1,
  fence = excluded.fence, needs = excluded.needs, request = excluded.request, result = NULL, error = NULL, cost = NULL,
  used = excluded.used, started = excluded.started, ended = NULL
"""
_END = """
UPDATE steps SET status = ?, result = ?, error = ?, cost = ?, used = ?, ended = ?
WHERE run_id = ? AND key = ? AND fence = ?
AND EXISTS(SELECT 1 FROM runs WHERE runs.run_id = steps.run_id AND runs.fence = steps.fence$share)
"""


@dataclass(frozen=True, slots=True)
class _Done:
    """A step recorded by an earlier attempt."""

    request: str
    result: str


class SqlJournal(Journal):
    """`ports.journal.Journal` in a database, for one attempt at one run."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        run_id: str,
        fence: int,
        done: dict[str, _Done],
        left: dict[str, StepStatus],
        earlier: dict[str, Used],
    ) -> None:
        self._database = database
        self._clock = clock
        self._run_id = run_id
        self._fence = fence
        self._done = done
        self._left = left
        self._earlier = earlier
        """Step key → what earlier attempts spent on it; added to the cost if the step is repeated."""
        self._used: set[str] = set()

    @override
    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[T]],
        *,
        kind: StepKind,
        result: type[T] | Any,
        request: object = None,
        stands: object = None,
        used: Callable[[T], Used] | None = None,
        hold: Callable[[], Awaitable[Used]] | None = None,
        lost: Callable[[Exception], Used] | None = None,
    ) -> T:
        """Run `fn` once in the life of the run and return its result; later attempts replay the recorded result.

        If `fn` raises, the row records the error. If it is cancelled, the row stays `started`, since its outcome is
        unknown. A step runs again if its recorded result can no longer be read as `result`.

        Raises:
            DuplicateStep: This attempt at the run has already used the key.
            OwnershipLost: Another process took over the run.
            JournalError: `fn` returned a value that is not a `result`; the row records this error.
        """
        if step.key in self._used:
            raise DuplicateStep(
                f"The step {step.key!r} was asked for twice in one run.", "Please report this fault of ours."
            )
        self._used.add(step.key)
        # A run that only replays must stay cancellable, and a step that is already cancelled must not be recorded.
        await checkpoint()
        asked = request_hash(request)
        reader = adapter(result)
        known = self._done.pop(step.key, None)
        if known and (known.request == asked or (stands is not None and known.request == request_hash(stands))):
            try:
                return reader.validate_json(known.result)
            except ValidationError:
                pass
        await self._start(step, kind, asked, await hold() if hold else None)
        try:
            value = await fn()
            recorded, spent = _recorded(step.key, reader, value), used(value) if used else None
        except Exception as error:
            await self._end(step.key, "error", error=_told(error), used=lost(error) if lost else None)
            raise
        await self._end(step.key, "done", result=recorded, used=spent)
        return value

    @override
    def left(self, key: str) -> StepStatus | None:
        return self._left.get(key)

    @override
    def recorded(self, key: str) -> str | None:
        known = self._done.get(key)
        return known.result if known else None

    @override
    async def rows(self) -> Sequence[StepRow]:
        return await step_rows(self._database, self._run_id)

    async def _start(self, step: Step, kind: StepKind, asked: str, held: Used | None) -> None:
        now, held = self._clock.now().timestamp(), self._whole(step.key, held)
        bound = to_json(held) if held else None
        values = [step.key, kind, to_json(step.depends_on), asked, bound, now, self._run_id, self._fence]
        self._check(await self._database.change(_START, values))

    async def _end(
        self, key: str, status: str, *, result: str | None = None, error: str | None = None, used: Used | None = None
    ) -> None:
        now = self._clock.now().timestamp()
        whole = self._whole(key, used)
        usd = None if whole is None or whole.usd is None else whole.usd + whole.earlier_usd
        spent = (usd, to_json(whole)) if whole else (None, None)
        values = [status, result, error, *spent, now, self._run_id, key, self._fence]
        # The result is paid for, so a cancellation waits until it is stored.
        with anyio.CancelScope(shield=True):
            self._check(await self._database.change(_END, values))

    def _whole(self, key: str, used: Used | None) -> Used | None:
        earlier = self._earlier.get(key)
        return (used or Used()).after(earlier) if earlier else used

    def _check(self, changed: int) -> None:
        if not changed:
            raise OwnershipLost(
                f"The run {self._run_id!r} was taken over by another process, or cancelled while this one seemed dead.",
                "Look at it again with get_report.",
            )


async def step_rows(database: Database, run_id: str) -> list[StepRow]:
    """All steps of a run, oldest first; this process need not own the run."""
    found = await database.rows(
        "SELECT key, kind, status, attempt, needs, request, result, error, cost, started, ended, used"
        " FROM steps WHERE run_id = ? ORDER BY started, number",
        run_id,
    )
    return [
        StepRow(
            key,
            kind,
            status,
            attempt,
            tuple(json.loads(needs)),
            *rest,
            used=Used(**json.loads(used)) if used else None,
        )
        for key, kind, status, attempt, needs, *rest, used in found
    ]


async def open_journal(database: Database, clock: Clock, owners: Owners, run_id: str) -> SqlJournal:
    """Load the recorded steps of a run that this process owns.

    Raises:
        UnknownRun: The run does not exist.
        OwnershipLost: The run belongs to another process.
    """
    found = await database.rows("SELECT owner, fence FROM runs WHERE run_id = ?", run_id)
    if not found:
        raise UnknownRun(run_id)
    [(owner, fence)] = found
    if owner != owners.owner:
        raise OwnershipLost(f"The run {run_id!r} belongs to another process.", "Look at it with get_report.")
    rows = await database.rows("SELECT key, status, request, result, used FROM steps WHERE run_id = ?", run_id)
    done = {key: _Done(request, result) for key, status, request, result, _ in rows if status == "done"}
    left: dict[str, StepStatus] = {key: status for key, status, *_ in rows}
    earlier = {key: Used(**json.loads(used)) for key, *_, used in rows if used}
    return SqlJournal(database, clock, run_id, fence, done, left, earlier)


def _recorded(key: str, reader: TypeAdapter[Any], value: object) -> str:
    try:
        return dump(reader, value)
    except PydanticSerializationError as error:
        raise JournalError(
            f"The step {key!r} returned a {type(value).__name__}, which cannot be recorded as it was declared.",
            "Please report this fault of ours.",
        ) from error


def _told(error: Exception) -> str:
    """The type and message of an error, without the traceback, which could contain values of variables."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()
