"""One server of bench/chaos.py: real jobs on a real store, with a research that is nothing but steps.

chaos_server.py FOLDER FIRST COUNT    starts runs FIRST … FIRST+COUNT-1, then serves until it is killed
chaos_server.py URL 0 0               a worker on the database at URL, until it is killed
chaos_server.py URL FIRST COUNT       a server that puts the runs into the queue of the workers, and ends
"""

import hashlib
import random
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any, cast

import anyio

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import EventSink, Started
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.scope import scope
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.tally import Tally, amount_of
from deepresearch_mcp.watching import Watching

BRANCHES = 8
AT_ONCE = 6
FIRST, SECOND = "first", "second"


def made(word: str, question: str, branch: int, before: str = "") -> str:
    """What a step answers: tells which run, which branch and which step it belongs to."""
    digest = hashlib.sha256(f"{word}|{question}|{branch}|{before}".encode()).hexdigest()[:8]
    return f"{word} {branch} {digest}"


def expected(question: str) -> str:
    """What a run must come to."""
    both = ((branch, made(FIRST, question, branch)) for branch in range(BRANCHES))
    return "; ".join(made(SECOND, question, branch, first) for branch, first in both)


class Steps:
    """Stands for `Research`: two steps in each branch of a task group."""

    def __init__(self, request: ResearchRequest, journal: Journal) -> None:
        self.findings = Findings(scope(request, date(2026, 11, 21), ""))
        self._journal = journal

    async def run(self) -> None:
        """All branches at once, each slower or faster by chance."""
        question = self.findings.brief.question
        results: dict[int, str] = {}

        async def step(word: str, branch: int, before: str = "") -> str:
            async def call() -> str:
                await anyio.sleep(random.uniform(0.2, 2.5))
                return made(word, question, branch, before)

            at = Step(f"{word}/{branch}")
            return await self._journal.step(at, call, kind="model", result=str, request=(question, branch, before))

        async def branch(number: int) -> None:
            results[number] = await step(SECOND, number, await step(FIRST, number))

        async with anyio.create_task_group() as tasks:
            for number in range(BRANCHES):
                tasks.start_soon(branch, number)
        self.findings.direct = "; ".join(results[number] for number in range(BRANCHES))

    async def write_up(self) -> None:
        """There is nothing to write."""


class Parts:
    """Stands for `Runtime` before `Jobs`."""

    setup = "chaos"

    def __init__(self, store: Store, clock: SystemClock) -> None:
        self.store = store
        self.clock = clock
        self.watching = Watching()
        self.settings = Settings.model_validate({"home": store.home, "server": {"runs_at_once": AT_ONCE}})

    async def check(self, request: ResearchRequest, caller: str = "") -> None:
        """Nothing is refused."""

    @asynccontextmanager
    async def research(
        self,
        run_id: str,
        request: ResearchRequest,
        _background: str,
        tell: EventSink,
        seconds: float = 0.0,
        *,
        asker: object = None,  # noqa: ARG002 - no model is asked
        broker: object = None,  # noqa: ARG002 - no client thinks
    ) -> AsyncGenerator[Session]:
        """One run's steps with its journal."""
        async with self.store.journal(run_id) as journal:
            carried = amount_of(await journal.rows())
            tell(Started(request.question, "chaos", ()))
            yield Session(
                research=cast(Research, Steps(request, journal)),
                store=self.store,
                ledger=Ledger(request.shape, self.clock, carried=carried, seconds=seconds),
                tally=Tally(),
                journal=journal,
                thinker="chaos",
                engines=(),
                request=request,
                clock=self.clock,
                started=self.clock.now().isoformat(),
            )


async def start(jobs: Jobs, first: int, count: int) -> None:
    """Ask the questions of so many runs."""
    for number in range(first, first + count):
        await jobs.start_or_join(ResearchRequest(question=f"What comes of run {number}?", depth=0, max_minutes=60))


async def serve(home: Path, first: int, count: int) -> None:
    """Start the runs, tell who we are, and live until we are killed."""
    clock = SystemClock()
    async with open_sqlite_store(home, clock) as store:
        parts: Any = Parts(store, clock)
        async with open_jobs(cast(Runtime, parts), adopting=True) as jobs:
            await start(jobs, first, count)
            print(cast(Any, store)._owners.owner, flush=True)
            await anyio.sleep_forever()


async def share(url: str, first: int, count: int) -> None:
    """The same on a database: either take the runs in, or be a worker."""
    from deepresearch_mcp.jobs.cluster import open_sender, work_on_runs
    from deepresearch_mcp.store.postgres import opening

    clock = SystemClock()
    async with opening.open_postgres_store(url, Path(), clock) as store:
        parts: Any = Parts(store, clock)
        if count:
            async with open_sender(url) as send, open_jobs(cast(Runtime, parts), send=send) as jobs:
                await start(jobs, first, count)
            return
        async with open_jobs(cast(Runtime, parts), adopting=True) as jobs:
            owner = cast(Any, store)._owners.owner
            await work_on_runs(jobs, url, clock, AT_ONCE, ready=lambda: print(owner, flush=True))


if __name__ == "__main__" and len(sys.argv) > 1:
    shared = sys.argv[1].startswith("postgresql://")
    anyio.run(share if shared else serve, sys.argv[1] if shared else Path(sys.argv[1]), *map(int, sys.argv[2:4]))
