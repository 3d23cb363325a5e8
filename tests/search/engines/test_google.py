from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, given, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.exceptions import KeyRefused, SettingsError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.registry import chosen, open_engines
from deepresearch_mcp.settings.schema import SearchSettings


@pytest.fixture
def google(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["google"])
    return opened("google", service, clock)


async def test_a_question_names_the_users_engine_and_carries_the_key_in_its_header(
    google: SearchEngine, service: Any
) -> None:
    await google.search(Query("ice", limit=50))

    [request] = service.requests
    assert request.url.path == "/customsearch/v1"
    assert request.headers["x-goog-api-key"] == KEY
    assert KEY not in str(request.url)
    assert service.params == {
        "cx": "our-engine",
        "q": "ice",
        "num": "10",
        "start": "1",
        "safe": "active",
        "fields": "kind,items(link,title,snippet)",
    }


@pytest.mark.parametrize(
    ("language", "told"), [("de", "lang_de"), ("zh", "lang_zh-CN"), ("he", "lang_iw"), ("sw", None)]
)
async def test_a_question_tells_its_limits_and_page(
    google: SearchEngine, service: Any, language: str, told: str | None
) -> None:
    filters = Filters(include_domains=("a.org",), published_before=date(2026, 2, 1), region="de", language=language)

    await google.search(Query("ice", filters, page=3))

    assert (service.params["q"], service.params["start"], service.params["gl"]) == ("ice site:a.org", "21", "de")
    assert service.params["sort"] == "date:r:19900101:20260201"
    assert service.params.get("lr") == told


async def test_for_hits_beyond_the_hundredth_nothing_is_sent(google: SearchEngine, service: Any) -> None:
    await google.search(Query("ice", page=10))
    assert service.params["start"] == "91"

    assert await google.search(Query("ice", page=11)) == []
    assert len(service.requests) == 1


async def test_a_daily_limit_may_come_as_a_refusal(google: SearchEngine, service: Any) -> None:
    service.says({"error": {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}]}}, status=403)

    with pytest.raises(KeyRefused, match=r"quota is used up\. Set GOOGLE_SEARCH_API_KEY"):
        await google.search(Query("ice"))


def test_a_key_without_an_engine_is_not_enough(service: Any, clock: Any) -> None:
    settings = SearchSettings.model_validate({"google_key": "k"})

    assert "google" not in chosen(settings)
    assert chosen(given("google")) == ("google",)
    with pytest.raises(SettingsError, match=r"needs the id of an engine\. Set GOOGLE_CSE_ID, or leave google out"):
        open_engines(("google",), settings, service.http, service, clock)
