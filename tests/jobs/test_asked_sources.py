"""Pages and languages of sources that a request names, in whole runs over a real wire."""

from pathlib import Path

from small_web import QUESTION, small_web
from whole_runs import opened, researched


async def test_pages_of_a_request_are_read_first_and_then_what_engines_find(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        named = f"{web.base}/lakes"
        run = await researched(jobs, urls=[named], source_languages=["de"])

    assert run.status == "completed", run.error
    assert web.read[0] == named
    assert {one.url for one in run.sources} == {web.base + path for path in ("/lakes", "/density", "/bonds")}
    assert QUESTION in web.asked
    assert set(web.languages) == {"de"}


async def test_without_the_web_the_pages_of_a_request_are_all_that_is_read(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        named = [f"{web.base}/lakes", f"{web.base}/bonds"]
        run = await researched(jobs, urls=named, web=False)

    assert run.status == "completed", run.error
    assert sorted(web.read) == sorted(one.url for one in run.sources) == sorted(named)
    assert web.asked == []
    assert {one.url.partition("#")[0] for one in run.citations} == set(named)
