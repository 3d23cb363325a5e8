"""The common input and result of all evaluations, and in-memory runs of the pipeline."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Event
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.report.assemble import assemble
from deepresearch_mcp.pipeline.report_frame import Facts
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.scope import scope
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step, StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.request import MAX_QUESTION, ResearchRequest
from deepresearch_mcp.records.run import Metrics, Provenance, Run
from deepresearch_mcp.search.metering import MeteredEngine
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.version import __version__
from deepresearch_mcp.web.fetching.wrappers import MeteredWeb

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one evaluation."""

    name: str
    n: int
    """Number of cases measured."""
    figures: Mapping[str, float]
    """Such as `{"located": 0.957, "false_accepts": 0}`; shares are between 0 and 1."""
    notes: Sequence[str] = ()
    """Sentences for the user: what was omitted, and the worst cases."""


@dataclass(frozen=True, slots=True)
class Lab:
    """The dependencies of an evaluation."""

    thinker: Thinker
    clock: Clock
    settings: ResearchSettings = field(default_factory=ResearchSettings)

    def brief(self, question: str) -> Brief:
        """Make a brief for asking the thinker outside a run."""
        return scope(ResearchRequest(question=question[:MAX_QUESTION]), self.clock.today())

    async def research(self, request: ResearchRequest, engines: Sequence[SearchEngine], web: Web) -> Run:
        """Run the whole pipeline in memory with these engines and this web, within the request's ceilings."""
        ledger = Ledger(request.shape, self.clock)
        parts = Dependencies(
            thinker=self.thinker,
            last_resort=Extractive(),
            engines=[MeteredEngine(engine, ledger) for engine in engines],
            search_window=0.0,
            web=MeteredWeb(web, ledger),
            journal=Unrecorded(),
            ledger=ledger,
            clock=self.clock,
            emit=_unheard,
            settings=self.settings,
        )
        research = Research(request, parts)
        await research.run()
        findings = research.findings
        return assemble(
            findings,
            Facts(
                run_id="eval",
                status="partial" if findings.cut_short else "completed",
                metrics=Metrics(),
                provenance=Provenance(version=__version__, thinker=self.thinker.name),
                warnings=(),
                path="",
            ),
        )


class Unrecorded(Journal):
    """A journal that stores nothing, since an evaluation is never resumed."""

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
        del step, kind, result, request, stands, used, hold, lost
        return await fn()

    def left(self, key: str) -> StepStatus | None:
        """Nothing was left by an earlier attempt."""
        del key
        return None

    def recorded(self, key: str) -> str | None:
        """Nothing is recorded."""
        del key
        return None

    @override
    async def rows(self) -> Sequence[StepRow]:
        return ()


def _unheard(_event: Event) -> None:
    """Ignore an event; evaluations have no listener."""
