"""A journal in a file: what judges said of reports outlives the process, and is not paid for again."""

import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

import anyio
from typing_extensions import override

from deepresearch_mcp.exceptions import DuplicateStep, StoreError
from deepresearch_mcp.ports.journal import Journal, Step, StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.quotas import QueryShare
from deepresearch_mcp.store.encoding import adapter, dump, request_hash

T = TypeVar("T")


class FiledJournal(Journal):
    """One line of JSON for each step that is done; open it with `open_filed_journal`.

    What its model calls cost counts against the daily ceilings, as queries outside runs do.
    """

    def __init__(self, file: anyio.Path, done: dict[str, dict[str, str]], share: QueryShare) -> None:
        self._file, self._done, self._share = file, done, share
        self._used: set[str] = set()

    @override
    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[T]],
        *,
        kind: StepKind,
        result: object,
        request: object = None,
        stands: object = None,
        used: Callable[[T], Used] | None = None,
        hold: Callable[[], Awaitable[Used]] | None = None,
        lost: Callable[[Exception], Used] | None = None,
    ) -> T:
        """See `Journal.step`. A step that failed is not recorded, so the next time it is carried out again."""
        del kind
        if step.key in self._used:
            raise DuplicateStep(f"The step {step.key!r} was asked for twice.", "Please report this fault of ours.")
        self._used.add(step.key)
        asked, reader = request_hash(request), adapter(cast("Any", result))
        known = self._done.get(step.key)
        if known and known["request"] in {asked, request_hash(stands) if stands is not None else asked}:
            return cast("T", reader.validate_json(known["result"]))
        bound = await hold() if hold else None
        began = await self._share.begin(bound.usd or 0.0) if bound else ""
        try:
            value = await fn()
        except Exception as error:
            if began and lost:
                await self._share.correct(began, lost(error).usd or 0.0)
            raise
        # The result is paid for, so a cancellation waits until it is written.
        with anyio.CancelScope(shield=True):
            if began and used:
                await self._share.correct(began, used(value).usd or 0.0)
            await self._keep(step.key, asked, dump(reader, value))
        return value

    async def _keep(self, key: str, asked: str, result: str) -> None:
        line = json.dumps({"key": key, "request": asked, "result": result})
        async with await self._file.open("a", encoding="utf-8") as file:
            await file.write(line + "\n")

    @override
    def left(self, key: str) -> StepStatus | None:
        return "done" if key in self._done else None

    @override
    def recorded(self, key: str) -> str | None:
        known = self._done.get(key) if key not in self._used else None
        return known["result"] if known else None

    @override
    async def rows(self) -> Sequence[StepRow]:
        return ()


async def open_filed_journal(file: anyio.Path, share: QueryShare) -> FiledJournal:
    """Read what is recorded in the file, which need not exist yet; only this user can read it.

    Raises:
        StoreError: The file cannot be read or made.
    """
    done: dict[str, dict[str, str]] = {}
    try:
        await file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        await file.touch(mode=0o600)
        lines = (await file.read_text(encoding="utf-8")).splitlines()
    except OSError as error:
        raise StoreError(
            f"{file} cannot be used ({type(error).__name__}).", "Make it writable, or remove it: it is made anew."
        ) from error
    for line in lines:
        # The last line is cut where a process died while it wrote.
        with suppress(ValueError, KeyError, TypeError):
            row = json.loads(line)
            done[row["key"]] = {"request": row["request"], "result": row["result"]}
    return FiledJournal(file, done, share)
