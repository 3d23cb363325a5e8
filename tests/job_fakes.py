"""Runs over fakes: a runtime whose researches are scripted, and a store whose disk can fill up."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from clocks import HandClock
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Degraded, EventSink, Started
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies, Unasked
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.search.wrappers import RecordedEngine
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.watching import Watching
from pipeline_fakes import FakeEngine, FakeWeb, ScriptedThinker, hit, idle, page, part

QUESTION = "Why does ice float on water?"

PAGES = [
    page("https://one.example/ice", "Ice floats because it is less dense than liquid water.", title="Ice"),
    page("https://two.example/lakes", "Lakes freeze from above because ice floats on water.", title="Lakes"),
]
PLAN = Plan(sub_questions=(part("q1", QUESTION, ("ice density reason", "floating ice lakes")),), made_by="scripted")

FULL = StoreError(
    "deepresearch.db cannot be used: the disk is full; what was stored before is kept.", "Free some space."
)


class Fallible:
    """A port of the store whose methods named in `broken` raise instead, and those in `held` wait first."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.broken: dict[str, Exception] = {}
        self.held: dict[str, Callable[[], Awaitable[object]]] = {}
        """Method → what is awaited before it is carried out."""

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._inner, name)

        async def call(*args: Any, **given: Any) -> Any:
            if name in self.held:
                await self.held[name]()
            if name in self.broken:
                raise self.broken[name]
            return await real(*args, **given)

        return call


class FallibleStore:
    """Implements `ports.store.Store` around another store."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner
        self.home: Path = inner.home
        self.reports = inner.reports
        self.runs = Fallible(inner.runs)
        self.claims = Fallible(inner.claims)
        self.events = Fallible(inner.events)
        self.judgements = inner.judgements
        self.answers = inner.answers
        self.keys = inner.keys
        self.figures = inner.figures
        self.tokens = inner.tokens
        self.shares = inner.shares
        self.prompts = inner.prompts
        self.traces = inner.traces
        self.webhooks = inner.webhooks
        self.sessions = inner.sessions
        self.documents = inner.documents
        self.collections = inner.collections
        self.spending = inner.spending
        self.inquiries = Fallible(inner.inquiries)
        self.retention = Fallible(inner.retention)
        self.no_journal: Exception | None = None

    async def run_with_report(self, run_id: str, caller: str, name: str | None) -> tuple[RunRow | None, None]:
        row = await self.runs.get(run_id)
        return (row if row and row.caller == caller else None), None

    @asynccontextmanager
    async def journal(self, run_id: str) -> AsyncGenerator[Any]:
        if self.no_journal:
            raise self.no_journal
        async with self._inner.journal(run_id) as journal:
            yield journal


class FakeRuntime:
    """Stands for `Runtime` before `Jobs`: real sessions over a scripted thinker, an engine and a web."""

    def __init__(
        self, store: Any, clock: HandClock, *, delay: float = 0.0, runs_at_once: int = 8, **script: Any
    ) -> None:
        self.store = store
        self.clock = clock
        self.settings = Settings.model_validate({"home": store.home, "server": {"runs_at_once": runs_at_once}})
        self.engine = FakeEngine(lambda query: [hit(one.url) for one in PAGES], clock=clock, delay=delay)
        self.script: dict[str, Any] = {"plan": PLAN} | script
        self.refusal: Exception | None = None
        self.warnings: list[str] = []
        self.backgrounds: list[str] = []
        self.sessions: list[Session] = []
        self.setup = "as configured"
        self.watching = Watching()

    async def check(self, request: ResearchRequest, caller: str = "") -> None:
        if self.refusal:
            raise self.refusal

    @asynccontextmanager
    async def research(
        self,
        run_id: str,
        request: ResearchRequest,
        background: str,
        emit: EventSink,
        seconds: float = 0.0,
        *,
        asker: UserPrompter | None = None,
        broker: Broker | None = None,
    ) -> AsyncGenerator[Session]:
        del broker
        self.backgrounds.append(background)
        ledger = Ledger(request.shape, self.clock, seconds=seconds)
        async with self.store.journal(run_id) as journal:
            for warning in self.warnings:
                emit(Degraded(warning))
            thinker = ScriptedThinker(clock=self.clock, **self.script)
            parts = Dependencies(
                thinker=thinker,
                last_resort=Extractive(),
                engines=[RecordedEngine(self.engine, journal, steps.search)],
                search_window=0.1,
                web=FakeWeb(PAGES, clock=self.clock),
                journal=journal,
                ledger=ledger,
                clock=self.clock,
                emit=emit,
                settings=self.settings.research,
                asker=asker or Unasked(),
            )
            emit(Started(request.question, thinker.name, ("one",)))
            session = Session(
                research=Research(request, parts, background),
                store=self.store,
                ledger=ledger,
                tally=Tally(),
                journal=journal,
                thinker=thinker.name,
                engines=("one",),
                request=request,
                clock=self.clock,
                started=self.clock.now().isoformat(),
                warnings=self.warnings,
            )
            self.sessions.append(session)
            yield session


async def until(clock: HandClock, store: Any, holds: Callable[[], Awaitable[bool]], *, step: float = 0.05) -> None:
    """Let time pass in small steps until it holds; no faster than the store's own threads do their work."""
    for _ in range(40_000):
        if await holds():
            return
        for _ in range(3):
            await idle(5)
            # What is asked of the writer before this is done when it returns.
            await store.runs.request_cancel("nobody", 0.0)
        clock.advance(step)
    raise AssertionError("it never held")
