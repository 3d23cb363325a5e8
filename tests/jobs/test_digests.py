"""What a digest is, and the run in which a client's model writes its report; over MCP: test_digest_reports.py."""

from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.asking import check_of, checked_request
from deepresearch_mcp.jobs.digests import client_run_of, is_digest, lacked_a_model, written_by_client
from deepresearch_mcp.jobs.handing import hand_in
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.records.run import Provenance, Run
from deepresearch_mcp.runtime import open_runtime
from small_web import QUESTION, settings_for, small_web

ASK = {"question": QUESTION, "effort": "quick"}


def a_run(status: Any = "completed", thinker: str = "extractive", **arguments: Any) -> Run:
    request = checked_request(ASK | arguments).model_dump(mode="json")
    provenance = Provenance(version="1", thinker=thinker, request=request)
    return Run(run_id="r1", status=status, stage="ended", question=QUESTION, provenance=provenance)


@pytest.mark.parametrize(
    ("run", "use", "lacked"),
    [
        (a_run(), "auto", True),
        (a_run("partial"), "auto", True),
        (a_run(model="extractive"), "auto", False),
        (a_run(), "extractive", False),
        (a_run(thinker="client"), "auto", False),
        (a_run("running"), "auto", False),
        (Run(run_id="r1", status="completed", stage="ended", question=QUESTION), "auto", False),
    ],
    ids=["a digest", "a partial one", "asked for", "by setting", "a model's report", "not ended", "of unknown origin"],
)
def test_a_run_lacked_a_model_if_none_worked_on_it_and_that_was_not_asked_for(run: Run, use: str, lacked: bool):
    assert lacked_a_model(run, use) is lacked


def test_a_check_without_a_model_is_no_digest():
    request = check_of({"text": "Ice floats [1]."}).model_dump(mode="json")
    run = a_run().model_copy(update={"provenance": Provenance(version="1", thinker="extractive", request=request)})

    assert not is_digest(run)


async def test_the_run_of_the_client_shares_the_digest_s_plan_and_pages_and_is_started_once(tmp_path: Path):
    async with (
        small_web() as web,
        open_runtime(settings_for(tmp_path, web.base)) as runtime,
        open_jobs(runtime) as jobs,
    ):
        row = await jobs.start_or_join(checked_request(ASK))
        await jobs.follow(row.run_id)
        asked, read = list(web.asked), list(web.read)
        before = await client_run_of(jobs, row.run_id)
        first = await written_by_client(jobs, row.run_id)
        second = await written_by_client(jobs, row.run_id)
        waiting = await jobs.follow(first.run_id)
        inquiry = (await jobs.result(first.run_id)).waiting
        known = await client_run_of(jobs, row.run_id)
        # The same question by the client from the start is the same run, as long as it lasts.
        joined = await jobs.start_or_join(checked_request(ASK | {"model": "client"}))

    assert before is None
    assert (first.origin, first.request.model) == (row.run_id, "client")
    assert {second.run_id, joined.run_id, known and known.run_id} == {first.run_id}
    assert waiting.status == "input_required"
    assert inquiry
    assert {"read"} <= {packet.task for packet in inquiry.packets} <= {"read", "outline"}
    assert (web.asked, web.read) == (asked, read)


async def test_a_report_of_the_same_question_from_elsewhere_is_not_the_digest_s(tmp_path: Path):
    async with (
        small_web() as web,
        open_runtime(settings_for(tmp_path, web.base)) as runtime,
        open_jobs(runtime) as jobs,
    ):
        row = await jobs.start_or_join(checked_request(ASK))
        await jobs.follow(row.run_id)
        other = await jobs.start_or_join(checked_request(ASK | {"model": "client"}))
        await jobs.follow(other.run_id)
        await jobs.cancel(other.run_id)
        found = await client_run_of(jobs, row.run_id)
        made = await written_by_client(jobs, row.run_id)

    assert found is None
    assert made.run_id != other.run_id


async def test_a_partial_report_is_found_again_and_a_cancelled_one_is_started_anew(tmp_path: Path):
    async with (
        small_web() as web,
        open_runtime(settings_for(tmp_path, web.base)) as runtime,
        open_jobs(runtime) as jobs,
    ):
        row = await jobs.start_or_join(checked_request(ASK))
        await jobs.follow(row.run_id)
        cancelled = await written_by_client(jobs, row.run_id)
        await jobs.follow(cancelled.run_id)
        await jobs.cancel(cancelled.run_id)
        first = await written_by_client(jobs, row.run_id)
        await jobs.follow(first.run_id)
        # Its client wants no more work, so rules do the rest.
        await hand_in(jobs, first.run_id, {}, enough=True)
        ended = await jobs.follow(first.run_id)
        second = await written_by_client(jobs, row.run_id)

    assert first.run_id != cancelled.run_id
    assert ended.status == "partial"
    assert second.run_id == first.run_id


async def test_a_check_of_citations_has_no_report_to_write(tmp_path: Path):
    async with open_runtime(settings_for(tmp_path)) as runtime, open_jobs(runtime) as jobs:
        row = await jobs.start_or_join(check_of({"text": "Ice floats."}))
        await jobs.follow(row.run_id)

        assert await client_run_of(jobs, row.run_id) is None
        with pytest.raises(InvalidRequest, match="is a check of citations"):
            await written_by_client(jobs, row.run_id)
