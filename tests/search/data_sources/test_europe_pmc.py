from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.europe_pmc import EuropePMC


def found(count: int) -> dict[str, Any]:
    first = {
        "id": "31978945",
        "source": "MED",
        "pmid": "31978945",
        "pmcid": "PMC7092803",
        "doi": "10.1056/nejmoa2001017",
        "title": "A Novel Coronavirus from Patients.",
        "abstractText": "<h4>Background</h4>In December 2019, a cluster.",
        "firstPublicationDate": "2020-01-24",
    }
    others = [{"id": f"PPR{n}", "source": "PPR", "doi": f"10.1101/{n}", "title": f"No {n}"} for n in range(1, count)]
    return {"version": "6.9", "hitCount": count, "resultList": {"result": [first, *others][:count]}}


@pytest.fixture
def europe(service: Any) -> EuropePMC:
    service.says(found(2))
    return adapter(EuropePMC, service, europe_pmc_base_url="https://europe.test")


async def test_papers_become_hits_where_they_can_be_read(europe: EuropePMC) -> None:
    first, second = await europe.search(Query("covid"))

    assert first.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC7092803/"
    assert first.snippet == "Background In December 2019, a cluster."
    assert (first.published, second.published) == (date(2020, 1, 24), None)
    assert second.url == "https://doi.org/10.1101/1"


async def test_words_are_no_operators_and_dates_are_a_part_of_the_question(europe: EuropePMC, service: Any) -> None:
    await europe.search(
        Query('Is the "ice sheet" (AND/OR) in TITLE:?', Filters(published_before=date(2024, 3, 4)), limit=5)
    )

    assert service.requests[0].url.path == "/europepmc/webservices/rest/search"
    assert service.params["query"] == "ice sheet TITLE AND FIRST_PDATE:[1800-01-01 TO 2024-03-04]"
    assert (service.params["resultType"], service.params["pageSize"]) == ("core", "5")


async def test_a_later_page_is_the_end_of_a_longer_answer(europe: EuropePMC, service: Any) -> None:
    service.says(found(4))

    hits = await europe.search(Query("covid", limit=2, page=2))

    assert service.params["pageSize"] == "4"
    assert [hit.title for hit in hits] == ["No 2", "No 3"]


async def test_identifiers_are_asked_for_as_such(europe: EuropePMC, service: Any) -> None:
    await europe.search(Query("PMID 123, PMC456, 10.1101/1"))

    assert service.params["query"] == 'DOI:"10.1101/1" OR (EXT_ID:123 AND SRC:MED) OR PMCID:PMC456'


@pytest.mark.parametrize(
    "query", [Query("arXiv:1706.03762"), Query("PMID 123", page=2), Query("?!"), Query("ice", limit=100, page=6)]
)
async def test_what_it_cannot_have_is_not_asked_for(europe: EuropePMC, service: Any, query: Query) -> None:
    assert await europe.search(query) == []
    assert service.requests == []


async def test_a_fault_with_status_200_is_a_failure(europe: EuropePMC, service: Any) -> None:
    service.says({"errCode": 404, "errMsg": "Not found"})

    with pytest.raises(UnreadableAnswer):
        await europe.search(Query("ice"))
