"""Opens what looks at the runs of a process: figures always; traces, kept prompts and analytics where they are set."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

import httpx2

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.watching import Prompts
from deepresearch_mcp.settings.telemetry import TelemetrySettings
from deepresearch_mcp.telemetry.analytics import Analytics
from deepresearch_mcp.telemetry.exporting import open_tracing
from deepresearch_mcp.telemetry.observing import Observer
from deepresearch_mcp.telemetry.process_figures import ProcessFigures
from deepresearch_mcp.telemetry.tracing import Tracing


class Watching:
    """What looks at the runs of one process; `open_watching` makes it."""

    def __init__(
        self, tracing: Tracing | None = None, prompts: Prompts | None = None, analytics: Analytics | None = None
    ) -> None:
        self.figures = ProcessFigures()
        self.prompts = prompts
        """Keep what models are asked; None: nothing is kept."""
        self.analytics = analytics
        self.observers: list[Observer] = [self.figures, *filter(None, (tracing, analytics))]
        self._tracing = tracing

    async def started(self, run_id: str) -> None:
        """Note the request that starts a run, before the run begins."""
        if self._tracing:
            await self._tracing.join(run_id)

    def attempt(self, run_id: str) -> AbstractAsyncContextManager[None]:
        """Look at one attempt at a run, from before its journal is opened until after it is closed."""
        return self._tracing.attempt(run_id) if self._tracing else nullcontext()

    async def send(self) -> None:
        """Send what waits to be sent, if anything."""
        if self.analytics:
            await self.analytics.send()


@asynccontextmanager
async def open_watching(
    settings: TelemetrySettings, store: Store, http: httpx2.AsyncClient, clock: Clock
) -> AsyncGenerator[Watching]:
    """Open all that is set; leaving the context sends what is left.

    Raises:
        SettingsError: A package for traces is missing.
    """
    analytics = Analytics(settings.analytics_url, http, store.keys, clock) if settings.analytics_url else None
    async with open_tracing(settings, store.traces) as tracing:
        watching = Watching(tracing, store.prompts if settings.log_prompts else None, analytics)
        yield watching
        await watching.send()
