"""Runs that an older version stored can be read, verified, exported and resumed (see stored/README.md)."""

import io
import tarfile
from pathlib import Path

import pytest

from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.soundness import examine_run
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer.html_report import page_of, texts_of
from scholar import Scholar, kind_of
from small_web import QUESTION, small_web
from whole_runs import opened
from wires import Asked, Scripted, serve

STORED = Path(__file__).with_name("stored")
BY_MODEL, BY_RULE, CHECK = "670e24bg3w9hxdm8kjevsqrmyk", "3yr7c43vzbxa3nhry0heej951g", "5en645kzxnph4jq9cpkve1qx9s"
KILLED = "63pdxac3a2msppxd3z0k9c0g8a"
"""Its server was killed as it asked for the first section."""
MODEL = {"model": {"use": "openai:gpt-test", "openai_key": "key"}}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory as the version of 2026-11-22 left it."""
    with tarfile.open(fileobj=io.BytesIO((STORED / "2026-11-22.tar.gz").read_bytes())) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.mark.parametrize(("run_id", "citations"), [(BY_MODEL, 6), (BY_RULE, 4)])
async def test_a_stored_run_is_read_verified_and_exported(home: Path, run_id: str, citations: int) -> None:
    async with small_web() as web, opened(home, web) as jobs:
        run = await jobs.result(run_id)
        found = await examine_run(jobs, run_id)
        page = page_of(run, await texts_of(run, jobs.runtime.store.documents))

    assert run.status == "completed"
    assert (len(run.citations), found.quotes, found.faults) == (citations, citations, ())
    assert run.citations[0].quote in page
    assert Run.model_validate_json(run.model_dump_json()) == run


async def test_a_stored_check_of_a_text_is_read(home: Path) -> None:
    async with small_web() as web, opened(home, web) as jobs:
        run = await jobs.result(CHECK)

    assert len(run.checks) == 2
    assert {check.verdict for check in run.checks} <= {"supported", "unsupported", "partly", "disputed"}


async def test_a_stored_run_that_was_killed_is_planned_and_written_anew_from_the_pages_that_it_had(home: Path) -> None:
    scholar, script = Scholar(), list[str]()

    def answer(asked: Asked) -> object:
        script.append(kind_of(asked["schema"], asked["system"] + asked["prompt"]))
        return scholar.answer(asked)

    async with small_web() as web, serve(Scripted(answer)) as model, opened(home, web, model, more=MODEL) as jobs:
        await resume_run(jobs, KILLED)
        await jobs.follow(KILLED)
        run = await jobs.result(KILLED)
        async with jobs.runtime.store.journal(KILLED) as journal:
            rows = await journal.rows()

    assert run.status == "completed"
    assert run.quotes.located == run.quotes.total == len(run.citations) > 0
    assert any(one.startswith("An earlier version of this program began this research") for one in run.warnings)
    # The pages that it had fetched are not fetched again, nor are the queries asked again that were answered.
    assert {row.attempt for row in rows if row.kind in {"search", "fetch"}} == {1}
    assert QUESTION not in web.asked
    # The plan and all that hangs on it has another form in this version.
    assert {"plan", "read", "sketch", "section", "edit", "review"} <= set(script)


async def test_a_fork_of_a_stored_run_writes_anew_what_the_stored_one_found(home: Path) -> None:
    async with (
        small_web() as web,
        serve(Scripted(Scholar().answer)) as model,
        opened(home, web, model, more=MODEL) as jobs,
    ):
        row = await fork_run(jobs, BY_MODEL, "writer")
        await jobs.follow(row.run_id)
        run, before = await jobs.result(row.run_id), await jobs.result(BY_MODEL)

    assert run.status == "completed"
    assert {claim.text for claim in before.claims} <= {claim.text for claim in run.claims}
    assert QUESTION not in web.asked
