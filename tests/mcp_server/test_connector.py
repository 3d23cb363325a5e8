import json
from pathlib import Path
from typing import Any

from mcp import Client

from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from small_web import QUESTION, Kept, SmallWeb, said, settings_for


def connector(home: Path, base: str = "") -> ResearchServer:
    table = settings_for(home, base).model_dump()
    table["server"] |= {"toolsets": ("chatgpt",)}
    return build_server(Settings.model_validate(table))


def read(result: Any) -> dict[str, Any]:
    [block] = result.content
    assert result.structured_content is None
    return json.loads(block.text)


async def test_search_and_fetch_have_the_shapes_that_connectors_want(kept: Kept, web: SmallWeb) -> None:
    async with Client(connector(kept.home, web.base)) as client:
        tools = {tool.name: [*tool.input_schema["properties"]] for tool in (await client.list_tools()).tools}
        results = read(await client.call_tool("search", {"query": QUESTION}))["results"]
        documents = [read(await client.call_tool("fetch", {"id": one["id"]})) for one in results]

    assert tools == {"search": ["query"], "fetch": ["id"]}
    assert all({"id", "title", "url"} <= one.keys() for one in results)
    assert results[0]["id"] == f"research://runs/{kept.run_id}/report"
    assert documents[0]["text"].startswith(f"# {QUESTION}")
    for one, document in zip(results, documents, strict=True):
        assert document.keys() == {"id", "title", "text", "url", "metadata"}
        assert document["id"] == one["id"]
        assert document["text"]


async def test_results_keep_within_what_a_client_takes(kept: Kept, web: SmallWeb) -> None:
    question = f"{QUESTION} {'Tell me all of it, please. ' * 300}"
    async with open_runtime(settings_for(kept.home, web.base)) as runtime, open_jobs(runtime) as jobs:
        for number in range(3):
            row = await jobs.start_or_join(checked_request({"question": f"{question} {number}", "effort": "quick"}))
            await jobs.follow(row.run_id)
    table = settings_for(kept.home, web.base).model_dump()
    table["server"] |= {"toolsets": ("chatgpt",), "result_chars": 2_000}

    async with Client(connector(kept.home, web.base)) as client:
        whole = read(await client.call_tool("search", {"query": QUESTION}))["results"]
    async with Client(build_server(Settings.model_validate(table))) as client:
        text = said(await client.call_tool("search", {"query": QUESTION}))

    assert max(len(one["title"].encode()) for one in whole) == 400
    assert len(text.encode()) <= 2_000
    assert 1 <= len(json.loads(text)["results"]) < len(whole)


async def test_what_search_never_gave_is_refused_in_a_sentence(kept: Kept) -> None:
    async with Client(connector(kept.home)) as client:
        answers = [
            await client.call_tool("fetch", {"id": one}) for one in ("4711", "library://mine/a", "research://runs/x")
        ]

    assert (
        said(answers[0]) == "'4711' is not an id that search returned. Use an id exactly as it stands in the results."
    )
    assert said(answers[1]).startswith("'library://mine/a' is not an id")
    assert said(answers[2]).startswith("There is no run 'x'.")
    assert all(answer.is_error for answer in answers)
