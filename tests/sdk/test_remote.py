"""The library at the address of a server: the same calls, the same errors."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deepresearch_mcp import (
    DeepResearch,
    InvalidRequest,
    NotAuthenticated,
    ProviderError,
    RunEvent,
    SettingsError,
    UnknownCollection,
    UnknownRun,
)
from deepresearch_mcp.sdk.remote import checked_address
from deepresearch_mcp.settings.schema import Settings
from hook_receiver import SECRET
from rest_served import rest_address, rest_and_web
from served import bare_env, serving
from small_web import QUESTION, settings_for


@asynccontextmanager
async def at_a_server(home: Path, token: str = "token:1") -> AsyncGenerator[DeepResearch]:
    """The library, and the real routes on a loopback port."""
    async with rest_address(home) as address, DeepResearch(address, token=token) as research:
        yield research


async def test_a_run_is_worked_on_at_a_server_from_the_estimate_to_its_deletion(tmp_path: Path):
    stages: list[str] = []

    async def hear(progress: object) -> None:
        stages.append(getattr(progress, "stage", ""))

    async def listen(event: RunEvent) -> None:
        events.append(event.number)

    events: list[int] = []
    async with at_a_server(tmp_path) as research:
        estimate = await research.estimate(QUESTION, effort="quick")
        run = await research.research(QUESTION, effort="quick", on_progress=hear, on_event=listen)
        stored = [one async for one in research.events(run.run_id)]
        again = await research.research(QUESTION, effort="quick")
        word = await research.export(run.run_id, "docx")
        works = await research.export(run.run_id, "bibtex")
        twin = await research.fork(run.run_id)
        page = await research.list(limit=1)
        every = [one.run_id async for one in research.runs(status="completed")]
        gone = await research.delete(run.run_id)

        assert estimate.searches > 0
        assert (run.status, run.quotes.located) == ("completed", run.quotes.total)
        assert stages
        assert stages[-1] == "ended"
        assert events == [one.number for one in stored]
        assert {"plan_marked", "sub_question_ended", "claim_verified", "section_written"} <= {
            one.kind for one in stored
        }
        assert run.checklist
        assert again == run
        assert word.startswith(b"PK")
        assert works.startswith(b"@misc{")
        with pytest.raises(InvalidRequest, match="no format 'odt'"):
            await research.export(run.run_id, "odt")
        assert every == [twin.run_id, run.run_id]
        assert page.next_cursor
        assert gone["steps"] > 0
        for ask in (research.get, research.follow, research.cancel, research.resume):
            with pytest.raises(UnknownRun) as caught:
                await ask(run.run_id)
            assert caught.value.run_id == run.run_id


async def test_a_cancelled_run_is_resumed_at_a_server_to_its_end(tmp_path: Path):
    async with (
        rest_and_web(tmp_path, held=True) as (address, web),
        DeepResearch(address, token="token:1") as research,
    ):
        run_id = await research.start(QUESTION, effort="quick")
        cancelled = await research.cancel(run_id)
        web.open.set()
        events: list[str] = []

        async def listen(event: RunEvent) -> None:
            events.append(event.kind)

        again = await research.resume(run_id, max_usd=1, on_event=listen)

        assert (cancelled.status, again.run_id, again.status) == ("cancelled", run_id, "completed")
        assert again.quotes.total > 0
        assert events[-1] == "ended"
        assert [one.run_id for one in (await research.list()).runs] == [run_id]
        with pytest.raises(InvalidRequest, match="complete"):
            await research.resume(run_id)


async def test_webhooks_are_verified_with_what_the_server_or_the_settings_tell(tmp_path: Path):
    async with at_a_server(tmp_path) as research:
        with pytest.raises(InvalidRequest, match=r"webhooks\.secret is not set"):
            await research.webhook_secret()
    hooks = {"webhooks": {"secret": SECRET}}
    settings = Settings.model_validate({**settings_for(tmp_path).model_dump(), **hooks})
    async with (
        rest_and_web(tmp_path, settings=settings) as (address, _),
        DeepResearch(address, token="token:1") as research,
    ):
        own = await research.webhook_secret()
    async with DeepResearch(settings) as research:
        assert await research.webhook_secret() == SECRET
    assert own.startswith("whsec_")
    assert own != SECRET


async def test_a_plan_is_approved_at_a_server(tmp_path: Path):
    async with at_a_server(tmp_path) as research:
        waiting = await research.research(QUESTION, effort="quick", approve_plan=True)
        done = await research.answer(waiting.run_id, approve=True)

        assert (waiting.status, done.status) == ("input_required", "completed")
        with pytest.raises(InvalidRequest, match=r"answered|waits for no"):
            await research.answer(waiting.run_id, note="More")


async def test_collections_are_kept_at_a_server(tmp_path: Path):
    file = tmp_path / "ice.md"
    file.write_text("# Ice\n\nIce floats because it is less dense than water.\n")
    async with at_a_server(tmp_path / "home") as research:
        await research.library.add("papers", file)
        [row] = await research.library.list()
        [passage] = await research.library.search("why does ice float", collections=["papers"])
        await research.library.remove("papers")

        assert (row.name, row.documents, "less dense" in passage.text) == ("papers", 1, True)
        with pytest.raises(UnknownCollection):
            await research.library.remove("papers")
        with pytest.raises(InvalidRequest):
            await research.library.add("papers", tmp_path)


async def test_errors_are_those_of_the_engine(tmp_path: Path):
    async with at_a_server(tmp_path) as research:
        with pytest.raises(InvalidRequest, match="depth"):
            await research.research("Why?", depth=99)
        with pytest.raises(InvalidRequest, match=r"webhooks\.secret"):
            await research.start(QUESTION, webhook_url="https://example.org/hook")
    async with at_a_server(tmp_path, token="") as research:
        with pytest.raises(NotAuthenticated):
            await research.list()


async def test_a_wrong_token_is_told_as_such_by_what_stands_before_all_routes(tmp_path: Path):
    with serving(bare_env(tmp_path), "--token") as address:
        async with DeepResearch(address.removesuffix("/mcp"), token="drt_wrong") as research:
            with pytest.raises(NotAuthenticated, match="A valid token is needed") as caught:
                await research.list()

    assert caught.value.action.startswith("Send the header")


async def test_a_server_that_is_not_there_is_told_as_such():
    async with DeepResearch("http://127.0.0.1:9", token="t") as research:
        with pytest.raises(ProviderError, match="cannot be reached") as caught:
            await research.list()
    assert caught.value.retryable


@pytest.mark.parametrize("url", ["", "research.example.org", "ftp://x", "https://me:it@x", "https://x/?token=1"])
def test_a_wrong_address_is_refused(url: str):
    with pytest.raises(SettingsError, match="address"):
        checked_address(url)


def test_an_address_and_settings_exclude_each_other():
    assert checked_address("https://x.example/") == "https://x.example"
    with pytest.raises(SettingsError, match="own settings"):
        DeepResearch("https://x.example", **{"model.use": "extractive"})
    with pytest.raises(SettingsError, match="token"):
        DeepResearch(token="t")
