"""Whole runs in which something fails: what is done instead, and how the report tells it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from deepresearch_mcp.exceptions import EnginesDead
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.lookups import search_web
from deepresearch_mcp.records.request import ResearchRequest
from scholar import Scholar, kind_of
from small_web import QUESTION, small_web
from whole_runs import checked, opened, researched
from wires import Asked, Drop, Fault, Reply, Scripted, serve

DOWN = Fault(503, "no")
OTHER = {"model": {"fallbacks": ["anthropic:scholar"], "anthropic_key": "k"}}
"""Settings with a second model, which the same server answers on another wire."""


def first_fails(scholar: Scholar, fault: Any) -> Callable[[Asked], Any]:
    """The model that is asked first fails, the other one answers."""
    return lambda asked: scholar.answer(asked) if asked["wire"] == "anthropic" else fault


def about(run: Any, *words: str) -> list[str]:
    """Warnings with these words; each stands in the report, once: as a note, or among what rules did instead."""
    found = [warning for warning in run.warnings if all(word in warning for word in words)]
    lines = [line.strip().replace("\\", "") for line in run.report.splitlines()]
    joined = " ".join(line.removeprefix("Note: ") for line in lines if line.startswith("Note: "))
    notes = [*lines, *re.split(r"(?<=\.) (?=\S+ could not )", joined)]
    for warning in found:
        who, _, failed = warning.partition("; ")[0].partition(" could not ")
        instead = [note for note in notes if note.removeprefix(TOP).startswith(f"{who} could not ")]
        steps = re.split(r", | and (?=[a-z]+ )", re.sub(r" \([^()]*\)", "", failed))
        assert joined.count(warning) == 1 or sum(all(step in note for step in steps) for note in instead) == 1
    return found


TOP = "**Done without the model.** "


async def test_a_model_that_is_down_is_left_alone_by_all_runs_and_the_other_one_answers(tmp_path: Path):
    scholar = Scholar()
    async with (
        small_web() as web,
        serve(script := Scripted(first_fails(scholar, DOWN))) as model,
        opened(tmp_path, web, model, more=OTHER) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")
        await checked(jobs, run)
        tried = sum(one["wire"] != "anthropic" for one in script.asked)
        second = await researched(jobs, "How do lakes freeze?", model="openai:scholar")
        again = sum(one["wire"] != "anthropic" for one in script.asked)

    assert (run.status, second.status) == ("completed", "completed")
    assert 5 <= tried <= 12
    assert again == tried
    assert scholar.calls["section"] > 0
    [told] = about(run, "openai:scholar could not answer")
    assert "anthropic:scholar was asked instead. Why: " in told
    assert "HTTP 503" in told
    assert "left alone after 5 failures in a row" in told
    assert not about(run, "extractive")


async def test_a_model_that_goes_down_with_no_other_leaves_the_work_to_the_engine_on_this_machine(tmp_path: Path):
    scholar = Scholar(instead=dict.fromkeys(("read", "judge", "sketch", "section", "edit", "gaps", "review"), DOWN))
    async with (
        small_web() as web,
        serve(script := Scripted(scholar.answer)) as model,
        opened(tmp_path, web, model) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")
        await checked(jobs, run)

    assert run.status == "partial", run.error
    assert len(script.asked) <= 12
    told = " ".join(about(run, "openai:scholar could not"))
    assert all(doing in told for doing in ("read passages", "sketch the report", "write a section"))
    assert about(run, "openai:scholar could not", "extractive engine did it instead")


async def test_a_busy_model_is_asked_again_when_it_says_so_and_nothing_is_amiss(tmp_path: Path):
    scholar, busy = Scholar(), [Fault(429, "wait", headers={"retry-after": "0"})] * 4

    def answer(asked: Asked) -> Any:
        return busy.pop() if busy and kind_of(asked["schema"]) == "plan" else scholar.answer(asked)

    more = {"model": {"retries": 4}}
    async with small_web() as web, serve(Scripted(answer)) as model, opened(tmp_path, web, model, more=more) as jobs:
        run = await researched(jobs, model="openai:scholar")

    assert busy == []
    assert scholar.calls["plan"] == 1
    assert not about(run, "could not")


async def test_a_model_that_stays_busy_hands_over_to_the_other(tmp_path: Path):
    scholar = Scholar()
    busy = Fault(429, "wait", headers={"retry-after": "0"})
    more = {"model": OTHER["model"] | {"retries": 4}}
    async with (
        small_web() as web,
        serve(Scripted(first_fails(scholar, busy))) as model,
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")

    assert run.status == "completed", run.error
    [told] = about(run, "openai:scholar could not answer")
    assert "HTTP 429: too many requests for now" in told


async def test_a_bad_key_with_another_model_goes_on_and_says_whose_key_it_is_and_what_to_do(tmp_path: Path):
    scholar = Scholar()
    async with (
        small_web() as web,
        serve(script := Scripted(first_fails(scholar, Fault(401)))) as model,
        opened(tmp_path, web, model, more=OTHER) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")

    assert run.status == "completed", run.error
    assert scholar.calls["section"] > 0
    assert sum(one["wire"] != "anthropic" for one in script.asked) <= 3
    [told] = about(run, "openai:scholar could not answer")
    assert "the key is missing, wrong" in told
    assert "Set OPENAI_API_KEY to a key that works" in told


async def test_what_a_model_declines_to_read_is_skipped_and_named(tmp_path: Path):
    scholar = Scholar()

    def read(asked: Asked) -> Any:
        return Reply("No.", stop="refusal") if "hexagonal" in asked["prompt"] else scholar.read(asked["prompt"])

    scholar.instead = {"read": read}
    more = {"research": {"batch_chars": 1000}}
    async with (
        small_web() as web,
        serve(Scripted(scholar.answer)) as model,
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        # Too long for one call with the other pages.
        web.more = (
            "The hexagonal lattice of ice is held by bonds that water forms and breaks all the time" + ", ever" * 170
        )
        run = await researched(jobs, model="openai:scholar")
        await checked(jobs, run)

    assert run.status == "completed", run.error
    [told] = about(run, "they were skipped")
    assert "openai:scholar could not read passages" in told
    assert "the model declined to answer" in told
    assert "“Hydrogen bonds in ice”" in told
    assert "hexagonal" not in run.report
    assert {one.title for one in run.sources if one.cited} & {"The density of ice", "Why lakes freeze from the top"}


async def test_prompts_too_long_for_the_model_are_shortened_and_asked_again(tmp_path: Path):
    scholar, most = Scholar(), {"read": 4_300}
    over: list[bool] = []

    def answer(asked: Asked) -> Any:
        whole = len(asked["system"]) + len(asked["prompt"])
        if (kind := kind_of(asked["schema"])) in most:
            over.append(whole > most[kind])
            if over[-1]:
                return Fault(400, "maximum context length is 700", "context_length_exceeded")
        return scholar.answer(asked)

    more = {"research": {"first_pages": 1, "first_wait": 5}}
    async with (
        small_web() as web,
        serve(Scripted(answer)) as model,
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")
        await checked(jobs, run)

    assert run.status == "completed", run.error
    told = " ".join(about(run, "openai:scholar could not take all the material at once"))
    assert "to read passages" in told
    # One page alone cannot be parted; several can.
    assert "half of it was used" in told or "it was asked in parts" in told
    assert not about(run, "extractive")
    assert set(over) == {True, False}


@pytest.mark.parametrize(
    ("kinds", "doing", "then"),
    [
        (("assess", "gaps"), "weigh the evidence", "the extractive engine did it instead"),
        (("review",), "review the report", "rules alone held the draft to its claims"),
        (("judge",), "check claims", "rules alone judged them"),
        (("sketch", "section", "edit"), "write a section", "its facts stand there in their own words"),
    ],
)
@pytest.mark.parametrize(
    "fault", [Fault(500, "no"), Reply("No.", stop="refusal"), Drop()], ids=["fails", "refuses", "drops"]
)
async def test_a_stage_that_fails_is_done_by_rules_and_the_report_says_so(
    tmp_path: Path, kinds: tuple[str, ...], doing: str, then: str, fault: Any
):
    scholar = Scholar(instead=dict.fromkeys(kinds, fault))
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar")
        await checked(jobs, run)

    # Weighing is no part of the report: rules count as well.
    assert run.status == ("completed" if "assess" in kinds else "partial"), run.error
    assert about(run, "openai:scholar could not", doing, then)
    # At its top only where rules wrote the report; else among its closing lines.
    [told] = [line for line in run.report.splitlines() if line.startswith(("Note: openai:scholar could not ", TOP))]
    assert doing in told


async def test_a_search_that_worked_before_is_used_when_no_engine_can_be_asked(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web, more={"search": {"timeout": 5, "reuse_minutes": 0}}) as jobs:
        first = await researched(jobs)
        web.broken = True
        run = await researched(jobs, fresh=True)
        await checked(jobs, run)
        other = await researched(jobs, "What do penguins eat in winter?", depth=1, breadth=1)
        found = await search_web(jobs.runtime, QUESTION)
        with pytest.raises(EnginesDead, match="left alone after 5 failures"):
            await search_web(jobs.runtime, "what do seals eat")

    assert (first.status, run.status, other.status) == ("completed", "completed", "failed")
    [told] = about(run, "searxng could not be asked")
    assert "what it answered a moment ago to the same query was used" in told
    assert any(warning.startswith("searxng did not answer") for warning in run.warnings)
    assert len(found.hits) == 3
    assert "Its answer to the same query a moment ago is used instead." in found.failures[0].reason


async def test_an_engines_refused_key_is_told_with_what_to_do_and_the_others_go_on(tmp_path: Path):
    more = {"search": {"engines": ["brave", "searxng"], "brave_key": "k", "brave_base_url": "http://127.0.0.1:1"}}
    async with small_web() as web:
        more["search"]["brave_base_url"] = f"{web.base}/refused"
        async with opened(tmp_path, web, more=more) as jobs:
            run = await researched(jobs)

    assert run.status == "completed", run.error
    [told] = [warning for warning in run.warnings if warning.startswith("brave did not answer")]
    assert "Set BRAVE_API_KEY to a key that works" in told
    assert 0 < len(web.refused) <= 3


async def test_where_the_only_engine_refuses_its_key_the_run_ends_before_a_model_is_paid_and_says_whose_it_is(
    tmp_path: Path,
):
    async with small_web() as web, serve(script := Scripted(Scholar().answer)) as model:
        engines = {"engines": ["brave"], "brave_key": "bad-secret", "brave_base_url": f"{web.base}/refused"}
        async with opened(tmp_path, web, model, more={"search": engines}) as jobs:
            run = await researched(jobs, model="openai:scholar")

    assert run.status == "failed"
    assert run.error is not None
    assert run.error["name"] == "ENGINES_DEAD"
    assert "brave: HTTP 401: the key is missing or wrong. Set BRAVE_API_KEY to a key that works" in run.error["message"]
    assert "bad-secret" not in run.model_dump_json()
    assert script.asked == []


async def left_while_writing(jobs: Jobs, held: anyio.Event) -> str:
    row = await jobs.start_or_join(ResearchRequest(question=QUESTION, effort="quick", model="openai:scholar"))
    with anyio.fail_after(60):
        await held.wait()
    return row.run_id


async def test_a_run_taken_up_again_keeps_the_plan_that_was_made_without_the_model(tmp_path: Path):
    held = anyio.Event()

    async def never(asked: Any) -> None:
        held.set()
        await anyio.sleep_forever()

    before, after = Scholar(instead={"plan": Reply("No.", stop="refusal"), "edit": never}), Scholar()
    async with small_web() as web:
        async with serve(Scripted(before.answer)) as model, opened(tmp_path, web, model) as jobs:
            run_id = await left_while_writing(jobs, held)
        asked = list(web.asked)
        async with serve(Scripted(after.answer)) as model, opened(tmp_path, web, model) as jobs:
            await resume_run(jobs, run_id)
            await jobs.follow(run_id)
            run = await jobs.result(run_id)
            await checked(jobs, run)

    assert run.status == "completed", run.error
    assert web.asked == asked
    assert not {"plan", "read", "judge"} & set(after.calls)
    assert after.calls["edit"] == 1
    [planned] = about(run, "openai:scholar could not plan the research")
    assert "the model declined to answer" in planned


async def test_a_run_taken_up_again_goes_the_way_it_went_though_the_model_is_back(tmp_path: Path):
    held = anyio.Event()

    async def never(asked: Any) -> None:
        held.set()
        await anyio.sleep_forever()

    before, after = Scholar(instead={"edit": never}), Scholar()
    async with small_web() as web:
        async with (
            serve(Scripted(first_fails(before, DOWN))) as model,
            opened(tmp_path, web, model, more=OTHER) as jobs,
        ):
            run_id = await left_while_writing(jobs, held)
        paid = before.calls
        async with serve(script := Scripted(after.answer)) as model, opened(tmp_path, web, model, more=OTHER) as jobs:
            await resume_run(jobs, run_id)
            await jobs.follow(run_id)
            run = await jobs.result(run_id)
            await checked(jobs, run)
            async with jobs.runtime.store.journal(run_id) as journal:
                done = [row for row in await journal.rows() if row.kind == "model" and row.status == "done"]

    assert run.status == "completed", run.error
    assert paid["plan"] == 1
    assert not {"plan", "read", "judge", "section"} & set(after.calls)
    assert len({row.key for row in done}) == len(done)
    assert {kind_of(one["schema"], one["system"]) for one in script.asked} <= {"edit", "gaps", "review", "repair"}
    assert about(run, "openai:scholar could not answer", "it failed before the run was taken up again")
