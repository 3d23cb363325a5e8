"""The web page in this process, over a small web, and a visitor that has cookies and sends forms as a browser does."""

import re
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import anyio
import httpx2
import uvicorn

from deepresearch_mcp.http_app.app import open_app
from deepresearch_mcp.http_app.one_time_codes import OneTimeCodes
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import fingerprint, new_run_id
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.report import Section, SourceRow
from deepresearch_mcp.records.run import Metrics, Run
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock
from small_web import SmallWeb, settings_for, small_web

OWN = "127.0.0.1:8799"
BAD = "<script>alert(1)</script>"


@dataclass
class Visitor:
    """A browser without scripts."""

    http: httpx2.AsyncClient
    jobs: Jobs
    web: SmallWeb
    codes: OneTimeCodes
    app: Any

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        return await self.http.get(path, headers={"accept": "text/html", **headers})

    async def send(self, path: str, /, *, form_on: str, **fields: Any) -> httpx2.Response:
        """Send a form with the hidden key of the page that shows it."""
        key = key_in((await self.get(form_on)).text)
        return await self.post(path, form_key=key, **fields)

    async def post(self, path: str, /, **fields: Any) -> httpx2.Response:
        own = {"origin": f"http://{OWN}", "sec-fetch-site": "same-origin"}
        return await self.http.post(path, data=fields, headers=own)

    async def token(self, *scopes: Any) -> str:
        made, _ = await self.jobs.runtime.store.tokens.create("team", frozenset(scopes), datetime.now(UTC).timestamp())
        return made

    async def plant(self, question: str, *, caller: str = "local", **more: Any) -> str:
        """Store an ended run without carrying it out."""
        request, run_id, store = checked_request({"question": question}), new_run_id(), self.jobs.runtime.store
        await store.runs.create(run_id, caller, request, fingerprint(request, caller), 1_000.0)
        run = Run(run_id=run_id, status="completed", stage="ended", question=question, **more)
        await store.reports.write(run_id, run.report, run.model_dump_json())
        await store.runs.move(run_id, 2_000.0, status="completed", stage="ended", progress={"usd": 0.5, "max_usd": 1.0})
        return run_id

    async def begin(self, question: str, inquiry: InputRequest | None = None) -> str:
        """Store a run that goes on, or waits for an answer, without carrying it out."""
        request, run_id, store = checked_request({"question": question}), new_run_id(), self.jobs.runtime.store
        await store.runs.create(run_id, "local", request, fingerprint(request, "local"), 1_000.0)
        await store.runs.move(run_id, 2_000.0, status="running", stage="planning")
        if inquiry:
            await store.inquiries.put(run_id, inquiry, 2_000.0, {"seconds": 3.0})
        return run_id


def key_in(page: str) -> str:
    found = re.search(r'name="form_key" value="([0-9a-f]{64})"', page)
    assert found, page[:500]
    return found[1]


def text_of(page: str) -> str:
    """What a reader sees of a page, roughly."""
    body = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def reported(words: str, *urls: str) -> Mapping[str, Any]:
    """Fields of a run with a report of one section."""
    sources = tuple(
        SourceRow(
            source_id=f"s{number}",
            url=url,
            title=f"Page {number} {BAD}",
            site="example.org",
            read_at=datetime(2026, 1, 1, tzinfo=UTC),
            snapshot="a" * 64,
            length=9,
            cited=True,
        )
        for number, url in enumerate(urls, 1)
    )
    section = Section(heading="In short", markdown=words)
    return {
        "report": f"# Ice\n\n{words}",
        "answer": words,
        "sections": (section,),
        "sources": sources,
        "metrics": Metrics(usd=0.5),
    }


@asynccontextmanager
async def served_pages(home: Path, *, held: bool = False) -> AsyncGenerator[Visitor]:
    """The same on a port of its own, for real browsers; `http.base_url` is its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        own = f"127.0.0.1:{listener.getsockname()[1]}"
        async with visiting(home, held=held, own=own) as visitor, anyio.create_task_group() as tasks:
            config = uvicorn.Config(visitor.app, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
            server = uvicorn.Server(config)
            tasks.start_soon(server.serve, [listener])
            yield visitor
            server.should_exit = True


@asynccontextmanager
async def visiting(
    home: Path,
    *,
    held: bool = False,
    signed_in: bool = True,
    settings: Settings | None = None,
    token: str | None = "x" * 40,
    own: str = OWN,
) -> AsyncGenerator[Visitor]:
    async with AsyncExitStack() as stack:
        web = await stack.enter_async_context(small_web(held=held))
        chosen = settings or settings_for(home, web.base)
        codes, server = OneTimeCodes(SystemClock()), build_server(chosen)
        opened = open_app(chosen, [own], local_token=token, server=server, codes=codes)
        app = await stack.enter_async_context(opened)
        shared = await stack.enter_async_context(server.shared_context())
        transport = httpx2.ASGITransport(app)
        http = await stack.enter_async_context(httpx2.AsyncClient(transport=transport, base_url=f"http://{own}"))
        visitor = Visitor(http, await shared.jobs(), web, codes, app)
        if signed_in and token:
            await visitor.get(f"/sign-in?code={codes.issue()}")
        yield visitor
