from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.given import GivenPages

PAGES = ("https://a.example/ice", "https://b.example/iron", "https://a.example/ice", "https://c.example/?token=sk")
TITLES = {"https://b.example/iron": "Why iron sinks"}


async def test_the_pages_of_the_request_are_found_whatever_is_asked_and_without_their_secrets() -> None:
    found = await GivenPages(PAGES).search(Query("why does ice float", limit=1))

    assert [one.url for one in found[:2]] == ["https://a.example/ice", "https://b.example/iron"]
    assert found[2].url.startswith("https://c.example/")
    assert "sk" not in found[2].url
    assert found[0].engines == ("given",)


async def test_pages_whose_titles_fit_come_first_and_none_comes_twice() -> None:
    engine = GivenPages(PAGES, TITLES)

    assert (await engine.search(Query("why does iron sink")))[0].title == "Why iron sinks"
    assert await engine.search(Query("why does iron sink", page=2)) == []
