"""Search engines with and without the concerns of a run."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.engines import EngineFactory
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from pipeline_fakes import MemoryJournal
from small_web import settings_for, small_web


@asynccontextmanager
async def opened(home: Path, **search: Any) -> AsyncGenerator[EngineFactory]:
    """The engines of a process; `search` are its settings of that group: two engines, and no data source."""
    clock = HandClock()
    search = {"engines": ["duckduckgo", "wikipedia"]} | search
    async with open_runtime(Settings.model_validate({"home": home, "search": search}), clock) as runtime:
        yield EngineFactory(runtime.settings.search, clock, runtime.store, runtime.http, CircuitBreaker(clock))


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": "Why does ice float?"} | given)


def names(engines: EngineFactory, request: ResearchRequest, *, afresh: bool = False) -> list[str]:
    ledger = Ledger(request.shape, HandClock())
    return [
        engine.name for engine in engines.for_run(request, MemoryJournal(), ledger, caller=LOCAL_CALLER, afresh=afresh)
    ]


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
            [engine] = runtime.engines.for_run(request, MemoryJournal(), ledger, caller=LOCAL_CALLER, afresh=False)
            assert len(await engine.search(Query("ice"))) == 3
            counted.append(ledger.used.searches)

    assert web.asked == ["ice", "ice"]
    assert counted == [1, 0, 1]


async def test_data_sources_can_be_asked_where_the_engines_are_left_to_this_program(tmp_path: Path) -> None:
    async with opened(tmp_path, engines=["auto"]) as engines:
        regular, sparing = engines.names_for(asked()), engines.sparing_for(asked())

        assert regular == ("duckduckgo", "wikipedia")
        assert {"arxiv", "pypi", "edgar"} <= set(sparing)
        # What lacks its key cannot be asked.
        assert not {"fred", "congress"} & set(sparing)
        assert names(engines, asked()) == [*regular, *sparing]
        assert engines.names_for(asked(profile="academic"))[:3] == ("semantic_scholar", "openalex", "arxiv")
        assert engines.router_for(asked()).why("arXiv 1706.03762", sparing)["arxiv"] == "it names a paper of arXiv"


async def test_nothing_is_asked_beside_the_engines_that_the_settings_name(tmp_path: Path) -> None:
    async with opened(tmp_path, engines=["wikipedia"]) as engines:
        assert engines.names_for(asked(profile="academic")) == ("wikipedia",)
        assert engines.sparing_for(asked()) == ()


async def test_a_run_over_given_pages_alone_asks_no_engine(tmp_path: Path) -> None:
    async with opened(tmp_path) as engines:
        given = asked(web=False, urls=["https://ice.example/"])

        assert engines.names_for(given) == ("given",)
        assert names(engines, given) == ["given"]
        assert engines.open(("given",)) == []


async def test_a_profile_that_is_gone_is_refused_for_a_new_request_and_no_fault_of_an_old_one(tmp_path: Path) -> None:
    async with opened(tmp_path, engines=["auto"]) as engines:
        with pytest.raises(InvalidRequest, match="no profile 'birds'"):
            engines.profile_of(asked(profile="birds"))

        assert engines.names_for(asked(profile="birds")) == ("duckduckgo", "wikipedia")
