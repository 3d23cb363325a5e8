from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.given import GIVEN, GivenPages


async def test_the_pages_of_a_request_are_found_by_every_query_in_their_order() -> None:
    urls = [f"https://ice.example/{number}" for number in range(3)]

    hits = await GivenPages(urls).search(Query("anything", limit=1))

    assert [hit.url for hit in hits] == urls
    assert {hit.engines for hit in hits} == {(GIVEN,)}
