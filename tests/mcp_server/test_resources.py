import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, types

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.naming import fingerprint
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.runtime import open_runtime
from small_web import QUESTION, Kept, SmallWeb, said, settings_for


async def read(client: Client, uri: str) -> tuple[str, str | None]:
    """Text and media type."""
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    return content.text, content.mime_type


async def read_json(client: Client, uri: str) -> Any:
    text, kind = await read(client, uri)
    assert kind == "application/json"
    return json.loads(text)


async def test_every_part_of_a_run_can_be_read(client: Client, kept: Kept) -> None:
    run = f"research://runs/{kept.run_id}"

    state = await read_json(client, run)
    report, kind = await read(client, f"{run}/report")
    whole = await read_json(client, f"{run}/report.json")
    page, page_kind = await read(client, f"{run}/report.html")
    plan = await read_json(client, f"{run}/plan")

    assert (state["status"], state["question"], state["uri"]) == ("completed", QUESTION, run)
    assert state["figures"]["verified"] > 0
    assert f"{run}/events" in state["parts"]
    assert (report.startswith(f"# {QUESTION}"), kind) == (True, "text/markdown")
    assert whole["report"] == report
    assert (page.startswith("<!doctype html>"), page_kind) == (True, "text/html")
    assert '"texts":{' in page
    assert plan["sub_questions"]


async def test_every_quote_stands_in_the_text_of_its_source(client: Client, kept: Kept) -> None:
    run = f"research://runs/{kept.run_id}"
    sources = {source["source_id"]: source for source in await read_json(client, f"{run}/sources")}
    claims = await read_json(client, f"{run}/claims")
    assert claims

    for listed in claims:
        claim = await read_json(client, f"{run}/claims/{listed['claim_id']}")
        assert claim == listed
        for quote in claim["quotes"]:
            text, kind = await read(client, f"{run}/sources/{quote['source_id']}")
            assert text[quote["start"] : quote["end"]] == quote["text"]
            assert quote["snapshot"] == sources[quote["source_id"]]["snapshot"]
            assert kind == "text/markdown"


async def test_the_audit_trail_comes_in_parts(client: Client, kept: Kept) -> None:
    uri = f"research://runs/{kept.run_id}/events"
    trail = await read_json(client, uri)
    kinds = [event["kind"] for event in trail["events"]]
    third = trail["events"][2]["number"]
    rest = await read_json(client, f"{uri}?after={third}")

    assert (kinds[0], kinds[-1], trail["next_after"]) == ("started", "ended", None)
    assert rest["events"] == trail["events"][3:]


async def test_all_runs_stand_in_one_resource_and_their_reports_in_the_list(client: Client, kept: Kept) -> None:
    runs = await read_json(client, "research://runs")
    listed = await client.list_resources()

    assert [run["run_id"] for run in runs["runs"]] == [kept.run_id]
    report = f"research://runs/{kept.run_id}/report"
    assert _ours(listed) == ["research://runs", report, f"{report}.json"]
    assert listed.next_cursor is None


async def test_every_address_in_the_list_of_templates_is_served(client: Client, kept: Kept) -> None:
    templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
    claim = (await read_json(client, f"research://runs/{kept.run_id}/claims"))[0]
    ids = {
        "run_id": kept.run_id,
        "claim_id": claim["claim_id"],
        "source_id": claim["quotes"][0]["source_id"],
    }

    assert len(templates) == 10
    for template in templates:
        uri = re.sub(r"\{\?\w+\}", "", template)
        for name, value in ids.items():
            uri = uri.replace(f"{{{name}}}", value)
        assert (await read(client, uri))[0]


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("research://runs/none", "There is no run 'none'"),
        ("research://runs/none/report", "There is no run 'none'"),
        ("research://runs/RUN/claims/none", "has no claim 'none'"),
        ("research://runs/RUN/sources/none", "has no source 'none'"),
        ("research://runs/RUN/events?after=x", "after is 'x', which is not an event number"),
        ("research://runs/RUN/nothing", "There is no resource research://runs/RUN/nothing"),
        ("research://runs/RUN/plan/1", "There is no resource"),
        ("research://runs/RUN/claims/1/2", "There is no resource"),
        ("research://elsewhere", "There is no resource research://elsewhere"),
        ("other://runs", "other://runs"),
    ],
)
async def test_what_is_not_there_is_a_protocol_error_in_one_sentence(
    client: Client, kept: Kept, uri: str, said: str
) -> None:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri.replace("RUN", kept.run_id))

    assert caught.value.error.code == types.INVALID_PARAMS
    assert said.replace("RUN", kept.run_id) in caught.value.error.message


async def test_a_run_that_goes_on_shows_what_it_has(era: str, web: SmallWeb, tmp_path: Path) -> None:
    web.pages_held = True
    async with Client(build_server(settings_for(tmp_path, web.base)), mode=era) as client:
        asked = {"question": QUESTION, "effort": "quick", "wait_seconds": 0}
        found = re.search(r'run_id="(\w+)"', said(await client.call_tool("deep_research", asked)))
        assert found
        run = f"research://runs/{found.group(1)}"
        while "reading 0 of 3 pages" not in (await read_json(client, run))["progress"]:
            await client.call_tool("get_report", {"run_id": found.group(1), "wait_seconds": 0.1})
        state = await read_json(client, run)
        plan = await read_json(client, f"{run}/plan")
        claims, sources = await read_json(client, f"{run}/claims"), await read_json(client, f"{run}/sources")
        with pytest.raises(MCPError, match="has no report: it is running"):
            await client.read_resource(f"{run}/report")
        listed = await client.list_resources()

    assert (state["status"], state["stage"]) == ("running", "researching")
    assert plan["sub_questions"]
    assert (claims, sources) == ([], [])
    assert _ours(listed) == ["research://runs"]


async def test_a_run_that_was_interrupted_before_it_began_has_no_plan(kept: Kept) -> None:
    request = checked_request({"question": "Who?"})
    async with open_runtime(settings_for(kept.home)) as runtime:
        await runtime.store.runs.create("gone", LOCAL_CALLER, request, fingerprint(request, LOCAL_CALLER), 1)
    async with Client(build_server(settings_for(kept.home))) as client:
        with pytest.raises(MCPError, match="Run gone has no plan yet: it is interrupted"):
            await client.read_resource("research://runs/gone/plan")


async def test_a_run_that_is_under_way_offers_the_text_of_what_it_has_read(kept: Kept) -> None:
    # As if the server had died after reading: evidence in the store, no report.
    for name in ("report.md", "report.json"):
        (kept.home / "runs" / kept.run_id / name).unlink()
    run = f"research://runs/{kept.run_id}"
    async with Client(build_server(settings_for(kept.home))) as client:
        claims = await read_json(client, f"{run}/claims")
        sources = await read_json(client, f"{run}/sources")
        text, _ = await read(client, f"{run}/sources/{sources[0]['source_id']}")

    assert claims
    assert len(text) == sources[0]["length"]


async def test_a_store_that_cannot_be_used_is_an_internal_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    async with Client(build_server(settings_for(tmp_path / "home"))) as client:
        with pytest.raises(MCPError, match="The data directory cannot be used") as listing:
            await client.list_resources()
        with pytest.raises(MCPError) as reading:
            await client.read_resource("research://runs")

    assert listing.value.error.code == types.INTERNAL_ERROR
    assert reading.value.error.code == types.INTERNAL_ERROR
    assert "The data directory cannot be used" in reading.value.error.message
    assert StoreError.__name__ not in reading.value.error.message


async def test_the_words_of_a_claim_are_marked_in_the_text_they_stand_in(client: Client, kept: Kept) -> None:
    run = f"research://runs/{kept.run_id}"
    claim = next(one for one in await read_json(client, f"{run}/claims") if one["quotes"])
    quote = claim["quotes"][0]
    source = f"{run}/sources/{quote['source_id']}"
    marked, kind = await read(client, f"{source}?claim={claim['claim_id']}")
    with pytest.raises(MCPError, match="has no claim 'none'"):
        await client.read_resource(f"{source}?claim=none")

    assert f"<mark>{quote['text']}</mark>" in marked
    assert marked.replace("<mark>", "").replace("</mark>", "") == (await read(client, source))[0]
    assert kind == "text/markdown"


async def test_reports_tell_their_size_and_age_also_those_of_runs_that_were_cancelled(
    era: str, web: SmallWeb, tmp_path: Path
) -> None:
    web.pages_held = True
    async with Client(build_server(settings_for(tmp_path, web.base)), mode=era) as client:
        asked = {"question": QUESTION, "effort": "quick", "wait_seconds": 0}
        found = re.search(r'run_id="(\w+)"', said(await client.call_tool("deep_research", asked)))
        assert found
        run = f"research://runs/{found.group(1)}"
        while "reading 0 of 3 pages" not in (await read_json(client, run))["progress"]:
            await client.call_tool("get_report", {"run_id": found.group(1), "wait_seconds": 0.1})
        await client.call_tool("cancel_run", {"run_id": found.group(1)})
        reports = [one for one in (await client.list_resources()).resources if one.uri.startswith(f"{run}/")]
        texts = [(await read(client, one.uri))[0] for one in reports]

    assert [one.uri for one in reports] == [f"{run}/report", f"{run}/report.json"]
    assert reports[0].size == len(texts[0].encode())
    for one in reports:
        assert one.annotations
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", one.annotations.last_modified or "")


async def test_a_newer_client_is_told_how_long_an_answer_may_be_kept(kept: Kept) -> None:
    async with Client(build_server(settings_for(kept.home))) as client:
        tools = await client.list_tools()
        resources = await client.list_resources()

    assert (tools.ttl_ms, tools.cache_scope) == (3_600_000, "public")
    assert (resources.ttl_ms, resources.cache_scope) == (0, "private")


def _ours(listed: Any) -> list[str]:
    """Without the page of the report app."""
    return [one.uri for one in listed.resources if not one.uri.startswith("ui://")]
