"""Webhooks over a real wire: signed, repeated, and never lost."""

import base64
import hashlib
import hmac
import json
from pathlib import Path

import anyio
import pytest
from pydantic import SecretStr

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest, StoreError, UnknownRun
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.jobs.webhooks import Deliveries, caller_secret, check_webhook, expect_webhook, message_of
from deepresearch_mcp.records.report import SourceRow
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import Runtime, open_runtime
from deepresearch_mcp.sdk.deep_research import DeepResearch
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.settings.webhooks import signing_key
from hook_receiver import KEY, SECRET, receiving
from small_web import QUESTION, settings_for, small_web

RUN = Run(run_id="r1", status="completed", stage="ended", question="Why?", answer="So.", report="# Why\n")


async def result(run_id: str, caller: str) -> Run:
    return RUN


def with_hooks(settings: Settings, *allowed: str, url: str = "") -> Settings:
    hooks = {"url": url, "secret": SECRET, "allow_private": allowed}
    return Settings.model_validate({**settings.model_dump(), "webhooks": hooks})


async def ended(runtime: Runtime, url: str, caller: str = "local") -> None:
    await runtime.store.runs.create("r1", caller, ResearchRequest(question="Why?"), "f", 1.0)
    await expect_webhook(runtime, "r1", url)
    await runtime.store.runs.move("r1", 2.0, status="completed", stage="ended")


def is_signed(headers: dict[str, str], body: bytes, key: bytes) -> bool:
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return headers["webhook-signature"] == f"v1,{expected}"


async def test_the_end_of_a_run_is_told_signed_before_the_process_ends(tmp_path: Path):
    async with receiving() as receiver, small_web() as web:
        settings = with_hooks(settings_for(tmp_path, web.base), receiver.place, url=receiver.url)
        async with DeepResearch(settings) as research:
            run = await research.research(QUESTION, effort="quick", webhook_url=f"{receiver.url}/mine")

    assert len(receiver.got) == 2
    for headers, body in receiver.got:
        assert is_signed(headers, body, KEY)
        message = json.loads(body)
        assert message["type"] == "research.run.ended"
        assert message["data"]["run_id"] == run.run_id
        assert (message["data"]["status"], message["data"]["answer"]) == ("completed", run.answer)


async def test_who_verifies_the_messages_of_one_caller_can_forge_none_of_another_or_of_the_operator(tmp_path: Path):
    async with receiving() as receiver:
        settings = with_hooks(settings_for(tmp_path), receiver.place, url=f"{receiver.url}/operator")
        async with open_runtime(settings, HandClock()) as runtime:
            await ended(runtime, receiver.url, caller="token:1")
            await expect_webhook(runtime, "r1", settings.webhooks.url)
            await Deliveries(runtime, result).send()
            callers = ("token:1", "token:2", "token:11", "oidc:1", "local")
            keys = {one: signing_key(SecretStr(caller_secret(runtime, one))) for one in callers}

    assert keys["local"] == KEY
    assert len(set(keys.values())) == len(keys)
    told = [{one for one, key in keys.items() if is_signed(*message, key)} for message in receiver.got]
    assert told == [{"token:1"}, {"local"}]


async def test_a_receiver_in_trouble_is_asked_again_by_the_next_process_with_the_same_id(tmp_path: Path):
    clock = HandClock()
    async with receiving(500, 302) as receiver:
        settings = with_hooks(settings_for(tmp_path), receiver.place)
        async with open_runtime(settings, clock) as runtime:
            await ended(runtime, receiver.url)
            await Deliveries(runtime, result).send()
            await Deliveries(runtime, result).send()  # it is not due yet
            [shown] = await runtime.store.webhooks.of("r1")
        async with open_runtime(settings, clock) as runtime:
            for seconds in (5, 60):
                clock.advance(seconds)
                await Deliveries(runtime, result).send()
            [delivered] = await runtime.store.webhooks.of("r1")

    assert (shown.state, shown.attempts, shown.reason) == ("pending", 1, "The receiver answered HTTP 500.")
    assert (delivered.state, delivered.attempts) == ("delivered", 3)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


@pytest.mark.parametrize("script", [[410], [500] * 11])
async def test_it_ends_at_some_time(tmp_path: Path, script: list[int]):
    clock = HandClock()
    async with (
        receiving(*script) as receiver,
        open_runtime(with_hooks(settings_for(tmp_path), receiver.place), clock) as runtime,
    ):
        await ended(runtime, receiver.url)
        for _ in range(15):
            await Deliveries(runtime, result).send()
            clock.advance(100_000)
        [shown] = await runtime.store.webhooks.of("r1")

    assert (shown.state, len(receiver.got)) == ("failed", len(script))


@pytest.mark.parametrize("error", [UnknownRun("r1"), StoreError("The store does not answer.")])
async def test_a_run_that_cannot_be_read_when_it_is_told_of_ends_no_other_run(tmp_path: Path, error: Exception):
    errors = [error]

    async def failing_once(run_id: str, caller: str) -> Run:
        while errors:
            raise errors.pop()
        return RUN

    clock = HandClock()
    async with (
        receiving() as receiver,
        open_runtime(with_hooks(settings_for(tmp_path), receiver.place), clock) as runtime,
    ):
        await ended(runtime, receiver.url)
        deliveries = Deliveries(runtime, failing_once)
        async with anyio.create_task_group() as runs:
            await deliveries.send(runs)
        told_at_once = len(receiver.got)
        clock.advance(61)
        await deliveries.send()

    assert (told_at_once, len(receiver.got)) == (0, 1)


async def test_a_private_address_that_is_not_allowed_gets_nothing(tmp_path: Path):
    async with receiving() as receiver, open_runtime(with_hooks(settings_for(tmp_path)), HandClock()) as runtime:
        await ended(runtime, receiver.url)
        await Deliveries(runtime, result).send()
        [shown] = await runtime.store.webhooks.of("r1")
        with pytest.raises(InvalidRequest, match="webhook_url"):
            check_webhook(runtime, receiver.url)

    assert (shown.state, receiver.got) == ("failed", [])


async def test_without_a_secret_none_is_taken(tmp_path: Path):
    async with open_runtime(settings_for(tmp_path)) as runtime, open_jobs(runtime):
        with pytest.raises(InvalidRequest, match="webhooks"):
            check_webhook(runtime, "https://example.org/hook")


def test_what_was_written_from_collections_is_not_in_the_message():
    note = SourceRow.model_construct(url="library://notes/ice.md")
    read = RUN.model_copy(update={"sources": (note,)})

    data = message_of(read, 0.0)["data"]

    assert (data["answer"], "report" in data) == ("", False)
    assert data["links"]["report"] == "/research/runs/r1/report"


def test_a_long_report_is_not_in_the_message():
    assert message_of(RUN, 0.0)["data"]["report"] == "# Why\n"
    assert "report" not in message_of(RUN.model_copy(update={"report": "x" * 4001}), 0.0)["data"]
    assert message_of(RUN, 0.0)["data"]["links"]["run"] == "/research/runs/r1"
