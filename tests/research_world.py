"""A whole research in small: engines, a web, a thinker and a journal on one clock that tests move by hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from clocks import HandClock
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.events import StageEntered
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.means import Means
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.search.metering import MeteredEngine
from deepresearch_mcp.search.wrappers import RecordedEngine
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.web.fetching.wrappers import MeteredWeb
from pipeline_fakes import (
    FakeEngine,
    FakeWeb,
    Heard,
    MemoryJournal,
    ScriptedThinker,
    drive,
    hit,
    page,
    part,
)

QUESTION = "Why does ice float on water?"


FACTS = (
    "Ice floats because it is less dense than liquid water.",
    "Hydrogen bonds hold the molecules of ice apart.",
    "Lakes freeze from above in winter.",
    "Fish survive below the ice of lakes.",
    "Sea ice covers the Arctic ocean in winter.",
    "Icebergs show a tenth of their volume above water.",
    "Seals breathe through holes in frozen lakes.",
    "Antarctic glaciers push into the southern sea.",
)


PLAN = Plan(
    sub_questions=(
        part("q1", "Why is ice less dense than water?", ("ice density reason", "hydrogen bonds ice"), priority="high"),
        part("q2", "What does floating ice do to lakes?", ("frozen lakes fish", "lake ice winter")),
    ),
    made_by="scripted",
)


def pages(number: int = 8) -> list[Document]:
    return [
        page(f"https://site{at}.example/ice", FACTS[at % len(FACTS)] + f" Page {at} says so.", title=f"Ice {at}")
        for at in range(number)
    ]


def finds(*documents: Document) -> Callable[[Query], list[Hit]]:
    """Every query finds two pages, each query others as long as there are any."""
    known: dict[str, int] = {}

    def answer(query: Query) -> list[Hit]:
        at = known.setdefault(query.text, len(known))
        return [hit(documents[(2 * at + step) % len(documents)].url) for step in (0, 1)]

    return answer


@dataclass
class KeptWeb:
    """A web whose pages are steps of the journal, however much time is left."""

    web: Any
    journal: MemoryJournal

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        fetch = partial(self.web.fetch, url, needs=needs)
        return await self.journal.step(Step(steps.fetch(url), needs), fetch, kind="fetch", result=Document, request=url)


@dataclass
class World:
    """Everything that one research works with, on a clock of its own."""

    request: ResearchRequest
    clock: HandClock = field(default_factory=HandClock)
    thinker: Any = None
    engines: list[Any] = field(default_factory=list)
    documents: list[Document] = field(default_factory=pages)
    delays: dict[str, float] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    heard: Heard = field(default_factory=Heard)
    background: str = ""
    prices: dict[str, float] = field(default_factory=dict)
    """Engine → USD a query."""
    lives: MemoryJournal | None = None
    """The journal of an earlier life; with one, searches and fetches are recorded too, as in a real run."""
    before: tuple[Amount, float] = (Amount(), 0.0)
    """What earlier lives used, and their seconds."""

    def __post_init__(self) -> None:
        self.journal = self.lives or MemoryJournal(clock=self.clock)
        self.thinker = self.thinker or ScriptedThinker(journal=self.journal, plan=PLAN)
        self.thinker._journal = self.journal
        self.thinker._clock = self.clock
        used, seconds = self.before
        self.ledger = Ledger(self.request.shape, self.clock, carried=used, seconds=seconds)
        self.engines = self.engines or [FakeEngine(finds(*self.documents), clock=self.clock)]
        self.web = FakeWeb(self.documents, clock=self.clock, delays=self.delays)
        engines: list[Any] = [MeteredEngine(one, self.ledger, self.prices.get(one.name, 0.0)) for one in self.engines]
        web: Any = MeteredWeb(self.web, self.ledger)
        if self.lives:
            engines = [RecordedEngine(one, self.journal, steps.search) for one in engines]
            web = KeptWeb(web, self.journal)
        parts = Dependencies(
            thinker=self.thinker,
            last_resort=Extractive(),
            engines=engines,
            search_window=0.3,
            web=web,
            journal=self.journal,
            ledger=self.ledger,
            clock=self.clock,
            emit=self.heard.append,
            settings=ResearchSettings.model_validate(self.settings),
            means=Means(query_usd=self.prices),
        )
        self.research = Research(self.request, parts, self.background)
        self.findings = self.research.findings

    async def run(self, limit: float = 400.0) -> None:
        try:
            await drive(self.clock, self.research.run, limit=limit)
        except BaseExceptionGroup as group:
            raise leaf(group) from group

    @property
    def stages(self) -> list[str]:
        return [event.stage for event in self.heard.of(StageEntered)]


def world(depth: int = 1, question: str = QUESTION, arguments: dict[str, Any] | None = None, **given: Any) -> World:
    request = ResearchRequest(question=question, depth=depth, **(arguments or {}))
    return World(request, **given)
