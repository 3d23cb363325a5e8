"""The reading of what the sub-questions of a round have left: few passages of each, read together."""

from collections.abc import Sequence

import anyio

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.page_batches import PageBatches


async def read_remnants(tasks: Sequence[SubQuestionTask], context: ResearchContext) -> None:
    """Read together the few passages that each of several choices of a round has left."""
    if (remnants := context.remnants) is None:
        return
    by_id = {task.sub_question.id: task for task in tasks}
    step = steps.remnants(tasks[0].round)
    await remnants.complete(await context.journal.step(step, remnants.collected, kind="decision", result=list[str]))
    async with anyio.create_task_group() as group:
        for joined in remnants.joined(context.hypotheses):
            name = joined.sub_question.id
            group.start_soon(PageBatches(by_id[name], context, remnants.states[name]).read_joined, joined)
