"""Which sub-questions are complete."""

import anyio

from deepresearch_mcp.pipeline.readiness import Readiness
from pipeline_fakes import idle


async def test_what_is_ready_is_known_and_all_is_ready_in_the_end():
    ready, passed = Readiness(), []

    async def wait(name: str) -> None:
        await ready.wait(name)
        passed.append(name)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wait, "q1")
        tasks.start_soon(wait, "q2")
        await idle()
        assert passed == []
        ready.done("q1")
        await idle()
        assert passed == ["q1"]
        ready.everything()
        await ready.wait("q3")
        await ready.wait_for_all()
    assert passed == ["q1", "q2"]
    assert ready.last.is_set()
