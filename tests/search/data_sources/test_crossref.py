from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.crossref import Crossref

FOUND: dict[str, Any] = {
    "status": "ok",
    "message-type": "work-list",
    "message-version": "1.0.0",
    "message": {
        "total-results": 2,
        "items": [
            {
                "DOI": "10.1038/s41586-020-2649-2",
                "title": ["Array programming with NumPy"],
                "abstract": "<jats:title>Abstract</jats:title><jats:p>Array programming provides a powerful…</jats:p>",
                "issued": {"date-parts": [[2020, 9, 16]]},
                "published-online": {"date-parts": [[2020, 9, 16]]},
                "published-print": {"date-parts": [[2020, 9, 17]]},
                "resource": {"primary": {"URL": "https://www.nature.com/articles/s41586-020-2649-2"}},
            },
            {"DOI": "10.1000/old", "title": [], "issued": {"date-parts": [[1999]]}, "resource": None},
            {"DOI": "10.1000/none", "title": ["T"], "issued": {"date-parts": [[None]]}},
        ],
        "items-per-page": 2,
    },
}


@pytest.fixture
def crossref(service: Any) -> Crossref:
    service.says(FOUND)
    return adapter(Crossref, service, crossref_base_url="https://crossref.test")


async def test_records_become_hits_at_the_publisher_dated_only_by_whole_days(crossref: Crossref) -> None:
    first, second, third = await crossref.search(Query("numpy"))

    assert first.url == "https://www.nature.com/articles/s41586-020-2649-2"
    assert (first.title, first.published) == ("Array programming with NumPy", date(2020, 9, 16))
    assert first.snippet == "Array programming provides a powerful…"
    assert (second.url, second.published) == ("https://doi.org/10.1000/old", None)
    assert third.published is None


async def test_a_question_carries_its_dates_and_its_page(crossref: Crossref, service: Any) -> None:
    limits = Filters(published_after=date(2024, 1, 2), published_before=date(2024, 3, 4))

    await crossref.search(Query("numpy arrays", limits, limit=5, page=2))

    assert service.requests[0].url.path == "/works"
    assert service.params["query.bibliographic"] == "numpy arrays"
    assert service.params["filter"] == "from-pub-date:2024-01-02,until-pub-date:2024-03-04"
    assert (service.params["rows"], service.params["offset"]) == ("5", "5")


async def test_dois_are_asked_for_as_such(crossref: Crossref, service: Any) -> None:
    await crossref.search(Query("compare https://doi.org/10.1038/S41586-020-2649-2 and 10.1000/b"))

    assert service.params["filter"] == "doi:10.1038/s41586-020-2649-2,doi:10.1000/b"
    assert "query.bibliographic" not in service.params


@pytest.mark.parametrize("query", [Query("arXiv:1706.03762"), Query("10.1000/a", page=2), Query("10.1000/a,b")])
async def test_identifiers_that_crossref_does_not_know_are_not_asked_for(
    crossref: Crossref, service: Any, query: Query
) -> None:
    assert await crossref.search(query) == []
    assert service.requests == []


async def test_nothing_found_is_no_failure_but_another_shape_is(crossref: Crossref, service: Any) -> None:
    service.says({"status": "ok", "message": {"items": []}})
    assert await crossref.search(Query("x")) == []

    service.says({"status": "failed", "message-type": "validation-failure", "message": [{"type": "x"}]})
    with pytest.raises(UnreadableAnswer):
        await crossref.search(Query("x"))
