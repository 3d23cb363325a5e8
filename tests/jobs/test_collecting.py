"""Collections are filled and removed for programs."""

from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import InvalidRequest, UnknownCollection
from deepresearch_mcp.jobs.collecting import checked_name, collect, remove_collection
from deepresearch_mcp.runtime import open_runtime
from small_web import settings_for


@pytest.mark.parametrize("name", ["", "-x", "a/b", "a b", "x" * 65, "../x"])
def test_a_name_that_would_need_quotes_is_refused(name: str):
    with pytest.raises(InvalidRequest, match="cannot be a collection's name"):
        checked_name(name)


async def test_what_is_not_there_is_neither_read_nor_removed(tmp_path: Path):
    async with open_runtime(settings_for(tmp_path)) as runtime:
        with pytest.raises(InvalidRequest):
            await collect(runtime, "notes", [str(tmp_path / "nowhere")])
        with pytest.raises(UnknownCollection):
            await remove_collection(runtime, "notes")
