from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clocks import HandClock
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.events import degraded
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.ports.model import Usage
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.tally import Tally


async def test_what_a_session_used_is_read_off_its_ledger_and_its_progress(tmp_path: Path):
    clock = HandClock()
    request = ResearchRequest(question="Why does ice float?", depth=1)
    async with open_sqlite_store(tmp_path, clock) as store:
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


@dataclass
class Found:
    """A research, as far as its session looks at it."""

    by_rule: str = ""
    ceiling: str = ""

    @property
    def findings(self) -> "Found":
        return self

    @property
    def cut_short(self) -> bool:
        return bool(self.ceiling)


def session_of(research: Found, thinker: str = "a:b and c:d") -> Session:
    nothing: Any = None
    given: Any = research
    return Session(given, nothing, nothing, Tally(), nothing, thinker, (), nothing, HandClock(), "")


def test_who_thought_are_the_models_that_answered_and_the_rules_where_they_did_something() -> None:
    session = session_of(Found())
    assert session.thinking == "none"

    session.tally.add("reader", "a:b", Usage(1, 1), None)
    assert session.thinking == "a:b"

    session.tally.add("planner", "c:d", Usage(1, 1), None)
    assert session.thinking == "a:b (reading), c:d (planning)"
    session.degradations.add(degraded("a:b", "check claims", "HTTP 500", "rules alone judged them", by_rule="judge"))
    assert session.thinking == "a:b (reading), c:d (planning), extractive (checking)"


def test_where_a_ceiling_left_the_writing_to_rules_they_are_named() -> None:
    assert session_of(Found(by_rule="write")).thinking == "extractive"
    assert session_of(Found(), "extractive").thinking == "extractive"


def test_a_run_is_partial_where_a_ceiling_cut_it_or_rules_wrote_for_a_model() -> None:
    session = session_of(Found())
    assert not session.partial
    session.degradations.add(degraded("a:b", "write a paragraph", "HTTP 500", "rules did it", by_rule="write"))

    assert session.partial
    assert session_of(Found(ceiling="max_usd")).partial
