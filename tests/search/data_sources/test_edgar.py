from datetime import date
from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import ProviderError, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.edgar import Edgar, named_forms

TICKERS = {"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}}
FOUND = {
    "took": 90,
    "hits": {
        "total": {"value": 1, "relation": "eq"},
        "hits": [
            {
                "_id": "0000320193-23-000106:aapl-20230930.htm",
                "_score": 9.1,
                "_source": {
                    "ciks": ["0000320193"],
                    "display_names": ["Apple Inc.  (AAPL)  (CIK 0000320193)"],
                    "form": "10-K",
                    "file_type": "10-K",
                    "file_date": "2023-11-03",
                    "period_ending": "2023-09-30",
                    "file_description": "10-K",
                    "adsh": "0000320193-23-000106",
                },
            }
        ],
    },
}
REVENUE = {
    "cik": 320193,
    "taxonomy": "us-gaap",
    "tag": "Revenues",
    "label": "Revenues",
    "entityName": "Apple Inc.",
    "units": {
        "USD": [
            {"start": "2021-09-26", "end": "2022-09-24", "val": 394328000000, "form": "10-K", "filed": "2022-10-28"},
            {"start": "2022-09-25", "end": "2023-09-30", "val": 383285000000, "form": "10-K", "filed": "2023-11-03"},
        ]
    },
}
SUBMISSIONS = {
    "cik": "320193",
    "name": "Apple Inc.",
    "filings": {
        "recent": {
            "accessionNumber": ["0000320193-24-000010", "0000320193-23-000106", "0000320193-22-000108"],
            "filingDate": ["2024-02-02", "2023-11-03", "2022-10-28"],
            "reportDate": ["2023-12-30", "2023-09-30", "2022-09-24"],
            "form": ["10-Q", "10-K", "10-K"],
            "primaryDocument": ["aapl-20231230.htm", "aapl-20230930.htm", "aapl-20220924.htm"],
        }
    },
}
DOCUMENT = "https://www.sec.gov/Archives/edgar/data/320193/000032019323000106/aapl-20230930.htm"


def answer(request: httpx2.Request) -> httpx2.Response:
    path = request.url.path
    if "companyconcept" in path:
        return httpx2.Response(200, json=REVENUE) if path.endswith("/Revenues.json") else httpx2.Response(404)
    return httpx2.Response(200, json=TICKERS if "tickers" in path else SUBMISSIONS if "submissions" in path else FOUND)


@pytest.fixture
def edgar(service: Any, clock: Any) -> Edgar:
    service.answer = answer
    return adapter(Edgar, service, clock)


async def test_filings_lead_to_the_document_itself(edgar: Edgar, service: Any) -> None:
    [hit] = await edgar.search(Query("supply chain risk"))

    assert (hit.url, hit.published) == (DOCUMENT, date(2023, 11, 3))
    assert hit.title == "10-K of Apple Inc. (AAPL) (CIK 0000320193), 2023-11-03"
    assert service.requests[-1].url.host == "efts.sec.gov"


async def test_a_company_and_a_figure_lead_to_all_its_reported_values(edgar: Edgar, service: Any) -> None:
    [facts, filing] = await edgar.search(Query("Apple revenue 2023"))

    assert facts.url == "https://data.sec.gov/api/xbrl/companyconcept/CIK0000320193/us-gaap/Revenues.json"
    assert facts.title == "Revenues, Apple Inc.: all reported figures"
    assert facts.snippet == (
        "383,285,000,000 USD for 2022-09-25 to 2023-09-30 (10-K, filed 2023-11-03), and all other periods."
    )
    assert filing.url == DOCUMENT
    assert service.params["ciks"] == "0000320193"


def filed(*rows: tuple[str, str, int]) -> dict[str, Any]:
    facts = [{"start": start, "end": end, "val": value, "filed": "2025-01-01"} for start, end, value in rows]
    return {"tag": "x", "units": {"USD": facts}}


CHANGED = {
    "RevenueFromContractWithCustomerExcludingAssessedTax.json": filed(
        ("2018-01-01", "2018-12-31", 18), ("2018-10-01", "2018-12-31", 5)
    ),
    "Revenues.json": filed(("2025-01-01", "2025-12-31", 25), ("2016-01-01", "2016-12-31", 16)),
}
"""A company that has changed the concept of its revenue, and back."""


@pytest.mark.parametrize(
    ("query", "value", "concept"),
    [
        ("Apple revenue", "25 USD for 2025", "Revenues"),
        ("Apple revenue 2018", "18 USD for 2018", "RevenueFromContractWithCustomerExcludingAssessedTax"),
        ("Apple revenue 2016", "16 USD for 2016", "Revenues"),
        ("Apple revenue 1999", "25 USD for 2025", "Revenues"),
    ],
)
async def test_the_concept_is_the_one_that_holds_the_time_asked_about(
    edgar: Edgar, service: Any, query: str, value: str, concept: str
) -> None:
    def say(request: httpx2.Request) -> httpx2.Response:
        known = CHANGED.get(request.url.path.rsplit("/", 1)[1])
        return httpx2.Response(200, json=known) if known else answer(request)

    service.answer = say

    [hit, *_] = await edgar.search(Query(query))
    assert hit.snippet.startswith(value)
    assert hit.url.endswith(f"/us-gaap/{concept}.json")


async def test_a_company_and_a_form_lead_to_its_latest_filings_each_once(edgar: Edgar, service: Any) -> None:
    hits = await edgar.search(Query("Apple 10-K risk factors"))

    assert [hit.url.rsplit("/", 1)[1] for hit in hits] == ["aapl-20230930.htm", "aapl-20220924.htm"]
    assert service.params["forms"] == "10-K"


async def test_dates_and_pages_are_told(edgar: Edgar, service: Any) -> None:
    filters = Filters(published_after=date(2023, 1, 1))
    [first, *_] = await edgar.search(Query("Apple annual report", filters, limit=5))
    await edgar.search(Query("Apple annual report", filters, limit=5, page=3))

    assert first.published == date(2023, 11, 3)
    assert (service.params["startdt"], service.params["enddt"]) == ("2023-01-01", "2026-11-20")
    assert service.params["from"] == "10"


async def test_the_list_of_companies_is_loaded_once(edgar: Edgar, service: Any) -> None:
    await edgar.search(Query("ice"))
    await edgar.search(Query("water"))

    assert sum("tickers" in request.url.path for request in service.requests) == 1


async def test_a_refused_user_agent_says_what_to_set(edgar: Edgar, service: Any) -> None:
    service.says(b"<html>Undeclared Automated Tool</html>", status=403)

    with pytest.raises(ProviderError, match="DEEPRESEARCH_WEB__CONTACT"):
        await edgar.search(Query("ice"))


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("latest 10-K and 10q", ["10-K", "10-Q"]),
        ("annual report of Intel", ["10-K"]),
        ("DEF 14A proxy statement", ["DEF 14A"]),
        ("form 4", []),
    ],
)
def test_forms_are_known_by_number_and_in_words(text: str, forms: list[str]) -> None:
    assert named_forms(text) == forms


@pytest.mark.parametrize("body", [{}, [], {"hits": {"hits": [{"_id": "../x"}]}}, b"<html>"])
async def test_an_answer_of_another_shape_is_a_failure(edgar: Edgar, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await edgar.search(Query("ice"))
