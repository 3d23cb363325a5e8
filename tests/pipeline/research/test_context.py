"""What the workers of one research share."""

import anyio
import pytest

from sub_question_world import World


@pytest.mark.parametrize(("pages", "read"), [(0, 5), (2, 2), (9, 5)])
async def test_near_a_ceiling_fewer_pages_are_read_and_dear_engines_are_left_out(pages: int, read: int) -> None:
    async with anyio.create_task_group() as tasks:
        context = World({}, {}, pages_per_query=5).context(tasks)

        narrow = context.narrowed(pages, ["brave"])

        assert (narrow.pages_per_query, narrow.without) == (read, {"brave"})
        assert narrow.shown is context.shown
