from typing import Any

import pytest
from pydantic import SecretStr

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.exceptions import InvalidRequest, ProviderError, SettingsError
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.registry import chosen, known, names, open_engines, share
from deepresearch_mcp.settings.schema import SEARCH_ENGINES, SearchSettings

KEY = SecretStr("key")
ALL = SearchSettings(brave_key=KEY, tavily_key=KEY, searxng_url="http://127.0.0.1:8888")


class TestChoosing:
    @pytest.mark.parametrize(
        ("settings", "engines"),
        [
            (SearchSettings(), ("duckduckgo", "wikipedia")),
            (ALL, ("brave", "tavily", "searxng")),
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
        assert all(name in str(caught.value) for name in names())

    def test_settings_know_the_names_of_all_engines(self) -> None:
        assert names() == SEARCH_ENGINES

    def test_no_engine_at_all_is_refused(self) -> None:
        with pytest.raises(InvalidRequest, match="No search engine is named"):
            known(())


class TestOpening:
    def test_every_engine_opens_under_its_name(self, service: Any, clock: Any) -> None:
        engines = open_engines(names(), ALL, service.http, service, clock)

        assert [engine.name for engine in engines] == list(names())

    @pytest.mark.parametrize(("name", "missing"), [("brave", "BRAVE_API_KEY"), ("searxng", "SEARXNG_URL")])
    def test_an_engine_without_what_it_needs_says_what_to_set(
        self, service: Any, clock: Any, name: str, missing: str
    ) -> None:
        with pytest.raises(SettingsError, match=missing):
            open_engines((name,), SearchSettings(), service.http, service, clock)

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
