"""A small run for the tests of sub-questions: engines, a web, a thinker and a journal that share one clock."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

import anyio
from anyio.abc import TaskGroup

from clocks import HandClock
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.pages import Pages
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.pipeline.research.reading_room import ReadingRoom
from deepresearch_mcp.pipeline.research.searcher import Engines
from deepresearch_mcp.pipeline.research.sub_question import SubQuestionWorker
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.work import Elsewhere
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.records.evidence import ClaimDraft, Lead, Reading
from deepresearch_mcp.records.plan import Brief, Hypothesis, SubQuestion
from deepresearch_mcp.records.sources import Document, Hit, Link, Passage
from deepresearch_mcp.search.wrappers import RecordedEngine
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import (
    FakeEngine,
    FakeWeb,
    Heard,
    MemoryJournal,
    ScriptedThinker,
    brief,
    drive,
    hit,
    page,
    part,
)

ICE = "why does ice float"
SNOW = "snow and ice density"
START = HandClock().monotonic()


def url(number: int, site: str = "") -> str:
    return f"https://{site or f'site{number}'}.example/{number}"


def text(number: int) -> str:
    return f"Ice floats on water says page number {number}. More stands below."


def document(number: int, site: str = "", links: Sequence[str | Link] = ()) -> Document:
    return page(url(number, site), text(number), links=links)


def hits(*numbers: int) -> list[Hit]:
    return [hit(url(number)) for number in numbers]


def task(
    *queries: str, name: str = "q1", turn: int = 1, leads: int = 0, needs: tuple[str, ...] = ("plan",)
) -> SubQuestionTask:
    return SubQuestionTask(part(name, "Why does ice float on water?"), turn, queries or (ICE,), leads, needs)


@dataclass
class World:
    """One run: everything that its sub-questions share, and when what was read."""

    found: dict[str, list[Hit] | Exception] = field(default_factory=dict[str, list[Hit] | Exception])
    pages: Sequence[Document] | dict[str, Document | Exception] = ()
    delays: dict[str, float] = field(default_factory=dict[str, float])
    reading: float = 0.0
    """Seconds of one reading."""
    leads: dict[int, list[Lead]] = field(default_factory=dict[int, list[Lead]])
    """What a page points to, by its number."""
    settings: ResearchSettings = field(default_factory=ResearchSettings)
    pages_per_query: int = 4
    more_engines: tuple[FakeEngine, ...] = ()
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    clock: HandClock = field(default_factory=HandClock)
    elsewhere: Elsewhere = nullcontext
    hypotheses: tuple[Hypothesis, ...] = ()
    silent: bool = False
    """Whether readings give no claims."""

    def __post_init__(self) -> None:
        self.heard = Heard()
        self.engine = FakeEngine(self.found, clock=self.clock)
        self.web = FakeWeb(self.pages, clock=self.clock, delays=self.delays, journal=self.journal)
        self.read: list[tuple[float, list[str]]] = []
        self.thinker = ScriptedThinker(
            clock=self.clock, seconds={"read": self.reading}, journal=self.journal, read=self.look
        )
        self.states: dict[str, SubQuestionState] = {}
        self.frontier = Frontier(brief().request.filters, 10, strict_dates=False)

    def look(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        claims = [
            ClaimDraft(text=p.text.split(".")[0] + ".", quote=p.text.split(".")[0] + ".", passage_id=p.passage_id)
            for p in passages
            if not self.silent
        ]
        numbers = [int(p.text.split("number ")[1].split(".")[0]) for p in passages]
        self.read.append((self.now - self.reading, [f"{number}" for number in numbers]))
        return Reading(claims=tuple(claims), leads=tuple(one for n in numbers for one in self.leads.get(n, ())))

    @property
    def now(self) -> float:
        return round(self.clock.monotonic() - START, 1)

    async def run(self, *rounds: Sequence[SubQuestionTask]) -> "World":
        """The rounds one after the other, each round's sub-questions at once."""
        await drive(self.clock, lambda: self.all_rounds(rounds))
        return self

    async def all_rounds(self, rounds: Sequence[Sequence[SubQuestionTask]]) -> None:
        async with anyio.create_task_group() as tasks:
            context = self.context(tasks)
            for one in rounds:
                async with anyio.create_task_group() as group:
                    for each in one:
                        group.start_soon(SubQuestionWorker(each, context, self.of(each.sub_question.id)).run)
            tasks.cancel_scope.cancel()

    def context(self, tasks: TaskGroup) -> ResearchContext:
        grader = Grader(brief(), own_scale())
        objection = partial(grader.objection, settings=self.settings)
        engines = [RecordedEngine(one, self.journal, steps.search) for one in (self.engine, *self.more_engines)]
        return ResearchContext(
            brief=brief(),
            thinker=self.thinker,
            engines=Engines(engines, self.clock, self.journal, self.heard.append, 0.3),
            pages=Pages(self.web, tasks, self.heard.append, objection),
            frontier=self.frontier,
            journal=self.journal,
            clock=self.clock,
            emit=self.heard.append,
            settings=self.settings,
            pages_per_query=self.pages_per_query,
            grader=grader,
            room=ReadingRoom(brief().request.shape, self.settings, Ledger(brief().request.shape, self.clock)),
            elsewhere=self.elsewhere,
            hypotheses=self.hypotheses,
        )

    def of(self, name: str) -> SubQuestionState:
        return self.states.setdefault(name, SubQuestionState())

    def said(self, name: str = "q1") -> list[str]:
        """Numbers of the pages that claims of a sub-question rest on."""
        return sorted(claim.quotes[0].text.split("number ")[1].rstrip(".") for claim in self.of(name).claims)
