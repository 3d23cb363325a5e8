import pytest
from mcp import Client, MCPError, types

from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.naming import fingerprint
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.runtime import open_runtime
from small_web import QUESTION, Kept, settings_for


async def test_the_list_of_resources_has_pages(kept: Kept) -> None:
    async with open_runtime(settings_for(kept.home)) as runtime:
        for number in range(55):
            request = checked_request({"question": f"What is {number}?"})
            mark = fingerprint(request, LOCAL_CALLER)
            row = await runtime.store.runs.create(f"run{number:02}", LOCAL_CALLER, request, mark, 1000 + number)
            await runtime.store.runs.move(row.run_id, 2000, status="partial")
    async with Client(build_server(settings_for(kept.home))) as client:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        with pytest.raises(MCPError) as caught:
            await client.list_resources(cursor="junk")

    uris = [one.uri for one in (*first.resources, *second.resources)]
    # The page of the report app stands on the first.
    assert (len(first.resources), len(second.resources), second.next_cursor) == (102, 12, None)
    assert len(set(uris)) == 114
    assert caught.value.error.code == types.INVALID_PARAMS


async def test_a_resource_is_named_by_its_question_and_carries_no_picture(client: Client) -> None:
    listed = (await client.list_resources()).resources
    templates = (await client.list_resource_templates()).resource_templates

    reports = [one for one in listed if one.uri.endswith(("/report", "/report.json"))]
    assert [one.name for one in reports] == [f"{QUESTION} · report.md", f"{QUESTION} · report.json"]
    assert all(one.description and one.description.startswith("Report") for one in reports)
    assert not any(one.icons for one in (*listed, *templates))


async def test_ids_complete(client: Client, kept: Kept) -> None:
    async def values(
        name: str, typed: str, run_id: str | None = kept.run_id, what: str = "claims/{claim_id}"
    ) -> list[str]:
        ref = types.ResourceTemplateReference(type="ref/resource", uri=f"research://runs/{{run_id}}/{what}")
        given = {"run_id": run_id} if run_id else None
        result = await client.complete(ref, {"name": name, "value": typed}, context_arguments=given)
        return result.completion.values

    assert await values("run_id", kept.run_id[:4]) == [kept.run_id]
    assert await values("run_id", "zz") == []
    assert all(claim.startswith("c") for claim in await values("claim_id", "c"))
    assert len(await values("source_id", "s")) == 3
    assert await values("claim_id", "c", run_id=None) == []
    assert await values("color", "") == []


async def test_nothing_completes_for_what_is_not_ours(client: Client) -> None:
    ref = types.PromptReference(type="ref/prompt", name="research")

    assert (await client.complete(ref, {"name": "topic", "value": ""})).completion.values == []
