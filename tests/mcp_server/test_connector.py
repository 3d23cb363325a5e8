import json
from pathlib import Path
from typing import Any

from mcp import Client

from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
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


async def test_what_search_never_gave_is_refused_in_a_sentence(kept: Kept) -> None:
    async with Client(connector(kept.home)) as client:
        answers = [
            await client.call_tool("fetch", {"id": one}) for one in ("4711", "library://mine/a", "research://runs/x")
        ]

    assert said(answers[0]) == "'4711' is no id that search gives. Take an id of its results as it stands."
    assert said(answers[1]).startswith("'library://mine/a' is no id")
    assert said(answers[2]).startswith("There is no run 'x'.")
    assert all(answer.is_error for answer in answers)
