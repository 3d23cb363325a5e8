"""A model that was asked for must be able to run: the first call to it settles that, on every surface."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from deepresearch_mcp import DeepResearch, ModelUnusable, Progress, SettingsError
from deepresearch_mcp.jobs.asking import check_of
from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.settings.schema import Settings
from pipeline_fakes import idle
from scholar import Scholar, kind_of
from small_web import QUESTION, SmallWeb, said, settings_for, small_web
from whole_runs import opened, researched
from wires import Asked, Drop, Fault, Reply, Scripted, serve

NO_MODEL = Fault(404, "no such model", "model_not_found")
NOWHERE = "http://127.0.0.1:9"
FAULTS: list[tuple[Any, str]] = [
    (Fault(401), "HTTP 401: the key is missing, wrong or not allowed this. Set OPENAI_API_KEY to a key that works."),
    (Fault(403), "HTTP 403: the key is missing, wrong or not allowed this. Set OPENAI_API_KEY to a key that works."),
    (NO_MODEL, "HTTP 404: there is no such model. Check the model's name, and the address that OPENAI_BASE_URL sets."),
    (Fault(503), "HTTP 503. Try again later, or name another model."),
    (Drop(), "it cannot be reached. See that its server runs and that OPENAI_BASE_URL is its address."),
    (Fault(200, body="<html>Sign in</html>", headers={"content-type": "text/html"}), "its answer"),
]
"""What a service may answer to the first call, and what is told of it."""


def settings_of(home: Path, web: SmallWeb, model: str, **more: Any) -> Settings:
    table = settings_for(home, web.base).model_dump()
    own = {"use": "auto", "openai_key": "sk-secret", "openai_base_url": f"{model}/v1", "anthropic_base_url": model}
    table["model"] |= own | {"retries": 0} | more
    return Settings.model_validate(table)


async def over_python(settings: Settings, arguments: dict[str, Any]) -> tuple[bool, str]:
    """Whether it failed as asked for, and what was told."""
    async with DeepResearch(settings) as research:
        try:
            run = await research.research(QUESTION, effort="quick", **arguments)
        except (ModelUnusable, SettingsError) as error:
            return True, str(error)
    return False, run.report


async def over_mcp(settings: Settings, arguments: dict[str, Any]) -> tuple[bool, str]:
    async with Client(build_server(settings)) as client:
        given = {"question": QUESTION, "effort": "quick", "wait_seconds": 45} | arguments
        result = await client.call_tool("deep_research", given)
    return bool(result.is_error), said(result)


SURFACES = [over_python, over_mcp]


@asynccontextmanager
async def world(answers: Any) -> AsyncGenerator[tuple[SmallWeb, Scripted, str]]:
    async with small_web() as web, serve(script := Scripted(answers)) as model:
        yield web, script, model


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(("fault", "told"), FAULTS, ids=["401", "403", "no model", "503", "dropped", "no service"])
async def test_a_first_call_that_fails_ends_the_run_with_what_was_wrong_and_nothing_else_is_asked(
    tmp_path: Path, surface: Any, fault: Any, told: str
):
    async with world(lambda asked: fault) as (web, script, model):
        failed, text = await surface(settings_of(tmp_path, web, model), {"model": "openai:m"})

    assert failed
    assert f"openai:m cannot be used: {told}" in text
    assert "secret" not in text
    # What is no answer at all may come from a server that knows no schemas: the plan is asked for without one.
    assert [kind_of(asked["schema"]) for asked in script.asked] in (["plan"], ["plan", "text"])
    assert all(QUESTION in asked["prompt"] for asked in script.asked)


@pytest.mark.parametrize("surface", SURFACES)
async def test_a_key_in_the_settings_is_a_model_that_was_asked_for(tmp_path: Path, surface: Any):
    async with world(lambda asked: Fault(401)) as (web, script, model):
        failed, text = await surface(settings_of(tmp_path, web, model), {})

    assert failed
    assert "openai:gpt-6.1-terra cannot be used: HTTP 401" in text
    assert len(script.asked) == 1


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("more", "asked", "told"),
    [
        (
            {"openai_base_url": "gpu.example/v1"},
            "openai:m",
            "model.openai_base_url is not a valid address. Set OPENAI_BASE_URL",
        ),
        ({"anthropic_base_url": ""}, "anthropic:m", "needs a key, and there is none. Set ANTHROPIC_API_KEY"),
        ({"fallbacks": ("gemini:m",)}, "openai:m", "gemini:m needs a key, and there is none. Set GEMINI_API_KEY"),
    ],
)
async def test_what_can_be_seen_here_is_refused_before_anything_is_asked(
    tmp_path: Path, surface: Any, more: dict[str, Any], asked: str, told: str
):
    async with world(Scholar().answer) as (web, script, model):
        failed, text = await surface(settings_of(tmp_path, web, model, **more), {"model": asked})

    assert failed
    assert told in text
    assert (script.asked, web.asked) == ([], [])


@pytest.mark.parametrize("surface", SURFACES)
async def test_the_model_asked_for_is_the_only_one_asked_whatever_the_settings_name(tmp_path: Path, surface: Any):
    named = {"fast": "openai:small", "smart": "openai:large", "roles": {"writer": "openai:poet", "verifier": "fast"}}
    async with world(Scholar().answer) as (web, script, model):
        failed, _ = await surface(settings_of(tmp_path, web, model, **named), {"model": "openai:asked"})

    assert not failed
    assert {asked["model"] for asked in script.asked} == {"asked"}


@pytest.mark.parametrize("surface", SURFACES)
async def test_under_auto_each_role_has_the_model_that_the_settings_name(tmp_path: Path, surface: Any):
    named = {"fast": "openai:small", "smart": "openai:large", "roles": {"writer": "openai:poet"}}
    async with world(Scholar().answer) as (web, script, model):
        failed, _ = await surface(settings_of(tmp_path, web, model, **named), {})

    assert not failed
    assert {asked["model"] for asked in script.asked} == {"small", "large", "poet"}


async def test_no_one_at_the_address_is_told_after_one_more_try(tmp_path: Path):
    async with world(Scholar().answer) as (web, _, model):
        settings = settings_of(tmp_path, web, model, openai_base_url=f"{NOWHERE}/v1", retries=4)
        with anyio.fail_after(20):
            failed, text = await over_python(settings, {"model": "openai:m"})

    assert failed
    assert "openai:m cannot be used: it cannot be reached. See that its server runs and that OPENAI_BASE_URL" in text


async def test_the_next_configured_model_is_asked_first_and_all_are_named_where_none_answers(tmp_path: Path):
    more = {"model": {"fallbacks": ["anthropic:other"], "anthropic_key": "k", "openai_key": "k"}}
    async with (
        world(lambda asked: Fault(401) if asked["wire"] == "anthropic" else NO_MODEL) as (web, script, model),
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        run = await researched(jobs, model="openai:m")

    assert run.error
    assert run.error["message"] == (
        "anthropic:other cannot be used: HTTP 401: the key is missing, wrong or not allowed this."
        " Asked before it: openai:m: HTTP 404: there is no such model."
    )
    assert run.error["action"] == "Set ANTHROPIC_API_KEY to a key that works."
    assert len(script.asked) == 2


async def ended(jobs: Jobs, run_id: str) -> Run:
    await jobs.follow(run_id)
    return await jobs.result(run_id)


@pytest.mark.parametrize("given", [{"approve_plan": True}, {"depth": 0}], ids=["approved plan", "no research"])
async def test_the_first_call_settles_also_without_a_search(tmp_path: Path, given: dict[str, Any]):
    async with (
        world(lambda asked: NO_MODEL) as (web, script, model),
        opened(tmp_path, web, model, more={"model": {"openai_key": "k"}}) as jobs,
    ):
        run = await researched(jobs, model="openai:m", **given)

    assert (run.status, run.error and run.error["name"]) == ("failed", "MODEL_UNUSABLE")
    assert len(script.asked) == 1
    assert web.asked == []


async def test_the_first_call_settles_a_check_of_citations(tmp_path: Path):
    lines = [f"Ice is about {number} percent less dense than liquid water [1].\n" for number in range(9, 40)]
    async with world(lambda asked: Fault(401)) as (web, script, model):
        text = f"{''.join(lines)}\n[1]: {web.base}/density\n"
        async with opened(tmp_path, web, model, more={"model": {"openai_key": "k"}}) as jobs:
            row = await jobs.start_or_join(check_of({"text": text, "model": "openai:m"}))
            run = await ended(jobs, row.run_id)

    assert (run.status, run.error and run.error["name"]) == ("failed", "MODEL_UNUSABLE")
    assert len(script.asked) == 1


async def test_nothing_is_read_by_a_model_before_the_plan_is_answered(tmp_path: Path):
    fetched = anyio.Event()

    async def hear(progress: Progress) -> None:
        if progress.read >= 2:
            fetched.set()

    async def refused(asked: Asked) -> Any:
        await fetched.wait()
        await idle(500)
        return NO_MODEL if kind_of(asked["schema"]) == "plan" else Scholar().answer(asked)

    async with world(refused) as (web, script, model):
        settings = settings_of(tmp_path, web, model, smart="openai:nope", fast="openai:good")
        async with DeepResearch(settings) as research:
            with pytest.raises(ModelUnusable, match="openai:nope cannot be used"):
                await research.research(QUESTION, effort="quick", on_progress=hear)

    assert [asked["model"] for asked in script.asked] == ["nope"]


async def test_searches_under_way_are_ended_with_the_run(tmp_path: Path):
    async with world(lambda asked: Fault(401)) as (web, script, model):
        web.pages_held = True
        async with DeepResearch(settings_of(tmp_path, web, model)) as research:
            with anyio.fail_after(30), pytest.raises(ModelUnusable):
                await research.research(QUESTION, effort="quick")

    assert (web.read, len(script.asked)) == ([], 1)


async def test_a_run_whose_model_could_not_be_used_goes_on_once_it_can(tmp_path: Path):
    scholar, down = Scholar(), [True]
    async with (
        world(lambda asked: NO_MODEL if down else scholar.answer(asked)) as (web, _, model),
        opened(tmp_path, web, model, more={"model": {"openai_key": "k"}}) as jobs,
    ):
        run = await researched(jobs, model="openai:m")
        down.clear()
        row = await resume_run(jobs, run.run_id)
        again = await ended(jobs, row.run_id)

    assert (run.status, again.status) == ("failed", "completed")
    assert again.provenance
    assert again.provenance.thinker == "openai:m"


async def test_an_answer_of_no_use_is_an_answer_and_the_run_goes_on(tmp_path: Path):
    scholar = Scholar(instead={"plan": "No."})
    async with world(scholar.answer) as (web, _, model), opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:m")

    assert run.status == "completed", run.error
    assert "Note: openai:m could not plan the research; rules did it instead" in run.report


async def test_a_plan_too_long_for_the_model_is_made_by_rules(tmp_path: Path):
    scholar = Scholar(instead={"plan": Reply("", stop="context")})
    long = Fault(400, "maximum context length is 700", "context_length_exceeded")

    def answer(asked: Asked) -> Any:
        return long if kind_of(asked["schema"]) == "plan" else scholar.answer(asked)

    async with world(answer) as (web, _, model), opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:m")

    assert run.status == "completed", run.error
    assert "could not plan the research" in json.dumps(run.warnings)


async def test_what_was_verified_before_a_model_proved_unusable_is_reported(tmp_path: Path):
    async with (
        world(lambda asked: NO_MODEL) as (web, _, model),
        opened(tmp_path, web, model, more={"model": {"openai_key": "k"}}) as jobs,
    ):
        first = await researched(jobs, model="extractive")
        row = await fork_run(jobs, first.run_id, "writer", {"model": "openai:m"})
        run = await ended(jobs, row.run_id)

    assert (run.status, run.error and run.error["name"]) == ("failed", "MODEL_UNUSABLE")
    assert run.citations
    assert run.sections


async def test_a_resumed_run_whose_new_model_fails_is_reported_from_what_the_first_one_brought_in(tmp_path: Path):
    scholar = Scholar()

    def answer(asked: Asked) -> Any:
        if asked["model"] == "new":
            return Fault(503)
        return scholar.answer(asked) if kind_of(asked["schema"]) in {"plan", "read", "judge"} else Fault(503)

    async with (
        world(answer) as (web, _, model),
        opened(tmp_path, web, model, more={"model": {"openai_key": "k", "use": "openai:old"}}) as jobs,
    ):
        first = await researched(jobs)
    async with (
        small_web() as web,
        serve(Scripted(answer)) as model,
        opened(tmp_path, web, model, more={"model": {"openai_key": "k", "use": "openai:new"}}) as jobs,
    ):
        row = await resume_run(jobs, first.run_id)
        again = await ended(jobs, row.run_id)

    assert (first.status, again.status, again.error) == ("partial", "partial", None)
    assert again.citations
