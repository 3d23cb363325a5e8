from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.store.sqlite import open_store
from deepresearch_mcp.web.stored import Stored
from pipeline_fakes import page


async def test_only_what_was_read_before_is_read_and_nothing_is_fetched(tmp_path: Path) -> None:
    ice = page("https://ice.example/a", "Ice floats.")
    async with open_store(tmp_path, HandClock()) as store:
        await store.documents.keep("https://ice.example/a", ice, {})
        web = Stored(store.documents)

        assert (await web.fetch("https://ICE.example/a/")).text == "Ice floats."
        with pytest.raises(FetchRefused) as refused:
            await web.fetch("https://ice.example/b")

    assert refused.value.reason == "off_limits"
