from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, RateLimited
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.stack_exchange import StackExchange

FOUND: dict[str, Any] = {
    "items": [
        {
            "tags": ["sqlite"],
            "is_answered": True,
            "answer_count": 3,
            "score": 42,
            "creation_date": 1175714200,
            "question_id": 1,
            "link": "https://stackoverflow.com/questions/1/what-is-wal",
            "title": "What&#39;s WAL &amp; why?",
            "body": "<p>I read <code>WAL</code> is fast.</p>",
        },
        {"link": "https://stackoverflow.com/questions/2", "title": "Odd", "creation_date": 10**17, "score": None},
    ],
    "has_more": False,
    "quota_max": 300,
    "quota_remaining": 299,
}


@pytest.fixture
def stack(service: Any, clock: Any) -> StackExchange:
    service.says(FOUND)
    return adapter(
        StackExchange, service, clock, stack_exchange_key="app", stack_exchange_base_url="https://stack.test"
    )


async def test_questions_become_hits(stack: StackExchange) -> None:
    first, second = await stack.search(Query("wal"))

    assert first.url == "https://stackoverflow.com/questions/1/what-is-wal"
    assert (first.title, first.published) == ("What's WAL & why?", date(2007, 4, 4))
    assert first.snippet == "Score 42, 3 answers. I read WAL is fast."
    assert (second.published, second.snippet) == (None, "Score 0, 0 answers.")


async def test_a_question_carries_its_dates_its_page_and_the_key(stack: StackExchange, service: Any) -> None:
    limits = Filters(published_after=date(1970, 1, 2), published_before=date(1970, 1, 3))

    await stack.search(Query("sqlite wal", limits, limit=5, page=2))

    asked = service.params
    assert service.requests[0].url.path == "/2.3/search/advanced"
    assert (asked["q"], asked["site"], asked["key"]) == ("sqlite wal", "stackoverflow", "app")
    assert (asked["page"], asked["pagesize"]) == ("2", "5")
    assert (asked["fromdate"], asked["todate"]) == ("86400", "259199")


@pytest.mark.parametrize(
    ("filters", "site"),
    [
        (Filters(include_domains=("nasa.gov", "superuser.com")), "superuser"),
        (Filters(include_domains=("dba.stackexchange.com",)), "dba"),
        (Filters(include_domains=("mathoverflow.net",)), "mathoverflow.net"),
        (Filters(include_domains=("ru.stackoverflow.com",)), "ru.stackoverflow"),
        (Filters(language="pt-BR"), "pt.stackoverflow"),
        (Filters(language="de"), "stackoverflow"),
        (Filters(language="ja", exclude_domains=("ja.stackoverflow.com",)), "stackoverflow"),
    ],
)
async def test_the_site_follows_the_domains_and_the_language(
    stack: StackExchange, service: Any, filters: Filters, site: str
) -> None:
    await stack.search(Query("wal", filters))

    assert service.params["site"] == site


@pytest.mark.parametrize(
    "filters", [Filters(include_domains=("nasa.gov",)), Filters(exclude_domains=("stackoverflow.com",))]
)
async def test_domains_that_leave_it_out_spare_the_request(
    stack: StackExchange, service: Any, filters: Filters
) -> None:
    assert await stack.search(Query("wal", filters)) == []
    assert service.requests == []


async def test_a_pause_that_the_service_wants_is_kept(stack: StackExchange, service: Any, clock: Any) -> None:
    service.says(FOUND | {"backoff": 10})
    assert len(await stack.search(Query("wal"))) == 2

    clock.seconds += 4
    with pytest.raises(RateLimited) as caught:
        await stack.search(Query("wal"))
    assert caught.value.retry_after == pytest.approx(6)
    assert len(service.requests) == 1

    clock.seconds += 6
    assert await stack.search(Query("wal"))


@pytest.mark.parametrize(
    ("name", "message", "kind", "wait"),
    [
        (
            "throttle_violation",
            "too many requests from this IP, more requests available in 79 seconds",
            RateLimited,
            79,
        ),
        ("throttle_violation", None, RateLimited, None),
        ("bad_parameter", "key", KeyRefused, None),
        ("access_denied", "", KeyRefused, None),
        ("temporarily_unavailable", "", ProviderError, None),
        ("bad_parameter", "site", ProviderError, None),
    ],
)
async def test_a_fault_is_told_by_its_name(
    stack: StackExchange, service: Any, name: str, message: str, kind: type[ProviderError], wait: float | None
) -> None:
    service.says({"error_id": 502, "error_message": message, "error_name": name}, status=400)

    with pytest.raises(kind) as caught:
        await stack.search(Query("wal"))
    assert caught.value.retryable is (kind is RateLimited or name == "temporarily_unavailable")
    assert caught.value.retry_after == wait
