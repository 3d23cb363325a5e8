from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.gdelt import Gdelt


def article(number: int) -> dict[str, str]:
    return {
        "url": f"https://news.test/{number}",
        "url_mobile": "",
        "title": "Floods in Spain",
        "seendate": "20261118T031500Z",
        "socialimage": "",
        "domain": "news.test",
        "language": "Spanish",
        "sourcecountry": "Spain",
    }


@pytest.fixture
def gdelt(service: Any, clock: Any) -> Gdelt:
    service.says({"articles": [article(number) for number in range(4)]})
    return adapter(Gdelt, service, clock)


async def test_articles_become_hits_dated_by_when_they_were_seen(gdelt: Gdelt) -> None:
    [first, *_] = await gdelt.search(Query("floods Spain"))

    assert (first.url, first.title, first.published) == ("https://news.test/0", "Floods in Spain", date(2026, 11, 18))
    assert first.snippet == "news.test, Spain, Spanish"


async def test_all_filters_are_told_in_gdelts_own_codes(gdelt: Gdelt, service: Any) -> None:
    filters = Filters(
        include_domains=("a.test", "b.test"),
        exclude_domains=("c.test",),
        language="es",
        region="at",
        published_after=date(2026, 11, 1),
    )
    await gdelt.search(Query("floods", filters))

    assert service.params["query"] == (
        "floods (domain:a.test OR domain:b.test) -domain:c.test sourcelang:spanish sourcecountry:AU"
    )
    assert (service.params["startdatetime"], service.params["enddatetime"]) == ("20261101000000", "20261120235959")


async def test_later_hits_are_cut_from_a_longer_answer(gdelt: Gdelt, service: Any) -> None:
    hits = await gdelt.search(Query("floods", limit=2, page=2))

    assert service.params["maxrecords"] == "4"
    assert [hit.url for hit in hits] == ["https://news.test/2", "https://news.test/3"]


async def test_words_that_gdelt_finds_too_short_are_left_out(gdelt: Gdelt, service: Any) -> None:
    await gdelt.search(Query("EU AI-act fines"))

    assert service.params["query"] == "act fines"


async def test_an_empty_object_is_nothing_found(gdelt: Gdelt, service: Any) -> None:
    service.says({})

    assert await gdelt.search(Query("floods")) == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"Please limit requests to one every 5 seconds.", RateLimited),
        (b"Your query was too short or too long.", ProviderError),
        (b"<html>gateway</html>", UnreadableAnswer),
    ],
)
async def test_faults_told_in_plain_text_are_failures(
    gdelt: Gdelt, service: Any, body: bytes, kind: type[ProviderError]
) -> None:
    service.says(body)

    with pytest.raises(kind) as caught:
        await gdelt.search(Query("floods"))
    assert type(caught.value) is kind
