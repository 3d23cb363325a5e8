from datetime import date
from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.congress import Bill, Congress, named_bill

FOUND = {
    "count": 1,
    "offsetMark": "AoE",
    "results": [
        {
            "title": "Infrastructure Investment and Jobs Act",
            "packageId": "BILLS-117hr3684enr",
            "granuleId": None,
            "dateIssued": "2021-11-15",
            "collectionCode": "BILLS",
            "resultLink": "https://api.govinfo.gov/packages/BILLS-117hr3684enr/summary",
        }
    ],
}
BILL = {
    "bill": {
        "congress": 117,
        "number": "3684",
        "title": "Infrastructure Investment and Jobs Act",
        "latestAction": {"actionDate": "2021-11-15", "text": "Became Public Law No: 117-58."},
    }
}


@pytest.fixture
def congress(service: Any, clock: Any) -> Congress:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=FOUND if request.method == "POST" else BILL)

    service.answer = answer
    return adapter(Congress, service, clock, congress_key="key")


async def test_documents_lead_to_their_text_at_govinfo(congress: Congress, service: Any) -> None:
    [hit] = await congress.search(Query("infrastructure investment"))

    assert hit.url == "https://www.govinfo.gov/content/pkg/BILLS-117hr3684enr/html/BILLS-117hr3684enr.htm"
    assert hit.published == date(2021, 11, 15)
    assert service.json["query"] == "collection:(BILLS OR PLAW OR CRPT) infrastructure investment"
    assert service.requests[0].headers["x-api-key"] == "key"


async def test_a_bill_that_is_named_with_its_congress_is_looked_up(congress: Congress, service: Any) -> None:
    status, text = await congress.search(Query("What became of H.R. 3684 in the 117th Congress?"))

    assert status.url == "https://www.govinfo.gov/bulkdata/BILLSTATUS/117/hr/BILLSTATUS-117hr3684.xml"
    assert status.snippet == "2021-11-15: Became Public Law No: 117-58."
    assert "117hr3684enr" in text.url
    assert [request.url.path for request in service.requests] == ["/v3/bill/117/hr/3684", "/search"]
    assert service.json["query"] == "collection:(BILLS) billtype:hr docnumber:3684 congress:117"


async def test_dates_and_later_hits_are_told(congress: Congress, service: Any) -> None:
    await congress.search(Query("water", Filters(published_after=date(2020, 1, 1)), limit=5, page=2))

    assert service.json["query"].endswith("water publishdate:range(2020-01-01,2026-11-20)")
    assert service.json["pageSize"] == 10


@pytest.mark.parametrize(
    ("text", "bill"),
    [
        ("H.R. 3684", Bill("hr", "3684", "")),
        ("hr3684 of the 117th congress", Bill("hr", "3684", "117")),
        ("S. 1 vote", Bill("s", "1", "")),
        ("H.J. Res. 10", Bill("hjres", "10", "")),
        ("S.Con.Res. 3", Bill("sconres", "3", "")),
        ("the act of 2021", None),
    ],
)
def test_bills_are_known_by_their_usual_forms(text: str, bill: Bill | None) -> None:
    assert named_bill(text) == bill


JUNK: list[Any] = [{}, [], {"results": [{}]}, b"<html>"]


@pytest.mark.parametrize("body", JUNK)
async def test_an_answer_of_another_shape_is_a_failure(congress: Congress, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await congress.search(Query("water"))
