from pathlib import Path
from typing import Any

from clocks import HandClock
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.events import Progress
from deepresearch_mcp.llm.metering import Tally
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_store


async def test_what_a_session_used_is_read_off_its_ledger_and_its_progress(tmp_path: Path):
    clock = HandClock()
    request = ResearchRequest(question="Why does ice float?", depth=1)
    async with open_store(tmp_path, clock) as store:
        await store.runs.create("r1", "me", request, "f", 0.0)
        async with store.journal("r1") as journal:
            ledger = Ledger(request.shape, clock)
            ledger.reserve(Amount(searches=3)).settle(Amount(searches=2))
            clock.advance(4)
            research: Any = None
            given = ("extractive", ("one",), request, clock, clock.now().isoformat())
            session = Session(research, store, ledger, Tally(), journal, *given)

            metrics = session.metrics(Progress("r1", read=5))

    assert (metrics.searches, metrics.pages, metrics.seconds, metrics.model_calls) == (2, 5, 4, 0)
    assert session.warnings == []
