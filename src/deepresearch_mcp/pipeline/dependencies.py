"""What one research works with: its open ports, and what it is priced and graded by."""

from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from typing_extensions import override

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import EventSink
from deepresearch_mcp.pipeline.means import Means
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
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker


async def _nothing() -> None:
    """For a thinker that is always ready."""


class Unasked(UserPrompter):
    """There is no user to ask: plans stay as they are."""

    @override
    async def ask(self, inquiry: InputRequest) -> Reply:
        del inquiry
        return Reply(decision="approve")


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The open ports that one research works with."""

    thinker: Thinker
    last_resort: Thinker
    """Writes without paying and at once, when time or money is up or the run is cancelled."""
    engines: Sequence[SearchEngine]
    search_window: float
    web: Web
    journal: Journal
    ledger: Ledger
    clock: Clock
    emit: EventSink
    settings: ResearchSettings
    means: Means = field(default_factory=Means)
    """What it is priced by; engines and models are those of these parts."""
    warm: Callable[[], Coroutine[None, None, None]] = _nothing
    """Makes the thinker's models ready, while the question is being searched."""
    scale: Scale = field(default_factory=own_scale)
    """What sources are graded by."""
    earlier_answers: EarlierAnswers | None = None
    """Finds what engines answered in earlier runs, where none can be asked."""
    asker: UserPrompter = field(default_factory=Unasked)
    """Who is asked what only the user can answer."""
    in_rounds: bool = False
    """The thinker answers in rounds that can be counted: what need not wait is asked together."""
    elsewhere: Elsewhere = nullcontext
    """Signals that the run is busy with other work than the model's."""
