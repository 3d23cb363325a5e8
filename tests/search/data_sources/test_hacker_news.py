from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.hacker_news import HackerNews

FOUND = {
    "hits": [
        {
            "objectID": "8863",
            "title": "My YC app: Dropbox",
            "url": "http://www.getdropbox.com/u/2/screencast.html",
            "author": "dhouston",
            "points": 111,
            "num_comments": 71,
            "story_text": None,
            "created_at": "2007-04-04T19:16:40Z",
            "created_at_i": 1175714200,
        },
        {
            "objectID": "2",
            "title": "Ask HN: WAL?",
            "story_text": "Is it <i>good</i>?",
            "points": None,
            "created_at": "x",
        },
        {"objectID": "../x", "title": "Odd"},
    ],
    "nbHits": 2,
    "page": 0,
}


@pytest.fixture
def hacker_news(service: Any) -> HackerNews:
    service.says(FOUND)
    return adapter(HackerNews, service, hacker_news_base_url="https://hn.test")


async def test_stories_become_hits_at_their_discussions(hacker_news: HackerNews) -> None:
    first, second = await hacker_news.search(Query("dropbox"))

    assert first.url == "https://news.ycombinator.com/item?id=8863"
    assert first.snippet == "111 points, 71 comments. About http://www.getdropbox.com/u/2/screencast.html"
    assert (first.published, second.published) == (date(2007, 4, 4), None)
    assert second.snippet == "0 points, 0 comments. Is it good?"


async def test_a_question_carries_its_terms_its_dates_and_its_page(hacker_news: HackerNews, service: Any) -> None:
    limits = Filters(published_after=date(1970, 1, 2), published_before=date(1970, 1, 3))

    await hacker_news.search(Query("What is SQLite good for?", limits, limit=5, page=2))

    assert service.requests[0].url.path == "/api/v1/search"
    assert service.params == {
        "query": "SQLite good",
        "tags": "story",
        "hitsPerPage": "5",
        "page": "1",
        "numericFilters": "created_at_i>=86400,created_at_i<=259199",
    }


@pytest.mark.parametrize(
    "filters", [Filters(include_domains=("nasa.gov",)), Filters(exclude_domains=("ycombinator.com",))]
)
async def test_domains_that_leave_it_out_spare_the_request(
    hacker_news: HackerNews, service: Any, filters: Filters
) -> None:
    assert await hacker_news.search(Query("ice", filters)) == []
    assert service.requests == []


async def test_another_shape_is_a_failure(hacker_news: HackerNews, service: Any) -> None:
    service.says({"message": "Invalid Application-ID"})

    with pytest.raises(UnreadableAnswer):
        await hacker_news.search(Query("ice"))
