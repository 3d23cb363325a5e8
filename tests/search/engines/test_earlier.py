from pathlib import Path

from clocks import HandClock
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.engines.earlier import Earlier
from deepresearch_mcp.store.sqlite import open_sqlite_store
from pipeline_fakes import page


async def test_only_what_the_earlier_run_read_is_found_each_page_once_by_its_best_passage(tmp_path: Path) -> None:
    async with open_sqlite_store(tmp_path, HandClock()) as store:
        await store.documents.save(page("https://ice.example/a", "Ice floats on water.\n\n" * 40), "r1")
        await store.documents.save(page("https://salt.example/b", "Salt melts ice on roads."), "r1")
        await store.documents.save(page("https://else.example/c", "Ice in another run."), "r2")
        engine = Earlier(store.documents, "r1")

        found = await engine.search(Query("Why does ice float on water?", Filters()))
        one = await engine.search(Query("ice", Filters(), limit=1))
        none = await engine.search(Query("penguins", Filters()))

    assert [hit.url for hit in found] == ["https://ice.example/a", "https://salt.example/b"]
    assert found[0].engines == ("earlier",)
    assert found[0].snippet.startswith("Ice floats on water.")
    assert (len(one), none) == (1, [])
