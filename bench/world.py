"""Whole researches against the local world of pages, search and model: how long, how much, how well used.

Start the world with its own `setup.sh` first, or let this file do it (`--world DIR`, default ../shared/world).
Every round is forced, and the draft is reviewed: the times to beat are those of a peer that did as much there, 66 s at
breadth 4 and 153 s at breadth 8. With --long the model's answers are as long as a real reader's: more claims a reading
and whole sections; this is told, and no bar is set for it. With --standard a research of that effort runs as well, with
its own ceilings, and has to end within them with all planned work done.
Prints one line a run and, with --json, one object. Exit code 1 when a bar is missed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import httpx2

from critical_path import critical_path
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import StepRow, kind_named
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings

WORLD = {"seed": 7, "page_ms": 200.0, "page_jitter": 0.5, "search_ms": 400.0, "search_jitter": 0.25, "net_scale": 1.0}
MODEL = {"llm_ttft_ms": 400.0, "llm_token_ms": 10.0, "llm_prefill_ms_per_1k": 20.0, "llm_scale": 1.0, "list_n": 3}
LONG = {"list_n": 12, "text_tokens": 1_200}
"""What a real reader answers: about a dozen claims a reading, sections of some hundred words."""
NONE = {"net_scale": 0.01, "llm_scale": 0.01}
QUESTION = "How do PostgreSQL and SQLite handle concurrent writers, and what does that mean for Django applications?"
HOSTS = tuple(f"127.0.0.{last}" for last in range(11, 17))

WALLS = {4: 66 * 2 / 3, 8: 153 / 3}
"""Breadth → seconds."""
BARS = {"ratio": 1.15, "overhead": 1.0, "memory": 300, "words": 800, "claims": 20}


def settings(home: Path, port: int, *, critique: bool) -> Settings:
    """All rounds forced, every gate on, everything on loopback."""
    return Settings.model_validate(
        {
            "home": home,
            "model": {
                "use": "openai:world",
                "openai_base_url": f"http://127.0.0.1:{port}/v1",
                "openai_key": "bench",
            },
            "search": {"engines": ["searxng"], "searxng_url": f"http://127.0.0.1:{port}"},
            "web": {
                "allow_private": [f"{host}:{port}" for host in HOSTS],
                "ports": [80, 443, port],
                "cache_seconds": 0,
            },
            "research": {"stop_score": 11, "critique": critique},
        }
    )


class World:
    """The world, which is told what to be like and tells what was asked of it."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def post(self, path: str, body: dict[str, Any]) -> None:
        async with httpx2.AsyncClient() as http:
            (await http.post(f"http://127.0.0.1:{self.port}{path}", json=body)).raise_for_status()

    async def served(self) -> Counter[str]:
        """How often each page was served."""
        async with httpx2.AsyncClient() as http:
            rows = (await http.get(f"http://127.0.0.1:{self.port}/__log")).json()
        return Counter(row["url"] for row in rows if row["kind"] == "page")


def processes() -> list[int]:
    """This process and all below it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def memory() -> float:
    """MB: proportional set size of all our processes, where the kernel tells it."""
    total = 0
    for pid in processes():
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / 1024


def tokens_by_stage(rows: Sequence[StepRow]) -> dict[str, int]:
    """What the calls of each stage used, input and output together."""
    found: Counter[str] = Counter()
    for row in rows:
        if row.kind == "model" and row.used:
            found[steps.stage_of(row.key) or kind_named(row.key)] += row.used.input_tokens + row.used.output_tokens
    return dict(found)


def supported(run: Run) -> int:
    """Sentences and cells of the report that lead to a source."""
    cells = (cell for section in run.sections for table in section.tables for row in table.rows for cell in row)
    said = (sentence for section in run.sections for sentence in section.sentences)
    return sum(bool(one.rests_on) for one in (*said, *cells))


def wide(breadth: int, depth: int) -> ResearchRequest:
    """A research that no ceiling cuts."""
    return ResearchRequest(
        question=QUESTION, breadth=breadth, depth=depth, max_usd=8, max_tokens=3_500_000, max_searches=400,
        max_pages=320, max_minutes=10, clarify="never",
    )  # fmt: skip


async def one(label: str, home: Path, world: World, request: ResearchRequest, *, critique: bool) -> dict[str, Any]:
    """One research, measured."""
    await world.post("/__reset", {"label": label})
    peak = 0.0
    async with open_runtime(settings(home, world.port, critique=critique)) as runtime, open_jobs(runtime) as jobs:
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                nonlocal peak
                while True:
                    peak = max(peak, await anyio.to_thread.run_sync(memory))
                    await anyio.sleep(0.25)

            tasks.start_soon(watch)
            began = runtime.clock.monotonic()
            row = await jobs.start_or_join(request, fresh=True)
            row = await jobs.follow(row.run_id)
            wall = runtime.clock.monotonic() - began
            tasks.cancel_scope.cancel()
        run = await jobs.result(row.run_id)
        async with runtime.store.journal(row.run_id) as journal:
            rows = await journal.rows()
    path, chain = critical_path(rows)
    served, tokens, cited = await world.served(), run.metrics.input_tokens + run.metrics.output_tokens, supported(run)
    fetched = {source.url for source in run.sources}
    prose = sum(len(s.markdown.split()) for s in run.sections if s.heading != "References")
    return {
        "label": label,
        "status": run.status,
        "wall": round(wall, 2),
        "path": round(path, 2),
        "ratio": round(wall / path, 3) if path else 0,
        "overhead": round(wall - path, 2),
        "calls": run.metrics.model_calls,
        "tokens": tokens,
        "by_stage": tokens_by_stage(rows),
        "sentences": cited,
        "tokens_per_sentence": round(tokens / cited) if cited else 0,
        "within": within(run, request),
        "searches": run.metrics.searches,
        "pages": sum(served.values()),
        "repeated": sum(times - 1 for times in served.values()),
        "verified": sum(claim.verdict in {"supported", "partly", "disputed"} for claim in run.claims),
        "citations": len(run.citations),
        "citations_fetched": sum(citation.url in fetched for citation in run.citations),
        "quotes": f"{run.quotes.located}/{run.quotes.total}",
        "words": len(run.report.split()),
        "prose": prose,
        "memory": round(peak),
        "chain": [f"{key} {seconds:.2f}" for key, seconds in chain],
        "warnings": list(run.warnings),
        "error": run.error,
    }


def within(run: Run, request: ResearchRequest) -> bool:
    """Whether no ceiling was crossed."""
    used, shape = run.metrics, request.shape
    tokens = used.input_tokens + used.output_tokens
    return (
        used.usd <= shape.max_usd
        and tokens <= shape.max_tokens
        and used.searches <= shape.max_searches
        and used.pages <= shape.max_pages
        and used.seconds <= 60 * shape.max_minutes
    )


async def measure(args: argparse.Namespace) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    world = World(args.port)
    await world.post("/__config", {**WORLD, **MODEL, "topic": QUESTION})
    with tempfile.TemporaryDirectory() as folder:

        async def fresh(label: str, request: ResearchRequest, *, critique: bool = True) -> None:
            # Each in a home of its own: judgements are remembered, and would make every run but the first cheaper.
            home = Path(folder) / f"{len(results)}"
            home.mkdir()
            results.append(await one(label, home, world, request, critique=critique))

        for breadth in args.breadth:
            await fresh(f"breadth {breadth}", wide(breadth, args.rounds), critique=args.critique)
        if args.standard:
            await fresh("standard", ResearchRequest(question=QUESTION, clarify="never"))
        if args.long:
            await world.post("/__config", LONG)
            for breadth in args.breadth:
                await fresh(f"long answers, breadth {breadth}", wide(breadth, args.rounds), critique=args.critique)
            await world.post("/__config", MODEL)
        if args.full:
            await world.post("/__config", NONE)
            await fresh("no latency", wide(4, args.rounds), critique=args.critique)
            await world.post("/__config", {**WORLD, **MODEL})
    return results


def misses(results: list[dict[str, Any]]) -> list[str]:
    """Bars that were not met."""
    found: list[str] = []
    for result in results:
        label = result["label"]
        bars = [
            ("completed", result["status"] == "completed"),
            ("ceilings", result["within"]),
            ("repeated fetches", result["repeated"] == 0),
            ("citations fetched", result["citations"] == result["citations_fetched"] > 0),
            ("memory", result["memory"] <= BARS["memory"]),
        ]
        if label.startswith("breadth"):
            bars += [
                ("wall", result["wall"] <= WALLS.get(int(label.split()[1]), result["wall"])),
                ("wall ÷ critical path", result["ratio"] <= BARS["ratio"]),
                ("claims", result["verified"] >= BARS["claims"]),
                ("words", result["words"] >= BARS["words"]),
            ]
        if label == "no latency":
            bars.append(("overhead", result["overhead"] <= BARS["overhead"]))
        found += [f"{label}: {name}" for name, holds in bars if not holds]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=Path, metavar="DIR", default=Path(__file__).parents[2] / "shared" / "world")
    parser.add_argument("--port", type=int, default=8900, help="of the world")
    parser.add_argument("--breadth", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--rounds", type=int, default=2, metavar="N", help="rounds of searching, all forced")
    parser.add_argument("--no-critique", dest="critique", action="store_false", help="without the review of the draft")
    parser.add_argument("--long", action="store_true", help="once more with answers of realistic length")
    parser.add_argument("--standard", action="store_true", help="a research of that effort within its own ceilings too")
    parser.add_argument("--quick", dest="full", action="store_false", help="without the run at latencies near zero")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--chain", action="store_true", help="print each critical path")
    args = parser.parse_args()
    if not (args.world / "setup.sh").is_file():
        print(f"skipped: there is no world at {args.world}", file=sys.stderr)
        return 0
    subprocess.run([str(args.world / "setup.sh"), "--port", str(args.port)], check=True, stdout=sys.stderr)
    results = anyio.run(measure, args)
    missed = misses(results)
    if args.json:
        print(json.dumps({"runs": results, "missed": missed, "cpu": resource.getrusage(resource.RUSAGE_SELF).ru_utime}))
    else:
        for result in results:
            shown = {name: value for name, value in result.items() if name not in {"chain", "warnings", "error"}}
            print("  ".join(f"{name} {value}" for name, value in shown.items()))
            if args.chain:
                print("    " + "\n    ".join(result["chain"]))
            for extra in (*result["warnings"], *([str(result["error"])] if result["error"] else [])):
                print(f"    note: {extra}")
        print("all bars met" if not missed else "missed: " + "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
