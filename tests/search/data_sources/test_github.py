from datetime import date
from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import KeyRefused, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.github import GitHub

KEY = "ghp_secret"
REPOSITORY = {
    "id": 1,
    "full_name": "agronholm/anyio",
    "html_url": "https://github.com/agronholm/anyio",
    "description": "High level asynchronous concurrency",
    "stargazers_count": 2100,
    "language": "Python",
    "pushed_at": "2026-11-01T10:00:00Z",
}
ISSUE = {
    "html_url": "https://github.com/agronholm/anyio/issues/88",
    "title": "Cancel scope leaks",
    "state": "closed",
    "body": "Steps:\n1. …",
    "updated_at": "2026-03-02T00:00:00Z",
}
CODE = {
    "name": "_tasks.py",
    "path": "src/anyio/_core/_tasks.py",
    "html_url": "https://github.com/agronholm/anyio/blob/abc/src/anyio/_core/_tasks.py",
    "repository": {"full_name": "agronholm/anyio"},
}


def found(*items: Any) -> dict[str, Any]:
    return {"total_count": len(items), "incomplete_results": False, "items": list(items)}


@pytest.fixture
def github(service: Any) -> GitHub:
    service.says(found(REPOSITORY))
    return adapter(GitHub, service, github_key=KEY)


async def test_repositories_become_hits_dated_by_their_last_push(github: GitHub) -> None:
    [hit] = await github.search(Query("structured concurrency library"))

    assert (hit.url, hit.title, hit.published) == (REPOSITORY["html_url"], "agronholm/anyio", date(2026, 11, 1))
    assert hit.snippet == "High level asynchronous concurrency (Python, 2,100 stars)"


@pytest.mark.parametrize(
    ("query", "key", "path"),
    [
        ("structured concurrency library", KEY, "/search/repositories"),
        ("anyio cancel scope bug", None, "/search/issues"),
        ("usage of `move_on_after(5)`", KEY, "/search/code"),
        ("usage of `move_on_after(5)`", None, "/search/repositories"),
    ],
)
async def test_what_is_searched_follows_the_words_and_the_token(
    service: Any, query: str, key: str | None, path: str
) -> None:
    service.says(found())
    await adapter(GitHub, service, github_key=key).search(Query(query))

    assert service.requests[0].url.path == path
    assert ("authorization" in service.requests[0].headers) is bool(key)


@pytest.mark.parametrize(("query", "row"), [("scope bug", ISSUE), ("code of move_on_after", CODE)])
async def test_issues_and_files_become_hits(github: GitHub, service: Any, query: str, row: dict[str, Any]) -> None:
    service.says(found(row))

    [hit] = await github.search(Query(query))
    assert hit.url == row["html_url"]


async def test_a_repository_that_is_named_is_looked_up(github: GitHub, service: Any) -> None:
    service.says(REPOSITORY)

    [hit] = await github.search(Query("what does https://github.com/agronholm/anyio offer"))
    assert hit.title == "agronholm/anyio"
    assert [request.url.path for request in service.requests] == ["/repos/agronholm/anyio"]


async def test_trouble_with_a_named_repository_is_looked_for_among_its_issues(github: GitHub, service: Any) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=REPOSITORY if "/repos/" in request.url.path else found(ISSUE))

    service.answer = answer

    hits = await github.search(Query("agronholm/anyio cancel scope bug"))
    assert [hit.url for hit in hits] == [REPOSITORY["html_url"], ISSUE["html_url"]]
    assert "repo:agronholm/anyio" in service.params["q"]


async def test_a_name_that_no_repository_has_is_searched_for(github: GitHub, service: Any) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(404) if "/repos/" in request.url.path else httpx2.Response(200, json=found(REPOSITORY))

    service.answer = answer

    assert await github.search(Query("asyncio/trio comparison"))


async def test_words_that_happen_to_name_a_repository_are_searched_for_as_well(github: GitHub, service: Any) -> None:
    other = REPOSITORY | {"html_url": "https://github.com/client/server"}

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=other if "/repos/" in request.url.path else found(REPOSITORY, other))

    service.answer = answer

    hits = await github.search(Query("client/server frameworks"))
    assert [hit.url for hit in hits] == [other["html_url"], REPOSITORY["html_url"]]
    assert service.params["q"] == "client server frameworks"


async def test_dates_and_pages_are_told(github: GitHub, service: Any) -> None:
    filters = Filters(published_after=date(2026, 1, 1))
    await github.search(Query("concurrency", filters, limit=5, page=2))

    assert service.params["q"] == "concurrency pushed:2026-01-01..*"
    assert (service.params["per_page"], service.params["page"]) == ("5", "2")


async def test_a_used_up_rate_is_told_from_a_refused_token(github: GitHub, service: Any) -> None:
    service.says({"message": "API rate limit exceeded for user ID 1."}, status=403)
    with pytest.raises(RateLimited):
        await github.search(Query("ice"))

    service.says({"message": "Resource not accessible by personal access token"}, status=403)
    with pytest.raises(KeyRefused, match="GITHUB_TOKEN") as caught:
        await github.search(Query("ice"))
    assert "ghp_secret" not in str(caught.value)


JUNK: list[Any] = [{}, [], {"items": [{}]}, b"<html>"]


@pytest.mark.parametrize("body", JUNK)
async def test_an_answer_of_another_shape_is_a_failure(github: GitHub, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await github.search(Query("ice"))
