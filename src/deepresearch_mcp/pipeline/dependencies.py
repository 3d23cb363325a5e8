"""What one research works with: its open ports, its prices and the scale of its sources."""

from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from typing_extensions import override

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import EventSink
from deepresearch_mcp.pipeline.means import Means
from deepresearch_mcp.pipeline.routing import Router
from deepresearch_mcp.ports.answers import EarlierAnswers
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.ports.work import Elsewhere
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker


def _none_told(_sub_question: str) -> int:
    """Where no one counts tokens."""
    return 0


async def _nothing() -> None:
    """A thinker that is always ready needs no preparation."""


class Unasked(UserPrompter):
    """Stands in where there is no user to ask. It approves every plan."""

    @override
    async def ask(self, inquiry: InputRequest) -> Reply:
        del inquiry
        return Reply(decision="approve")


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The open ports that one research works with."""

    thinker: Thinker
    last_resort: Thinker
    """Writes at once and without cost when time or money is used up, or when the run is cancelled."""
    engines: Sequence[SearchEngine]
    search_window: float
    web: Web
    journal: Journal
    ledger: Ledger
    clock: Clock
    emit: EventSink
    settings: ResearchSettings
    means: Means = field(default_factory=Means)
    """Its prices. The engines and models in it are those of these parts."""
    warm: Callable[[], Coroutine[None, None, None]] = _nothing
    """Prepares the models of the thinker while the question is searched."""
    scale: Scale = field(default_factory=own_scale)
    """What sources are graded by."""
    router: Router = field(default_factory=Router)
    """Chooses the engines of each query; it knows the request's profile."""
    template: ReportTemplate = field(default_factory=ReportTemplate)
    """The form that the report is to have."""
    earlier_answers: EarlierAnswers | None = None
    """Finds what engines answered in earlier runs, for when none answers."""
    asker: UserPrompter = field(default_factory=Unasked)
    """Asks the user what only the user can answer."""
    in_rounds: bool = False
    """Whether the thinker answers in rounds that are counted. What can be asked at once is then asked together."""
    tokens_of: Callable[[str], int] = _none_told
    """Tokens that models used for a sub-question so far, all attempts included."""
    elsewhere: Elsewhere = nullcontext
    """Signals that the run does other work than a model's."""
