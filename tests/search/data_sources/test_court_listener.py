from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.court_listener import CourtListener


def row(number: int) -> dict[str, Any]:
    return {
        "absolute_url": f"/opinion/{number}/obergefell-v-hodges/",
        "caseName": "Obergefell v. <mark>Hodges</mark>",
        "citation": ["576 U.S. 644", "135 S. Ct. 2584"],
        "court": "Supreme Court of the United States",
        "dateFiled": "2015-06-26",
        "docketNumber": "14-556",
        "opinions": [{"snippet": "The right to <mark>marry</mark> is fundamental &amp; …", "type": "lead-opinion"}],
    }


@pytest.fixture
def courts(service: Any) -> CourtListener:
    service.says({"count": 3, "next": None, "previous": None, "results": [row(1), row(2), row(3)]})
    return adapter(CourtListener, service, courtlistener_key=None)


async def test_opinions_become_hits_with_their_citations(courts: CourtListener, service: Any) -> None:
    [first, *_] = await courts.search(Query("Obergefell v. Hodges"))

    assert first.url == "https://www.courtlistener.com/opinion/1/obergefell-v-hodges/"
    assert first.title == "Obergefell v. Hodges, 576 U.S. 644, 135 S. Ct. 2584"
    assert first.published == date(2015, 6, 26)
    assert first.snippet.endswith("docket 14-556. The right to marry is fundamental & …")
    assert service.params["type"] == "o"
    assert "authorization" not in service.requests[0].headers


async def test_a_token_and_dates_are_told(courts: CourtListener, service: Any) -> None:
    filters = Filters(published_after=date(2015, 1, 1), published_before=date(2015, 12, 31))
    await adapter(CourtListener, service, courtlistener_key="t0ken").search(Query("marriage", filters))

    assert (service.params["filed_after"], service.params["filed_before"]) == ("2015-01-01", "2015-12-31")
    assert service.requests[0].headers["authorization"] == "Token t0ken"


async def test_the_second_page_is_cut_from_the_same_answer(courts: CourtListener) -> None:
    [third] = await courts.search(Query("marriage", limit=2, page=2))

    assert "/opinion/3/" in third.url


JUNK: list[Any] = [{}, [], {"results": [{}]}, {"results": [{"absolute_url": "https://evil.test/"}]}, b"<html>"]


@pytest.mark.parametrize("body", JUNK)
async def test_an_answer_of_another_shape_is_a_failure(courts: CourtListener, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await courts.search(Query("marriage"))
