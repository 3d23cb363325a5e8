"""Carries out one evaluation with the thinker that the settings name."""

from pathlib import Path

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.cli.console import say
from deepresearch_mcp.evals.lab import Lab, Result, Unrecorded
from deepresearch_mcp.evals.registry import Measure
from deepresearch_mcp.events import Degraded, Event
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock

_HOURS = 24 * 60
"""Time ceiling in minutes, set high: money and the user limit an evaluation."""


async def measured(measure: Measure, data: Path, settings: Settings, model: str, max_usd: float) -> tuple[Result, str]:
    """Return the figures, and the name of the thinker that was measured.

    Raises:
        InvalidRequest: The model or the set does not exist.
        BudgetExceeded: `max_usd` is reached.
    """
    clock = SystemClock()
    request = ResearchRequest(
        question="evaluation", model=model, effort="exhaustive", max_usd=max_usd, max_tokens=10**9, max_minutes=_HOURS
    )

    def tell(event: Event) -> None:
        if isinstance(event, Degraded):
            say(event.what, style="note")

    async with open_runtime(settings, clock) as runtime:
        thinker = await runtime.thinkers.thinker(request, Unrecorded(), Ledger(request.shape, clock), tell)
        result = await measure(data, Lab(thinker, clock, settings.research))
    return result, thinker.name
