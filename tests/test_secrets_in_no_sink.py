"""Secrets planted in settings, addresses and headers appear in no log, event, trace, export, error or message."""

import io
import json
import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from deepresearch_mcp.http_app.app import open_app
from deepresearch_mcp.mcp_server.logs import as_set
from deepresearch_mcp.mcp_server.resources import templates
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.records.specs import FORMATS
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.viewer.formats import written
from hook_receiver import SECRET as HOOK_SECRET
from hook_receiver import receiving
from http_service import OWN
from otlp_collector import collecting
from scholar import Scholar
from small_web import QUESTION, SmallWeb, settings_for, small_web
from wires import Asked, Fault, Scripted, serve

PLANTED = {
    "model key": "planted-model-key-0001",
    "key of an unused model": "planted-other-key-0002",
    "key of an engine": "planted-engine-key-0003",
    "webhook secret": HOOK_SECRET,
    "header of the collector": "planted-otlp-key-0004",
    "secret of the identity client": "planted-client-secret-0005",
    "in the address of an engine": "planted-address-pass-0006",
    "in the address of a result": "planted-hit-token-0007",
    "in an address that was asked for": "planted-asked-token-0008",
    "in a header of a caller": "planted-cookie-0009",
    "in a wrong token": "planted-wrong-token-0010",
    "in a wrong address": "planted-user-pass-0011",
}
ORIGIN = "http://127.0.0.1:1"


def settings_with_secrets(home: Path, web: SmallWeb, model: str, hook: str, otlp: str) -> Settings:
    place = web.base.removeprefix("http://")
    table: dict[str, Any] = settings_for(home, web.base).model_dump()
    table["model"] |= {
        "openai_base_url": f"{model}/v1",
        "openai_key": PLANTED["model key"],
        "anthropic_key": PLANTED["key of an unused model"],
        "retries": 0,
    }
    table["search"] |= {
        "searxng_url": f"http://user:{PLANTED['in the address of an engine']}@{place}",
        "brave_key": PLANTED["key of an engine"],
    }
    table["webhooks"] |= {"url": hook, "secret": HOOK_SECRET, "allow_private": [hook.split("/")[2]]}
    table["telemetry"] |= {
        "otlp_endpoint": otlp,
        "otlp_headers": f"x-api-key={PLANTED['header of the collector']}",
        "log_prompts": True,
        "analytics_url": hook,
        "metrics_open": True,
    }
    oauth = {"issuer": ORIGIN, "introspection_url": f"{ORIGIN}/introspect", "client_id": "us"}
    table["http"]["oauth"] |= oauth | {"client_secret": PLANTED["secret of the identity client"]}
    return Settings.model_validate(table)


@contextmanager
def logged(settings: Settings) -> Generator[dict[str, io.StringIO]]:
    """What a server logs, as text for people and as JSON lines, all levels of our own loggers."""
    sinks = {"text log": io.StringIO(), "json log": io.StringIO()}
    root, ours, before = logging.getLogger(), logging.getLogger("deepresearch_mcp"), logging.getLogger().handlers[:]
    level = ours.level
    for name, sink in sinks.items():
        handler = logging.StreamHandler(sink)
        root.handlers = [handler]
        as_set(settings.model_copy(update={"logs": settings.logs.model_copy(update={"format": name.split()[0]})}))
        before.append(handler)
    root.handlers = before
    ours.setLevel(logging.DEBUG)
    try:
        yield sinks
    finally:
        root.handlers = before[:-2]
        ours.setLevel(level)


def echoing(asked: Asked) -> object:
    """A service that puts the caller's key into its error, as some do."""
    return Fault(400, f"Incorrect API key provided: {asked['headers'].get('authorization', '')}")


@asynccontextmanager
async def a_server(settings: Settings) -> AsyncGenerator[tuple[httpx2.AsyncClient, ResearchServer]]:
    server = build_server(settings)
    async with open_app(settings, [OWN], local_token="x" * 40, server=server) as app, server.session_manager.run():
        headers = {"authorization": f"Bearer {'x' * 40}", "cookie": f"session={PLANTED['in a header of a caller']}"}
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{OWN}", headers=headers) as http:
            yield http, server


async def everything_of_a_run(http: httpx2.AsyncClient, server: ResearchServer, run_id: str) -> dict[str, str]:
    """What each surface shows of a run."""
    one = f"/research/runs/{run_id}"
    parts = ("", "/events", "/stream", "/claims", "/sources", "/report?format=md", "/report?format=html")
    sinks = {path: (await http.get(one + path)).text for path in (*parts, "/report?format=json")}
    sinks |= {path: (await http.get(path)).text for path in ("/research/runs", "/metrics", "/openapi.json")}
    link = (await http.post(f"{one}/shares", json={})).json()["url"]
    sinks["shared page"] = (await http.get(link)).text
    async with server.shared_context() as shared:
        jobs = await shared.jobs()
        run = await jobs.result(run_id)
        for spec in FORMATS:
            text = await written(run, spec, jobs.runtime.store.documents)
            sinks[f"export {spec.name}"] = text if isinstance(text, str) else text.decode("latin-1")
        sinks["steps"] = repr(await jobs.runtime.store.spending.steps(run_id))
    mcp = streamable_http_client(f"http://{OWN}/mcp", http_client=http)
    async with Client(mcp) as client:
        for template in templates():
            if (
                "_id}/" not in (uri := template.uri_template.split("{?")[0]).replace("{run_id}/", "")
                and "claim" not in uri
            ):
                sinks[uri] = str(
                    await client.read_resource(uri.format(run_id=run_id, source_id=run.sources[0].source_id))
                )
        sinks["get_report"] = str(await client.call_tool("get_report", {"run_id": run_id}))
    return sinks


async def errors(http: httpx2.AsyncClient) -> dict[str, str]:
    """What callers are told who do something wrong."""
    bad = f"http://user:{PLANTED['in a wrong address']}@127.0.0.1:1/x?api_key={PLANTED['in a wrong address']}"
    wrong = {"authorization": f"Bearer {PLANTED['in a wrong token']}"}
    return {
        "fetch error": (await http.post("/fetch", json={"url": bad})).text,
        "401": (await http.get("/research/runs", headers=wrong)).text,
        "422": (await http.post("/research/runs", json={"question": QUESTION, "webhook_url": bad})).text,
    }


async def test_planted_secrets_appear_in_no_log_event_trace_export_or_error(tmp_path: Path) -> None:
    scholar = Scholar(instead={"review": echoing, "edit": echoing})
    with collecting() as otlp:
        async with small_web() as web, serve(Scripted(scholar.answer)) as model, receiving() as hook:
            web.suffix = f"?token={PLANTED['in the address of a result']}"
            settings = settings_with_secrets(tmp_path, web, model, hook.url, otlp.url)
            with logged(settings) as logs:
                async with a_server(settings) as (http, server):
                    named = f"{web.base}/lakes?api_key={PLANTED['in an address that was asked for']}"
                    order = {"question": QUESTION, "effort": "quick", "model": "openai:scholar", "urls": [named]}
                    run_id = (await http.post("/research/runs", json=order)).json()["run_id"]
                    run = (await http.get(f"/research/runs/{run_id}", params={"wait_seconds": 60})).json()
                    sinks = await everything_of_a_run(http, server, run_id) | await errors(http)
            sinks |= {"logs": json.dumps([one.getvalue() for one in logs.values()]), "trace": repr(otlp.raw)}
            sinks["webhooks and analytics"] = repr([body for _, body in hook.got])

    assert run["status"] in {"completed", "partial"}
    assert run["sources"]
    assert otlp.spans
    assert hook.got
    found = {(where, what) for where, text in sinks.items() for what, secret in PLANTED.items() if secret in text}
    assert found == set()
