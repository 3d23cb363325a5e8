from pathlib import Path

from deepresearch_mcp.jobs.prompt_log import with_prompts
from scholar import Scholar
from small_web import small_web
from whole_runs import opened, researched
from wires import Scripted, serve


async def test_what_models_were_asked_and_answered_is_in_the_export_where_it_was_asked_for(tmp_path: Path) -> None:
    more = {"telemetry": {"log_prompts": True}}
    async with (
        small_web() as web,
        serve(Scripted(Scholar().answer)) as model,
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")
        exported = await with_prompts(run, jobs.runtime.store.prompts)

    planned = next(one for one in exported.prompts if one.step == "plan")
    assert (planned.model, planned.role) == ("openai:scholar", "planner")
    assert run.question in planned.prompt
    assert planned.answer
    assert len(exported.prompts) >= run.metrics.model_calls > 3
    assert run.prompts == ()
