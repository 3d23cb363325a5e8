"""Settings become open parts; what could only fail later is refused."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from deepresearch_mcp.budget import Amount
from deepresearch_mcp.events import CeilingNear, Degraded, Event, Spent, Started
from deepresearch_mcp.exceptions import SettingsError, StoreError
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.runtime import Runtime, load_settings, open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock
from pipeline_fakes import page
from runtime_fakes import KEYED, asked, opened


@asynccontextmanager
async def session(runtime: Runtime, heard: list[Event], **given: Any) -> AsyncGenerator[Any]:
    request = asked(**given)
    await runtime.store.runs.create("r1", "local", request, "f", 0.0)
    async with runtime.research("r1", request, "", heard.append) as one:
        yield one


async def test_a_session_without_a_model_says_so(tmp_path: Path):
    heard: list[Event] = []
    async with opened(tmp_path) as runtime, session(runtime, heard) as one:
        provenance = await one.provenance()

    assert heard == [Started("Why does ice float?", "extractive", ("duckduckgo", "wikipedia"))]
    assert one.warnings == [
        "No language model wrote this report (because no model is configured): its sentences are the sources' own,"
        " chosen and ordered."
    ]
    assert (provenance.thinker, provenance.models) == ("extractive", ())
    assert provenance.engines == ("duckduckgo", "wikipedia")
    assert provenance.started == "2026-11-20T12:00:00.000+00:00"
    assert provenance.request["question"] == "Why does ice float?"
    assert (provenance.calls, provenance.prompts, provenance.template) == ((), {}, {})


async def test_a_session_with_extractive_asked_for_says_that_it_was(tmp_path: Path):
    async with opened(tmp_path, model=KEYED) as runtime, session(runtime, [], model="extractive") as one:
        assert "(as asked for)" in one.warnings[0]


async def test_a_session_with_extractive_by_a_setting_says_that_it_was(tmp_path: Path):
    async with opened(tmp_path, model={**KEYED, "use": "extractive"}) as runtime, session(runtime, []) as one:
        assert "(as model.use says)" in one.warnings[0]


async def test_a_session_with_a_model_names_it_and_keeps_its_warnings_once(tmp_path: Path):
    heard: list[Event] = []
    async with opened(tmp_path, model=KEYED) as runtime:
        await runtime.store.collections.of(LOCAL_CALLER).put("notes", "/notes", 0.0)
        async with session(runtime, heard, collections=("notes",)) as one:
            emit = one.research._parts.emit
            emit(Degraded("It went another way."))
            emit(Degraded("It went another way."))
            [nonce] = [row for row in await one.journal.rows() if row.key == "nonce"]

    assert one.thinker == "openai:gpt-6.1-terra and openai:gpt-6-luna"
    assert one.engines == ("local", "duckduckgo", "wikipedia")
    assert one.warnings == ["It went another way."]
    assert len(heard) == 2
    assert nonce.kind == "decision"


async def test_depth_zero_opens_no_engine(tmp_path: Path):
    async with (
        opened(tmp_path, search={"engines": ["brave"]}, model=KEYED) as runtime,
        session(runtime, [], depth=0) as one,
    ):
        assert one.engines == ()


async def test_what_is_spent_is_told_and_counted(tmp_path: Path):
    heard: list[Event] = []
    async with opened(tmp_path) as runtime, session(runtime, heard, max_searches=10) as one:
        one.ledger.reserve(Amount(searches=8)).settle(Amount(searches=8))
        runtime.clock.advance(2.5)
        metrics = one.metrics(Progress("r1", read=4))

    assert Spent(0.0, 0, 8, 0) in heard
    assert CeilingNear("max_searches", "warned") in heard
    assert (metrics.searches, metrics.pages, metrics.seconds) == (8, 4, 2.5)


def test_settings_that_are_wrong_are_told_as_our_own_error(tmp_path: Path):
    assert load_settings({"home": str(tmp_path)}).settings.home == tmp_path
    with pytest.raises(SettingsError, match="web"):
        load_settings({"web.timeout": "soon"})


async def test_time_is_the_systems_unless_a_clock_is_given(tmp_path: Path):
    async with open_runtime(Settings(home=tmp_path)) as runtime:
        assert isinstance(runtime.clock, SystemClock)


async def test_a_data_directory_that_cannot_be_used_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        async with opened(tmp_path / "file" / "home"):
            pass


async def test_a_research_grades_by_the_users_file(tmp_path: Path):
    file = tmp_path / "grades.toml"
    file.write_text('kinds.official.domains = ["mine.example"]\n')

    async with opened(tmp_path, research={"quality_file": str(file), "summary_tokens": 200}) as runtime:
        await runtime.check(asked())
        async with session(runtime, []) as one:
            assert "mine.example" in one.research.findings.scale.kinds["official"].domains
            assert runtime.scale() is one.research.findings.scale
            assert one.summary_tokens == 200


async def test_collections_are_searched_by_meaning_over_a_real_wire_where_an_endpoint_is_set(tmp_path: Path):
    sent: list[dict[str, Any]] = []

    class Embeddings(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            rows = [
                {
                    "index": at,
                    "embedding": [1.0, 0.0] if {"car", "automobile"} & {*text.lower().split()} else [0.0, 1.0],
                }
                for at, text in enumerate(sent[-1]["input"])
            ]
            body = json.dumps({"data": rows}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Embeddings) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        async with opened(tmp_path, library={"embeddings_url": url, "embeddings_model": "small"}) as runtime:
            shelf = runtime.store.collections.of(LOCAL_CALLER)
            await shelf.put("notes", "/notes", 0.0)
            for path, text in {"a.md": "An automobile has wheels.", "b.md": "Ice floats."}.items():
                await shelf.add("notes", FileStamp(path, 1, 1), page(f"library://notes/{path}", text, title=path))
            hits = await shelf.search(["notes"], "my car", 5)
        server.shutdown()

    assert hits[0].url == "library://notes/a.md"
    assert {one["model"] for one in sent} == {"small"}
