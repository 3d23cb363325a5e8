from pathlib import Path

import pytest

from deepresearch_mcp import DeepResearch, InvalidRequest, UnknownRun
from small_web import settings_for


async def test_what_is_not_there_cannot_be_looked_at_or_shared(tmp_path: Path) -> None:
    async with DeepResearch(settings_for(tmp_path)) as research:
        for ask in (research.get, research.share, research.shares):
            with pytest.raises(UnknownRun):
                await ask("none")
        with pytest.raises(UnknownRun):
            _ = [one async for one in research.events("none")]
        with pytest.raises(UnknownRun):
            await research.unshare("none", "ab")
        with pytest.raises(InvalidRequest, match="limit is 0"):
            await research.list(limit=0)
