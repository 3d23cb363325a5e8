from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.web.library.stored import FRESH_DAYS, EarlierWeb, StoredWeb, web_for
from pipeline_fakes import FakeWeb, page


async def test_only_what_was_read_before_is_read_and_nothing_is_fetched(tmp_path: Path) -> None:
    ice = page("https://ice.example/a", "Ice floats.")
    async with open_sqlite_store(tmp_path, HandClock()) as store:
        await store.documents.keep("https://ice.example/a", ice, {})
        web = StoredWeb(store.documents, LOCAL_CALLER)

        assert (await web.fetch("https://ICE.example/a/")).text == "Ice floats."
        with pytest.raises(FetchRefused) as refused:
            await web.fetch("https://ice.example/b")

    assert refused.value.reason == "off_limits"


async def test_a_page_that_an_earlier_run_read_lately_is_not_fetched_again(tmp_path: Path) -> None:
    clock = HandClock()
    ice, salt = page("https://ice.example/a", "Ice floats."), page("https://salt.example/b", "Salt melts ice.")
    anew = page("https://ice.example/a", "Ice floats still.")
    async with open_sqlite_store(tmp_path, clock) as store:
        await store.documents.save(ice, "r1")
        fetched = FakeWeb([anew, salt])
        web = EarlierWeb(fetched, store.documents, "r1", clock)

        assert (await web.fetch("https://ICE.example/a/")).text == "Ice floats."
        assert (await web.fetch("https://salt.example/b")).text == "Salt melts ice."
        assert fetched.fetched == ["https://salt.example/b"]

        clock.advance(FRESH_DAYS * 86_400 + 1)
        assert (await web.fetch("https://ice.example/a")).text == "Ice floats still."


async def test_a_check_without_the_web_reads_stored_pages_and_a_follow_up_those_of_its_first_run(
    tmp_path: Path,
) -> None:
    clock, web = HandClock(), FakeWeb([])
    async with open_sqlite_store(tmp_path, clock) as store:

        def kind(request: AnyRequest) -> type:
            return type(web_for(request, LOCAL_CALLER, web, store.documents, clock))

        assert kind(CheckRequest(text="Ice floats [1].", web=False)) is StoredWeb
        assert kind(CheckRequest(text="Ice floats [1].")) is FakeWeb
        assert kind(ResearchRequest(question="Why?")) is FakeWeb
        assert kind(ResearchRequest(question="Why?", follow_up_of="r1")) is EarlierWeb
