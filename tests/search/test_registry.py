from contextlib import nullcontext, suppress
from datetime import date
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.exceptions import InvalidRequest, ProviderError, SettingsError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.records.spec_types import EngineSpec
from deepresearch_mcp.records.specs import ENGINE_NAMES, ENGINES
from deepresearch_mcp.search.engines.duckduckgo import BackendHit, BackendQuery, DuckDuckGo
from deepresearch_mcp.search.registry import chosen, known, open_engines, share
from deepresearch_mcp.settings.schema import SearchSettings

KEY = SecretStr("key")
ALL = SearchSettings.model_validate(
    {
        name: "key" if name.endswith("_key") else "http://127.0.0.1:8888"
        for name in SearchSettings.model_fields
        if name.endswith(("_key", "_url", "_engine_id")) and not name.endswith("_base_url")
    }
)
"""Everything that an engine can be given."""
SET_UP = tuple(spec.name for spec in ENGINES if not spec.data and (spec.key or (spec.address and spec.address.own)))


class TestChoosing:
    @pytest.mark.parametrize(
        ("settings", "engines"),
        [
            (SearchSettings(), ("duckduckgo", "wikipedia")),
            (ALL, SET_UP),
            (SearchSettings(brave_key=KEY, searxng_url="http://127.0.0.1:8"), ("brave", "searxng")),
            (SearchSettings(tavily_key=KEY), ("tavily",)),
            (SearchSettings(engines=("wikipedia", "auto")), ("wikipedia", "duckduckgo")),
            (SearchSettings(engines=("tavily", "tavily")), ("tavily",)),
        ],
    )
    def test_auto_is_what_was_set_up_else_what_needs_no_key(
        self, settings: SearchSettings, engines: tuple[str, ...]
    ) -> None:
        assert chosen(settings) == engines

    def test_an_unknown_engine_is_refused_with_the_known_ones(self) -> None:
        with pytest.raises(InvalidRequest, match="no search engine 'bing'") as caught:
            chosen(SearchSettings(engines=("auto", "bing")))
        assert all(name in str(caught.value) for name in ENGINE_NAMES)

    def test_settings_know_the_names_of_all_engines(self) -> None:
        assert {spec.name for spec in ENGINES} == set(ENGINE_NAMES)

    def test_no_engine_at_all_is_refused(self) -> None:
        with pytest.raises(InvalidRequest, match="No search engine is named"):
            known(())


class TestOpening:
    def test_every_engine_opens_under_its_name(self, service: Any, clock: Any) -> None:
        engines = open_engines(ENGINE_NAMES, ALL, service.http, service, clock)

        assert [engine.name for engine in engines] == list(ENGINE_NAMES)

    @pytest.mark.parametrize(("name", "missing"), [("brave", "BRAVE_API_KEY"), ("searxng", "SEARXNG_URL")])
    def test_an_engine_without_what_it_needs_says_what_to_set(
        self, service: Any, clock: Any, name: str, missing: str
    ) -> None:
        with pytest.raises(SettingsError, match=missing):
            open_engines((name,), SearchSettings(), service.http, service, clock)

    @pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
    def test_an_engine_opens_without_settings_exactly_if_its_spec_demands_nothing(
        self, service: Any, clock: Any, spec: EngineSpec
    ) -> None:
        needy = spec.demands == 3 or bool(spec.address and spec.address.own)

        with pytest.raises(SettingsError, match=f"leave {spec.name} out") if needy else nullcontext():
            open_engines((spec.name,), SearchSettings(), service.http, service, clock)

    @pytest.mark.parametrize("spec", [one for one in ENGINES if one.web], ids=lambda spec: spec.name)
    async def test_a_limit_changes_what_an_engine_is_asked_exactly_if_its_spec_says_so(
        self, service: Any, clock: Any, spec: EngineSpec
    ) -> None:
        limits = {
            "domains": Filters(include_domains=("example.org",)),
            "dates": Filters(published_after=date(2026, 1, 1)),
            "language": Filters(language="fi"),
            # SearXNG knows regions of a language only.
            "region": Filters(language="en", region="gb"),
        }

        async def question(filters: Filters, page: int = 1, safe: str = "moderate") -> list[Any]:
            asked: list[Any] = []
            settings = ALL.model_copy(update={"safe_search": safe})

            def answer(request: httpx2.Request) -> httpx2.Response:
                asked.append((request.url, request.content))
                return httpx2.Response(500)

            def ask(one: BackendQuery) -> list[BackendHit]:
                asked.append(one)
                raise ProviderError("duckduckgo", "not here")

            service.answer = answer
            engine: SearchEngine = DuckDuckGo(clock, ask=ask, safe_search=safe)
            if spec.name != "duckduckgo":
                [engine] = open_engines((spec.name,), settings, service.http, service, clock)
            with suppress(ProviderError):
                await engine.search(Query("ice", filters=filters, page=page))
            return asked

        plain, english = await question(Filters()), await question(Filters(language="en"))
        felt = {
            name
            for name, filters in limits.items()
            if await question(filters) != (english if name == "region" else plain)
        }
        if await question(Filters(), page=2) != plain:
            felt.add("pages")
        if await question(Filters(), safe="strict") != await question(Filters(), safe="off"):
            felt.add("safe_search")

        assert plain
        assert felt == set(spec.filters)

    def test_an_unknown_engine_is_refused(self, service: Any, clock: Any) -> None:
        with pytest.raises(InvalidRequest):
            open_engines(("altavista",), SearchSettings(), service.http, service, clock)

    async def test_addresses_set_for_apis_are_used(self, service: Any, clock: Any) -> None:
        settings = SearchSettings(
            brave_key=KEY, brave_base_url="http://127.0.0.1:1/b", tavily_base_url="http://127.0.0.1:1/t/"
        )
        service.says({"type": "search", "results": []})

        for engine in open_engines(("brave", "tavily"), settings, service.http, service, clock):
            await engine.search(Query("ice"))

        assert [request.url.path for request in service.requests] == ["/b/res/v1/web/search", "/t/search"]

    async def test_tavily_opens_without_a_key(self, service: Any, clock: Any) -> None:
        service.says({}, status=500)
        [engine] = open_engines(("tavily",), SearchSettings(), service.http, service, clock)

        with pytest.raises(ProviderError):
            await engine.search(Query("ice"))
        assert service.requests[0].headers["x-tavily-access-mode"] == "keyless"


def test_runs_share_a_limit_for_each_engine_and_the_breaker(clock: Any) -> None:
    breaker = CircuitBreaker(clock)
    shared = share(("brave", "tavily"), SearchSettings(concurrency=3), breaker)

    assert set(shared) == {"brave", "tavily"}
    assert shared["brave"].limiter.total_tokens == 3
    assert shared["brave"].limiter is not shared["tavily"].limiter
    assert shared["brave"].breaker is shared["tavily"].breaker is breaker
