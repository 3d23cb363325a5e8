"""A fork shares what its origin did before the stage, whichever model that was and whichever is asked now."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.run import Run
from scholar import Scholar, kind_of
from small_web import small_web
from whole_runs import checked, opened, researched
from wires import Fault, Scripted, serve

ONE = {"model": {"use": "auto", "openai_key": "k", "fast": "openai:one", "smart": "openai:one"}}
OTHER = {"model": {"use": "auto", "openai_key": "k", "fast": "openai:other", "smart": "openai:other"}}
NONE = {"model": {"use": "extractive"}}

WRITING = {"sketch", "section", "edit", "review", "opening", "repair", "judge"}
"""What a writer asks, with the audit of what it wrote."""


async def ended(jobs: Jobs, run_id: str) -> Run:
    await jobs.follow(run_id)
    return await jobs.result(run_id)


def kinds(script: Scripted, since: int) -> Counter[str]:
    return Counter(kind_of(asked["schema"], asked["system"]) for asked in script.asked[since:])


@pytest.mark.parametrize(
    ("then", "now", "changes", "model"),
    [
        (ONE, OTHER, {}, "other"),
        (ONE, ONE, {"model": "openai:asked"}, "asked"),
        (NONE, OTHER, {}, "other"),
        (NONE, NONE | {"model": {"openai_key": "k"}}, {"model": "openai:asked"}, "asked"),
        (ONE, NONE, {}, ""),
        (ONE, ONE, {"model": "extractive"}, ""),
    ],
    ids=["auto, another model", "a model named", "auto, a model now", "a model for rules", "auto, rules", "rules"],
)
async def test_a_fork_from_the_writer_asks_the_model_of_now_to_write_and_nothing_else(
    tmp_path: Path, then: dict[str, Any], now: dict[str, Any], changes: dict[str, Any], model: str
):
    async with small_web() as web, serve(script := Scripted(Scholar().answer)) as wire:
        async with opened(tmp_path, web, wire, more=then) as jobs:
            first = await researched(jobs)
        searched, asked = len(web.asked), len(script.asked)
        async with opened(tmp_path, web, wire, more=now) as jobs:
            run = await ended(jobs, (await fork_run(jobs, first.run_id, "writer", changes)).run_id)
            await checked(jobs, run)

    assert run.status == "completed", run.error
    assert len(web.asked) == searched
    again = kinds(script, asked)
    assert set(again) <= WRITING
    assert {one["model"] for one in script.asked[asked:]} == ({model} if model else set())
    assert bool(again["section"]) is bool(model)
    # A model writes of claims, rules of whole passages: both of the same pages.
    assert {one.url for one in run.sources} == {one.url for one in first.sources}
    assert run.provenance
    assert run.provenance.thinker == (f"openai:{model}" if model else "extractive")
    assert any("No language model wrote this report" in note for note in run.warnings) is not bool(model)


@pytest.mark.parametrize("stage", ["searcher", "reader", "verifier", "analyst"])
async def test_a_fork_of_a_keyless_run_keeps_its_plan_and_what_it_did_before_the_stage(
    tmp_path: Path, stage: steps.Stage
):
    async with small_web() as web, serve(script := Scripted(Scholar().answer)) as wire:
        async with opened(tmp_path, web, wire) as jobs:
            first = await researched(jobs)
        async with opened(tmp_path, web, wire, more=OTHER) as jobs:
            run = await ended(jobs, (await fork_run(jobs, first.run_id, stage)).run_id)

    assert run.status == "completed", run.error
    again = kinds(script, 0)
    assert not again["plan"]
    assert bool(again["read"]) is (stage in {"searcher", "reader"})
    assert again["section"]


async def test_a_judgement_is_kept_under_the_model_that_gave_it(tmp_path: Path):
    async with small_web() as web, serve(script := Scripted(Scholar().answer)) as wire:
        async with opened(tmp_path, web, wire, more=ONE) as jobs:
            first = await researched(jobs)
        async with opened(tmp_path, web, wire, more=OTHER) as jobs:
            await ended(jobs, (await fork_run(jobs, first.run_id, "writer")).run_id)
            asked = len(script.asked)
            # Read anew by the other model: it has judged none of these claims.
            again = await researched(jobs, fresh=True)

    # How many calls that takes depends on which pages came in together.
    judged = sum(one["prompt"].count("\nc") for one in script.asked[asked:] if kind_of(one["schema"]) == "judge")
    assert judged >= len(again.claims) > 1


async def test_a_fork_whose_model_cannot_be_used_ends_with_an_error(tmp_path: Path):
    scholar, down = Scholar(), list[bool]()
    async with (
        small_web() as web,
        serve(script := Scripted(lambda asked: Fault(401) if down else scholar.answer(asked))) as wire,
        opened(tmp_path, web, wire, more=ONE) as jobs,
    ):
        first = await researched(jobs)
        asked = len(script.asked)
        down.append(True)
        run = await ended(jobs, (await fork_run(jobs, first.run_id, "writer")).run_id)

    assert (run.status, run.error and run.error["name"]) == ("failed", "MODEL_UNUSABLE")
    assert len(script.asked) - asked == 1


async def test_a_run_resumed_with_another_model_keeps_what_the_first_has_done(tmp_path: Path):
    async with small_web() as web, serve(script := Scripted(Scholar().answer)) as wire:
        async with opened(tmp_path, web, wire, more=ONE) as jobs:
            first = await researched(jobs)
        asked = len(script.asked)
        async with opened(tmp_path, web, wire, more=OTHER) as jobs:
            run = await ended(jobs, (await resume_run(jobs, first.run_id, complete=True)).run_id)

    assert len(script.asked) == asked
    assert run.answer == first.answer
    assert run.provenance
    assert run.provenance.thinker == "openai:one"
