from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.world_bank import WorldBank

COUNTRIES = [
    {"id": "DEU", "iso2Code": "DE", "name": "Germany"},
    {"id": "FRA", "iso2Code": "FR", "name": "France"},
    {"id": "NGA", "iso2Code": "NG", "name": "Nigeria"},
    {"id": "NER", "iso2Code": "NE", "name": "Niger"},
    {"id": "KOR", "iso2Code": "KR", "name": "Korea, Rep."},
]
INDICATORS = [
    {"id": "NY.GDP.MKTP.CD", "name": "GDP (current US$)", "sourceNote": "GDP at purchaser's prices …"},
    {"id": "NY.GDP.PCAP.CD", "name": "GDP per capita (current US$)", "sourceNote": "GDP divided by population."},
    {"id": "EG.GDP.PUSE.KO.PP", "name": "GDP per unit of energy use (PPP $ per kg of oil equivalent)"},
    {"id": "SP.POP.TOTL", "name": "Population, total", "sourceNote": "All residents."},
    {"id": "SP.DYN.LE00.IN", "name": "Life expectancy at birth, total (years)", "sourceNote": ""},
    {"id": "SP.DYN.LE00.FE.IN", "name": "Life expectancy at birth, female (years)", "sourceNote": ""},
    {"id": "FP.CPI.TOTL.ZG", "name": "Inflation, consumer prices (annual %)", "sourceNote": ""},
    {"id": "NY.GDP.DEFL.KD.ZG", "name": "Inflation, GDP deflator (annual %)", "sourceNote": ""},
]


@pytest.fixture
def bank(service: Any) -> WorldBank:
    def answer(request: httpx2.Request) -> httpx2.Response:
        rows: list[Any] = COUNTRIES if request.url.path == "/v2/country" else INDICATORS
        page, half = int(request.url.params["page"]), (len(rows) + 1) // 2
        meta = {"page": page, "pages": 2, "per_page": "500", "total": len(rows)}
        return httpx2.Response(200, json=[meta, rows[half * (page - 1) : half * page]])

    service.answer = answer
    return adapter(WorldBank, service)


@pytest.mark.parametrize(
    ("query", "where", "indicator"),
    [
        ("GDP of Germany", "DE", "NY.GDP.MKTP.CD"),
        ("GDP per capita of France and Germany since 2010", "FR;DE", "NY.GDP.PCAP.CD"),
        ("population of Nigeria", "NG", "SP.POP.TOTL"),
        ("life expectancy in South Korea", "KR", "SP.DYN.LE00.IN"),
        ("inflation in the UK", "GB", "FP.CPI.TOTL.ZG"),
    ],
)
async def test_the_plain_indicator_of_the_named_countries_comes_first(
    bank: WorldBank, query: str, where: str, indicator: str
) -> None:
    hits = await bank.search(Query(query))

    assert hits[0].url == (
        f"https://api.worldbank.org/v2/country/{where}/indicator/{indicator}?format=json&per_page=1000"
    )


async def test_without_a_country_the_region_is_taken_else_the_latest_of_all(bank: WorldBank) -> None:
    [of_region, *_] = await bank.search(Query("population", Filters(region="fr")))
    [of_all, *_] = await bank.search(Query("countries with the largest population"))

    assert "/country/FR/" in of_region.url
    assert of_all.url.endswith("/country/all/indicator/SP.POP.TOTL?format=json&per_page=400&mrnev=1")


async def test_the_lists_are_loaded_once(bank: WorldBank, service: Any) -> None:
    await bank.search(Query("GDP"))
    await bank.search(Query("population"))

    assert [request.url.path for request in service.requests] == [
        *["/v2/country"] * 2,
        *["/v2/source/2/indicator"] * 2,
    ]


async def test_a_query_about_something_else_finds_nothing(bank: WorldBank) -> None:
    assert await bank.search(Query("who painted the Mona Lisa")) == []
    assert await bank.search(Query("Germany 2020")) == []


JUNK: list[Any] = [{}, [], [{"message": [{"id": "120", "value": "…"}]}], [{"pages": 1}, [{}]], b"<html>"]


@pytest.mark.parametrize("body", JUNK)
async def test_an_answer_of_another_shape_is_a_failure(service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await adapter(WorldBank, service).search(Query("GDP"))
