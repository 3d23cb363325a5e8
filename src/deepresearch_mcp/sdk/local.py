"""Carries out runs in this process."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import anyio
from typing_extensions import override

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.asking import check_of, checked_request, limits_of, reply_of
from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.collecting import collect, remove_collection, search_collections
from deepresearch_mcp.jobs.handing import hand_in, unusable, work_of
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.jobs.run_follower import RESTS
from deepresearch_mcp.jobs.sharing import OWN_ADDRESS, revoke_share, share_run, shares_of
from deepresearch_mcp.jobs.soundness import remove_run
from deepresearch_mcp.jobs.trail import events_as_they_happen, events_of
from deepresearch_mcp.jobs.webhooks import caller_secret, check_webhook, expect_webhook
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.ports.documents import FoundPassage
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run, RunRow, RunStatus
from deepresearch_mcp.records.sharing import SharedLink
from deepresearch_mcp.records.trail import RunEvent
from deepresearch_mcp.runtime import load_settings, open_runtime
from deepresearch_mcp.sdk.engine import (
    Collected,
    Collection,
    Engine,
    ForkStage,
    OnEvent,
    OnProgress,
    RunPage,
    RunSummary,
)
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.viewer.formats import format_named, written


def settings_of(settings: Settings | None, flags: Mapping[str, object]) -> Settings:
    """Return `settings` unchanged, or read them and override some by flags.

    Raises:
        SettingsError: A source of settings is wrong.
    """
    return settings or load_settings(flags).settings


@asynccontextmanager
async def open_local(settings: Settings) -> AsyncGenerator[Engine]:
    """Open store, services and jobs; leaving the context interrupts runs that have not ended."""
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        yield LocalEngine(jobs)


class LocalEngine(Engine):
    """The jobs of this process."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    @override
    async def start(self, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        request = self._checked({"clarify": "never", **arguments})
        return await self._begin(request, fresh=fresh, webhook_url=webhook_url)

    @override
    async def start_check(self, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        return await self._begin(check_of(arguments), fresh=fresh, webhook_url=webhook_url)

    def _checked(self, arguments: Mapping[str, Any]) -> ResearchRequest:
        return checked_request(arguments, defaults=self._jobs.runtime.settings.defaults)

    async def _begin(self, request: AnyRequest, *, fresh: bool, webhook_url: str) -> str:
        if webhook_url:
            check_webhook(self._jobs.runtime, webhook_url)
        row = await self._jobs.start_or_join(request, fresh=fresh)
        if webhook_url:
            await expect_webhook(self._jobs.runtime, row.run_id, webhook_url)
        return row.run_id

    @override
    async def follow(
        self, run_id: str, wait_seconds: float | None, on_progress: OnProgress | None, on_event: OnEvent | None
    ) -> Run:
        if on_event is None:
            await self._jobs.follow(run_id, wait_seconds=wait_seconds, on_progress=on_progress)
            return await self._jobs.result(run_id)
        failure: Exception | None = None
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._tell, run_id, on_event)
                row = await self._jobs.follow(run_id, wait_seconds=wait_seconds, on_progress=on_progress)
                if row.status not in RESTS:
                    tasks.cancel_scope.cancel()
        except* Exception as group:  # noqa: BLE001 - raised below, unwrapped
            failure = leaf(group)
        if failure:
            raise failure
        return await self._jobs.result(run_id)

    async def _tell(self, run_id: str, on_event: OnEvent) -> None:
        async for event in events_as_they_happen(self._jobs, run_id, until_it_rests=True):
            await on_event(event)

    @override
    async def events(self, run_id: str, after: int) -> list[RunEvent]:
        return await events_of(self._jobs, run_id, after=after)

    @override
    async def get(self, run_id: str) -> Run:
        return await self._jobs.result(run_id)

    @override
    async def export(self, run_id: str, form: str) -> bytes:
        spec = format_named(form)
        run = await self._jobs.result(run_id)
        if not run.report and spec.name != "json":
            raise InvalidRequest(f"Run {run.run_id} has no report: it is {run.status}.", "Follow it to its end.")
        return await written(run, spec, self._jobs.runtime.store.documents)

    @override
    async def runs(self, *, status: RunStatus | None, query: str, limit: int, cursor: str) -> RunPage:
        before = _place(cursor) if cursor else None
        rows = await self._jobs.find(status=status, text=query, limit=limit + 1, before=before)
        shown = [await self._summary(row) for row in rows[:limit]]
        more = rows[limit - 1] if len(rows) > limit else None
        return RunPage(runs=tuple(shown), next_cursor=f"{more.created!r}/{more.run_id}" if more else None)

    async def _summary(self, row: RunRow) -> RunSummary:
        progress = await self._jobs.progress(row)
        return RunSummary(
            run_id=row.run_id,
            status=row.status,
            stage=progress.stage,
            question=row.request.question,
            created=_moment(row.created),
            updated=_moment(row.updated),
            progress=progress.line(),
        )

    @override
    async def answer(self, run_id: str, said: Mapping[str, Any]) -> None:
        given = dict(said)
        work = given.pop("work", None)
        if work is None:
            await reply(self._jobs, run_id, reply_of(**given))
            return
        handed = await hand_in(self._jobs, run_id, work_of(work), enough=given.get("approve") is True)
        if handed.faults:
            raise unusable(handed.faults)

    @override
    async def cancel(self, run_id: str) -> Run:
        await self._jobs.cancel(run_id)
        return await self._jobs.result(run_id)

    @override
    async def resume(self, run_id: str, ceilings: Mapping[str, Any]) -> str:
        return (await resume_run(self._jobs, run_id, limits=limits_of(ceilings))).run_id

    @override
    async def fork(self, run_id: str, stage: ForkStage, changes: Mapping[str, Any]) -> str:
        return (await fork_run(self._jobs, run_id, stage, changes)).run_id

    @override
    async def delete(self, run_id: str) -> dict[str, int]:
        return await remove_run(self._jobs, run_id)

    @override
    async def estimate(self, arguments: Mapping[str, Any]) -> Estimate:
        return await self._jobs.runtime.estimate(self._checked(arguments), LOCAL_CALLER)

    @override
    async def share(self, run_id: str, hours: float) -> SharedLink:
        base = self._jobs.runtime.settings.http.public_url or OWN_ADDRESS
        return await share_run(self._jobs, run_id, base, hours=hours)

    @override
    async def shares(self, run_id: str) -> list[SharedLink]:
        return await shares_of(self._jobs, run_id)

    @override
    async def unshare(self, run_id: str, share_id: str) -> None:
        await revoke_share(self._jobs, run_id, share_id)

    @override
    async def webhook_secret(self) -> str:
        return caller_secret(self._jobs.runtime, LOCAL_CALLER)

    @override
    async def search_library(
        self, query: str, *, collections: Sequence[str] | None, where: Sequence[str], limit: int
    ) -> list[FoundPassage]:
        return await search_collections(self._jobs.runtime, query, collections=collections, where=where, limit=limit)

    @override
    async def collections(self) -> list[Collection]:
        rows = await self._jobs.runtime.store.collections.of(LOCAL_CALLER).all()
        return [Collection(name=row.name, documents=row.documents, shared=row.shared) for row in rows]

    @override
    async def add_collection(self, name: str, sources: Sequence[str]) -> Collected:
        found = await collect(self._jobs.runtime, name, sources)
        return Collected(added=found.added, unchanged=found.unchanged, removed=found.removed, failed=found.failed)

    @override
    async def remove_collection(self, name: str) -> None:
        await remove_collection(self._jobs.runtime, name)


def _place(cursor: str) -> tuple[float, str]:
    created, _, run_id = cursor.partition("/")
    try:
        return float(created), run_id
    except ValueError as error:
        raise InvalidRequest(f"{cursor[:60]!r} is no cursor.", "Pass next_cursor of the page before.") from error


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
