"""Search engines with and without the concerns of a run."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from clocks import HandClock
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.engines import EngineFactory
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from pipeline_fakes import MemoryJournal
from small_web import settings_for, small_web


@asynccontextmanager
async def opened(home: Path) -> AsyncGenerator[EngineFactory]:
    clock = HandClock()
    async with open_runtime(Settings.model_validate({"home": home}), clock) as runtime:
        yield EngineFactory(runtime.settings.search, clock, runtime.store, runtime.http, CircuitBreaker(clock))


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": "Why does ice float?"} | given)


def names(engines: EngineFactory, request: ResearchRequest, *, afresh: bool = False) -> list[str]:
    ledger = Ledger(request.shape, HandClock())
    return [engine.name for engine in engines.for_run(request, MemoryJournal(), ledger, afresh=afresh)]


async def test_runs_of_a_process_share_what_protects_an_engine(tmp_path: Path) -> None:
    async with opened(tmp_path) as engines:
        names(engines, asked())
        before = dict(engines.shared)
        names(engines, asked())

        assert engines.shared == before
        assert set(before) == {"duckduckgo", "wikipedia"}


async def test_single_searches_get_engines_without_a_run(tmp_path: Path) -> None:
    async with opened(tmp_path) as engines:
        assert [engine.name for engine in engines.open(("wikipedia",))] == ["wikipedia"]


async def test_a_follow_up_asks_the_earlier_run_s_sources_first_unless_it_starts_afresh(tmp_path: Path) -> None:
    async with opened(tmp_path) as engines:
        following = asked(follow_up_of="r0")

        assert names(engines, following)[1:] == names(engines, following, afresh=True) == ["duckduckgo", "wikipedia"]


async def test_collections_come_before_the_web_and_no_research_asks_no_engine(tmp_path: Path) -> None:
    async with opened(tmp_path) as engines:
        assert engines.names_for(asked(collections=("notes",))) == ("local", "duckduckgo", "wikipedia")
        assert engines.names_for(asked(collections=("notes",), web=False)) == ("local",)
        assert engines.names_for(asked(depth=0)) == ()


async def test_a_run_asks_nothing_that_was_answered_a_moment_ago_unless_it_is_to_be_fresh(tmp_path: Path) -> None:
    counted: list[int] = []
    async with small_web() as web, open_runtime(settings_for(tmp_path, web.base)) as runtime:
        for fresh in (False, False, True):
            request = asked(fresh=fresh)
            ledger = Ledger(request.shape, HandClock())
            [engine] = runtime.engines.for_run(request, MemoryJournal(), ledger, afresh=False)
            assert len(await engine.search(Query("ice"))) == 3
            counted.append(ledger.used.searches)

    assert web.asked == ["ice", "ice"]
    assert counted == [1, 0, 1]
