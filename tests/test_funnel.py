"""`bench/funnel.py`: at which stage of a stored run each key fact was lost."""

import hashlib
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.ports.journal import Step, StepKind
from deepresearch_mcp.ports.model import ModelAnswer
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store.sqlite import open_sqlite_store
from small_web import PAGES, small_web
from whole_runs import opened, researched

FUNNEL = Path(__file__).parents[1] / "bench" / "funnel.py"
PLACE = "http://127.0.0.1:8900"
FACTS = {
    "written": "The quay of Aldershore was built of granite in 1871",
    "not given to a writer": "Its lighthouse burns whale oil and is seen for nineteen miles",
    "not verified": "The harbour master keeps forty two rowing boats for pilots",
    "not claimed": "Every ship pays eleven shillings for a night at anchor",
    "not shown": "A chain of bronze closes the inner basin after sunset",
    "not fetched": "The customs house moved to the northern pier later on",
}
PAGE = ". ".join(FACTS[name] for name in FACTS if name != "not fetched")
ELSEWHERE = "Coal is unloaded by three steam cranes at the western wharf"
KEYS: list[dict[str, Any]] = [
    *(
        {"id": name, "weight": 2, "kind": "fact", "fact": words, "words": words, "url": f"{PLACE}/harbour"}
        for name, words in FACTS.items()
    ),
    {
        "id": "not returned", "weight": 3, "kind": "fact", "fact": ELSEWHERE, "words": ELSEWHERE,
        "url": f"{PLACE}/coal",
    },
    {"id": "advice", "weight": 3, "kind": "judgement", "fact": "Land at high tide."},
]  # fmt: skip
CLAIMS = {
    "written": ("c1", "supported"),
    "not given to a writer": ("c2", "partly"),
    "not verified": ("c3", "unsupported"),
}


def span(name: str) -> dict[str, int]:
    start = PAGE.index(FACTS[name])
    return {"start": start, "end": start + len(FACTS[name])}


def report() -> dict[str, Any]:
    claims = [
        {
            "claim_id": claim_id,
            "text": FACTS[name],
            "verdict": verdict,
            "quotes": [{"source_id": "s" + "0" * 12, "text": FACTS[name], **span(name)}],
        }
        for name, (claim_id, verdict) in CLAIMS.items()
    ]
    return {"claims": claims, "citations": [{"claim_ids": ["c1"]}], "sections": []}


async def stored(home: Path, *, recorded: bool) -> None:
    """A run that lost one fact at each stage; `recorded`: with the passages read and the claims a writer was given."""
    clock = HandClock()
    page = Document(
        source_id="s" + "0" * 12,
        url="http://127.0.0.1:8905/harbour",
        requested_url="http://127.0.0.1:8905/harbour",
        title="The harbour",
        text=PAGE,
        read_at=datetime(2026, 1, 1, tzinfo=UTC),
        snapshot=hashlib.sha256(PAGE.encode()).hexdigest(),
        length=len(PAGE),
    )
    shown = {"url": page.url, "passage": {"source_id": page.source_id, "start": 0, "end": span("not claimed")["end"]}}
    dropped = json.dumps({"claims": [{"claim": "Pilots have boats.", "quote": FACTS["not verified"]}]})
    steps: list[tuple[str, StepKind, Any]] = [
        ("search/1/searxng", "search", [{"url": page.url}]),
        ("read/q1/1", "model", ModelAnswer(text=f"Here it is: {dropped}", model="m")),
        ("read/q1/2", "model", ModelAnswer(text="I found nothing.", model="m")),
        *([("chosen/q1/1/1", "decision", [shown])] if recorded else [("shown/q1/1/1", "decision", [])]),
    ]
    async with open_sqlite_store(home, clock) as store:
        request = ResearchRequest(question="What is to be seen in Aldershore?")
        await store.runs.create("aldershore", "local", request, "f", 0.0)
        async with store.journal("aldershore") as journal:
            for key, kind, result in steps:

                async def done(result: Any = result) -> Any:
                    return result

                shape = ModelAnswer if kind == "model" else list[dict[str, Any]]
                await journal.step(Step(key), done, kind=kind, result=shape)
        await store.documents.save(page, "aldershore")
        data = {"heading": "Harbour", **({"claims": ["c1"]} if recorded else {})}
        await store.events.add("aldershore", 1.0, "section_written", data)
        await store.reports.write("aldershore", "# Aldershore", json.dumps(report()))
        await store.runs.move("aldershore", 2.0, status="completed")


def called(home: Path, keys: Path, run: str = "last", *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FUNNEL), run, "--keys", str(keys), "--home", str(home), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"question": "?", "keys": KEYS}), encoding="utf-8")
    return file


def test_each_fact_is_told_with_the_stage_that_lost_it(tmp_path: Path, keys: Path) -> None:
    anyio.run(lambda: stored(tmp_path, recorded=True))

    found = json.loads(called(tmp_path, keys, "aldersh", "--json").stdout)

    assert {row["id"]: row["lost"] or "written" for row in found["facts"]} == {
        key["id"]: key["id"] for key in KEYS if key["kind"] == "fact"
    }
    assert [(row["lost"], row["keys"], row["weight"]) for row in found["stages"]] == [
        ("not returned", 1, 3),
        ("not fetched", 1, 2),
        ("not shown", 1, 2),
        ("not claimed", 1, 2),
        ("not verified", 1, 2),
        ("not given to a writer", 1, 2),
        ("not written", 0, 0),
    ]
    assert found["stages"][-1]["reached"] == pytest.approx(2 / 15, abs=0.001)
    assert (found["weight"], found["not_followed"], found["estimated"]) == (15, 1, [])
    [fetched] = [row for row in found["facts"] if row["id"] == "not fetched"]
    assert fetched["note"] == "its page was read, and its words are not in the text"


def test_what_an_older_run_did_not_record_is_estimated_and_named(tmp_path: Path, keys: Path) -> None:
    anyio.run(lambda: stored(tmp_path, recorded=False))

    text = called(tmp_path, keys).stdout

    assert "estimated: shown, given to a writer" in text
    assert "not given to a writer    0 facts" in text
    assert "not written              1 facts  weight   2" in text


async def _keyless(home: Path) -> list[dict[str, Any]]:
    async with small_web() as web, opened(home, web) as jobs:
        run = await researched(jobs)
        assert run.status == "completed"
        _, text = PAGES["/density"]
        return [
            {
                "id": "1", "weight": 1, "kind": "fact", "fact": "Ice is about 9 percent less dense than liquid water.",
                "words": text.split(". ")[0], "url": f"{web.base}/density",
            },
            {
                "id": "2", "weight": 1, "kind": "fact", "fact": "The moon orbits the earth in 27 days.",
                "words": "once in every twenty seven days around the earth", "url": "https://moon.example/orbit",
            },
        ]  # fmt: skip


def test_a_run_of_this_version_can_be_followed(tmp_path: Path, keys: Path) -> None:
    keys.write_text(json.dumps({"keys": anyio.run(_keyless, tmp_path)}), encoding="utf-8")

    found = json.loads(called(tmp_path, keys, "last", "--json").stdout)

    assert [row["lost"] for row in found["facts"]] == ["", "not returned"]
    # A writer's claims are recorded by every run of now.
    assert "given to a writer" not in found["estimated"]


@pytest.mark.parametrize(("run", "said"), [("nothing", "nothing"), ("last", "no runs are stored in")])
def test_a_run_that_is_not_there_is_told_so(tmp_path: Path, keys: Path, run: str, said: str) -> None:
    if run == "nothing":
        anyio.run(lambda: stored(tmp_path, recorded=True))

    result = called(tmp_path, keys, run)

    assert result.returncode == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr
