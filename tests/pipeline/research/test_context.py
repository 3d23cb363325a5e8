"""What the workers of one research share."""

from dataclasses import replace

import anyio
import pytest

from deepresearch_mcp.records.request import ResearchRequest
from sub_question_world import World


@pytest.mark.parametrize(("pages", "read"), [(0, 5), (2, 2), (9, 5)])
async def test_near_a_ceiling_fewer_pages_are_read_and_dear_engines_are_left_out(pages: int, read: int) -> None:
    async with anyio.create_task_group() as tasks:
        context = World({}, {}, pages_per_query=5).context(tasks)

        narrow = context.narrowed(pages, ["brave"])

        assert (narrow.pages_per_query, narrow.without) == (read, {"brave"})
        assert narrow.shown is context.shown


async def test_engines_are_told_the_language_of_sources_and_without_one_that_of_the_report() -> None:
    async with anyio.create_task_group() as tasks:
        context = World({}, {}).context(tasks)
        request = context.brief.request.model_copy(update={"language": "de"})
        named = request.model_copy(update={"source_languages": ("fr",)})

        def told(request: ResearchRequest) -> str:
            brief = context.brief.model_copy(update={"request": request, "limits": request.filters})
            return replace(context, brief=brief).query("ice").filters.language

        assert (told(request), told(named)) == ("de", "fr")
