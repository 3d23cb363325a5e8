from pathlib import Path

from rest_world import served_rest


async def test_one_search_and_one_page_need_no_run(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        found = (await world.call("POST", "/search", {"query": "ice density", "limit": 2})).json()
        page = (await world.call("POST", "/fetch", {"url": f"{world.web.base}/density"})).json()
        missing = await world.call("POST", "/fetch", {"url": f"{world.web.base}/none"})
        own = await world.call("POST", "/fetch", {"url": "library://mine/notes.md"})

    assert len(found["hits"]) == 2
    assert "9 percent" in page["pieces"][0]["text"]
    assert (missing.status_code, missing.json()["code"]) == (424, "E1300")
    assert own.status_code == 422
