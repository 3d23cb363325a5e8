from pathlib import Path

import httpx2

from clocks import HandClock
from deepresearch_mcp.settings.telemetry import TelemetrySettings
from deepresearch_mcp.store.opening import open_store
from deepresearch_mcp.watching import Watching, open_watching


async def test_without_settings_only_figures_are_kept(tmp_path: Path) -> None:
    clock = HandClock()
    async with (
        open_store(tmp_path, clock) as store,
        httpx2.AsyncClient() as http,
        open_watching(TelemetrySettings(), store, http, clock) as watching,
    ):
        assert watching.observers == [watching.figures]
        assert (watching.prompts, watching.analytics) == (None, None)
        await watching.started("r1")
        async with watching.attempt("r1"):
            pass
        assert await store.traces.begin("r1", "") == ("", "")


async def test_nothing_to_send_is_no_work() -> None:
    await Watching().send()
