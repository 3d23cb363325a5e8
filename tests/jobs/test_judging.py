"""Runs that are judged when they have ended."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.judging import judged
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run, RunStatus
from exported_runs import run_of
from pipeline_fakes import MemoryJournal
from scholar import Scholar
from small_web import small_web
from whole_runs import opened, researched
from wires import Asked, Fault, Scripted, serve

MARKS = {"complete": 8, "founded": 9, "clear": "7/10", "searching": 6, "sources": 5, "checking": 7, "why": "Sound."}
JUDGE = {"judging": {"model": "openai:judge"}}


async def rebuilt(jobs: Jobs, run_id: str) -> Run:
    row = await resume_run(jobs, run_id, complete=True)
    await jobs.follow(row.run_id)
    return await jobs.result(row.run_id)


async def test_a_run_is_marked_once_by_its_report_and_its_process_and_the_marks_are_kept(tmp_path: Path) -> None:
    scholar = Scholar()
    scripted = Scripted(lambda asked: MARKS if asked["model"] == "judge" else scholar.answer(asked))
    async with small_web() as web, serve(scripted) as model, opened(tmp_path, web, model, more=JUDGE) as jobs:
        run = await researched(jobs, model="openai:scholar")
        totals = await jobs.runtime.store.figures.totals(())
        again = await rebuilt(jobs, run.run_id)
        steps = await jobs.runtime.store.spending.steps(run.run_id)

    judgement = run.judgement
    assert judgement is not None
    assert (judgement.judge, judgement.answer, judgement.process, judgement.overall) == ("openai:judge", 8, 6, 7.2)
    assert judgement.marks is not None
    assert judgement.marks.why == "Sound."
    assert judgement.tokens > 0
    [asked] = [one for one in scripted.asked if one["model"] == "judge"]
    shown = asked["prompt"]
    assert run.question in shown
    assert "Query: " in shown
    assert "Cited: The density of ice" in shown
    assert "scholar" not in shown, "the judge does not learn which model wrote"
    assert "Evidence: " not in shown
    [ended] = totals.ended
    assert (ended.judged, ended.answer, ended.process) == (1, 8.0, 6.0)
    assert [row.used.by for row in steps if row.key.startswith("judged/run/") and row.used] == ["openai:judge"]
    assert (again.judgement and again.judgement.overall, again.status, run.status) == (7.2, "completed", "completed")


async def judgement_of(tmp_path: Path, script: Any, more: Any = JUDGE, status: RunStatus = "completed") -> Any:
    """What is made of a stored run by a judge with this script, and how often the judge was asked."""
    scripted = Scripted(script)
    async with small_web() as web, serve(scripted) as model, opened(tmp_path, web, model, more=more) as jobs:
        clock, request = jobs.runtime.clock, ResearchRequest(question="Why does ice float?")
        session: Any = SimpleNamespace(
            clock=clock, ledger=Ledger(request.shape, clock), journal=MemoryJournal(), request=request
        )
        run = run_of().model_copy(update={"status": status})
        return await judged(jobs.runtime, session, run), len(scripted.asked)


def marks(asked: Asked) -> object:
    return MARKS


def no_key(asked: Asked) -> object:
    return Fault(401, "no such key")


def nonsense(asked: Asked) -> object:
    return "It is a good report."


async def test_a_judge_that_fails_says_why_and_raises_nothing(tmp_path: Path) -> None:
    refused, _ = await judgement_of(tmp_path / "a", no_key)
    unreadable, _ = await judgement_of(tmp_path / "b", nonsense)

    assert (refused.marks, unreadable.marks) == (None, None)
    assert "openai" in refused.error
    assert "no usable answer to mark_run" in unreadable.error


async def test_a_judge_has_a_ceiling_of_its_own_within_that_of_the_run(tmp_path: Path) -> None:
    dear = {"model": {"prices": {"openai:judge": {"input": 1_000.0, "output": 1_000.0}}}}
    judge = {"judging": {"model": "openai:judge", "max_usd": 0.01}}

    found, asked = await judgement_of(tmp_path, marks, judge | dear)

    assert "max_usd" in found.error
    assert asked == 0


async def test_only_a_research_with_a_report_is_judged_and_only_where_it_was_asked_for(tmp_path: Path) -> None:
    assert await judgement_of(tmp_path / "a", marks, {}) == (None, 0)
    assert await judgement_of(tmp_path / "b", marks, status="failed") == (None, 0)
