from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, UnreadableAnswer
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.fred import Fred

KEY = "abcdef0123456789abcdef0123456789"
FOUND = {
    "realtime_start": "2026-11-20",
    "order_by": "search_rank",
    "count": 1,
    "seriess": [
        {
            "id": "UNRATE",
            "title": "Unemployment Rate",
            "observation_start": "1948-01-01",
            "observation_end": "2026-10-01",
            "frequency": "Monthly",
            "units": "Percent",
            "seasonal_adjustment": "Seasonally Adjusted",
            "last_updated": "2026-11-06 07:44:02-06",
            "notes": "The unemployment rate represents …",
        },
        {"id": "UNRATENSA", "title": "Unemployment Rate"},
    ],
}


@pytest.fixture
def fred(service: Any) -> Fred:
    service.says(FOUND)
    return adapter(Fred, service, fred_key=KEY)


async def test_a_series_leads_to_its_page_and_the_best_to_all_its_figures(fred: Fred) -> None:
    hits = await fred.search(Query("US unemployment rate"))

    assert [hit.url for hit in hits] == [
        "https://fred.stlouisfed.org/series/UNRATE",
        "https://fred.stlouisfed.org/data/UNRATE",
        "https://fred.stlouisfed.org/series/UNRATENSA",
    ]
    assert hits[0].published == date(2026, 11, 6)
    assert hits[0].snippet.startswith("Percent, Monthly, Seasonally Adjusted, 1948-01-01 to 2026-10-01.")


async def test_the_key_is_in_no_hit_and_no_error(fred: Fred, service: Any) -> None:
    assert KEY not in repr(await fred.search(Query("unemployment")))
    assert service.params["api_key"] == KEY

    service.says({"error_code": 400, "error_message": "The value for variable api_key is not registered."}, status=400)
    with pytest.raises(KeyRefused, match="FRED_API_KEY") as caught:
        await fred.search(Query("unemployment"))
    assert KEY not in str(caught.value)


async def test_another_refusal_is_not_about_the_key(fred: Fred, service: Any) -> None:
    service.says({"error_code": 400, "error_message": "Value of limit is not between 1 and 1000."}, status=400)

    with pytest.raises(ProviderError) as caught:
        await fred.search(Query("unemployment"))
    assert not isinstance(caught.value, KeyRefused)


async def test_later_hits_can_be_asked_for(fred: Fred, service: Any) -> None:
    await fred.search(Query("unemployment", limit=5, page=3))

    assert (service.params["limit"], service.params["offset"]) == ("5", "10")


JUNK: list[Any] = [{}, [], {"seriess": [{}]}, b"<html>"]


@pytest.mark.parametrize("body", JUNK)
async def test_an_answer_of_another_shape_is_a_failure(fred: Fred, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await fred.search(Query("unemployment"))
