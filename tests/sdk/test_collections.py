"""Collections, as a program uses them."""

from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp import DeepResearch, InvalidRequest, UnknownCollection
from small_web import settings_for


async def test_a_folder_is_added_searched_and_removed(tmp_path: Path):
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "ice.md").write_text("# Ice\n\nIce floats because it is less dense than water.\n")
    async with DeepResearch(settings_for(tmp_path / "home")) as research:
        added = await research.library.add("papers", folder)
        again = await research.library.add("papers")
        [row] = await research.library.list()
        [passage] = await research.library.search("why does ice float", collections=["papers"])
        await research.library.remove("papers")

        assert (added.added, again.unchanged, row.name, row.documents) == (1, 1, "papers", 1)
        assert "less dense" in passage.text
        assert await research.library.list() == []
        with pytest.raises(UnknownCollection, match="none yet"):
            await research.library.search("ice", collections=["papers"])


@pytest.mark.parametrize("asked", [{"query": " "}, {"query": "ice", "limit": 0}, {"query": "ice", "where": ["x"]}])
async def test_a_wrong_search_is_refused(tmp_path: Path, asked: dict[str, Any]):
    async with DeepResearch(settings_for(tmp_path)) as research:
        with pytest.raises(InvalidRequest):
            await research.library.search(**asked)
