from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.records.checks import CheckRequest
from deepresearch_mcp.records.report import SourceRow
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from pipeline_fakes import claim, page

ICE = page("https://one.example/ice", "Ice floats. It may melt.")


def earlier(status: Any = "completed", **given: Any) -> Any:
    async def result(run_id: str) -> Run:
        return Run(
            run_id=run_id, status=status, stage="ended", question="Why does ice float?", answer="It is light.", **given
        )

    return result


async def test_a_follow_up_is_told_what_the_earlier_run_asked_answered_and_established():
    kept, refused = claim(ICE, "Ice floats."), claim(ICE, "It may melt.", verdict="unsupported")
    request = ResearchRequest(question="And on salt water?", follow_up_of="r1")

    told = await background_of(request, earlier(claims=(kept, refused)))

    assert told == (
        "An earlier run asked: Why does ice float?\nIts answer: It is light.\nIt established:\n- Ice floats."
    )


async def test_a_follow_up_is_told_that_the_earlier_run_read_collections():
    request = ResearchRequest(question="And on salt water?", follow_up_of="r1")
    note = SourceRow(
        source_id="s1",
        url="library://notes/ice.md",
        title="Ice",
        site="notes",
        read_at=ICE.read_at,
        snapshot=ICE.snapshot,
        length=ICE.length,
        cited=True,
    )

    assert "library://" in str(await background_of(request, earlier(sources=(note,))))


async def test_what_builds_upon_nothing_is_told_nothing():
    assert await background_of(ResearchRequest(question="Why?"), earlier()) == ""
    assert await background_of(CheckRequest(text="Ice floats."), earlier()) == ""


async def test_a_check_of_a_run_gets_the_whole_run():
    run = await background_of(CheckRequest(run_id="r1"), earlier(claims=(claim(ICE, "Ice floats."),)))

    assert isinstance(run, Run)
    assert run.run_id == "r1"


@pytest.mark.parametrize(
    ("request_", "status", "said"),
    [
        (ResearchRequest(question="And?", follow_up_of="r1"), "running", "nothing can follow up on it yet"),
        (CheckRequest(run_id="r1"), "running", "has not ended, so there is nothing to check"),
        (CheckRequest(run_id="r1"), "failed", "made no claim, so there is nothing to check"),
    ],
)
async def test_a_run_that_cannot_be_built_upon_is_refused_with_a_sentence(request_: Any, status: Any, said: str):
    with pytest.raises(InvalidRequest, match=said):
        await background_of(request_, earlier(status))
