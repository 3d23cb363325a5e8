"""Whole researches against the local world of pages, search and model: how long, how much, how well used.

Start the world with its own `setup.sh` first, or let this file do it (`--world DIR`, default ../shared/world).
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
from pathlib import Path
from typing import Any

import anyio
import httpx2

from critical_path import critical_path
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings

PORT = 8900
WORLD = {"seed": 7, "page_ms": 200.0, "page_jitter": 0.5, "search_ms": 400.0, "search_jitter": 0.25, "net_scale": 1.0}
MODEL = {"llm_ttft_ms": 400.0, "llm_token_ms": 10.0, "llm_prefill_ms_per_1k": 20.0, "llm_scale": 1.0, "list_n": 3}
NONE = {"net_scale": 0.01, "llm_scale": 0.01}
QUESTION = "How do PostgreSQL and SQLite handle concurrent writers, and what does that mean for Django applications?"
HOSTS = tuple(f"127.0.0.{last}" for last in range(11, 17))

BARS = {"wall": 20.0, "ratio": 1.15, "growth": 1.15, "overhead": 1.0}
BARS |= {"tokens": 60_000, "memory": 300, "words": 800, "claims": 20}


def settings(home: Path, *, critique: bool) -> Settings:
    """Two rounds forced, every gate on, everything on loopback."""
    return Settings.model_validate(
        {
            "home": home,
            "model": {
                "use": "openai:world",
                "openai_base_url": f"http://127.0.0.1:{PORT}/v1",
                "openai_key": "bench",
            },
            "search": {"engines": ["searxng"], "searxng_url": f"http://127.0.0.1:{PORT}"},
            "web": {
                "allow_private": [f"{host}:{PORT}" for host in HOSTS],
                "ports": [80, 443, PORT],
                "cache_seconds": 0,
            },
            "research": {"stop_score": 11, "critique": critique},
        }
    )


async def post(path: str, body: dict[str, Any]) -> None:
    async with httpx2.AsyncClient() as http:
        (await http.post(f"http://127.0.0.1:{PORT}{path}", json=body)).raise_for_status()


async def log() -> list[dict[str, Any]]:
    async with httpx2.AsyncClient() as http:
        return (await http.get(f"http://127.0.0.1:{PORT}/__log")).json()


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


async def one(label: str, home: Path, *, breadth: int, depth: int, critique: bool = False) -> dict[str, Any]:
    """One research, measured."""
    await post("/__reset", {"label": label})
    request = ResearchRequest(
        question=QUESTION, breadth=breadth, depth=depth, max_usd=5, max_tokens=1_300_000, max_searches=200, max_pages=200,
        max_minutes=10, clarify="never",
    )  # fmt: skip
    peak = 0.0
    async with open_runtime(settings(home, critique=critique)) as runtime, open_jobs(runtime) as jobs:
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
    served = Counter(entry["url"] for entry in await log() if entry["kind"] == "page")
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
        "tokens": run.metrics.input_tokens + run.metrics.output_tokens,
        "by_role": run.metrics.tokens_by_role,
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


async def measure(args: argparse.Namespace) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    await post("/__config", {**WORLD, **MODEL, "topic": QUESTION})
    with tempfile.TemporaryDirectory() as folder:

        async def fresh(label: str, breadth: int, *, critique: bool = False) -> None:
            # Each in a home of its own: judgements are remembered, and would make every run but the first cheaper.
            home = Path(folder) / f"{len(results)}"
            home.mkdir()
            results.append(await one(label, home, breadth=breadth, depth=2, critique=critique))

        for breadth in args.breadth:
            await fresh(f"breadth {breadth}, depth 2", breadth)
        if args.full:
            await fresh("breadth 4, depth 2, critique", 4, critique=True)
            await post("/__config", NONE)
            await fresh("no latency", 4)
            await post("/__config", {**WORLD, **MODEL})
    return results


def misses(results: list[dict[str, Any]]) -> list[str]:
    """Bars that were not met."""
    found: list[str] = []
    timed = [one for one in results if one["label"].startswith("breadth") and "critique" not in one["label"]]
    for result in timed:
        for name, holds in (
            ("completed", result["status"] == "completed"),
            ("wall ÷ critical path", result["ratio"] <= BARS["ratio"]),
            ("claims", result["verified"] >= BARS["claims"]),
            ("words", result["words"] >= BARS["words"]),
            ("repeated fetches", result["repeated"] == 0),
            ("citations fetched", result["citations"] == result["citations_fetched"] > 0),
            ("memory", result["memory"] <= BARS["memory"]),
        ):
            if not holds:
                found.append(f"{result['label']}: {name}")
        if result["label"] == "breadth 4, depth 2":
            found += [f"breadth 4: {name}" for name in ("wall", "tokens") if result[name] > BARS[name]]
    walls = {result["label"]: result["wall"] for result in timed}
    small, large = walls.get("breadth 2, depth 2"), walls.get("breadth 8, depth 2")
    if small and large and large / small > BARS["growth"]:
        found.append(f"growth from breadth 2 to 8: {large / small:.2f}")
    bare = [result["overhead"] for result in results if result["label"] == "no latency"]
    found += [f"overhead {seconds} s" for seconds in bare if seconds >= BARS["overhead"]]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=Path, metavar="DIR", default=Path(__file__).parents[2] / "shared" / "world")
    parser.add_argument("--breadth", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--quick", dest="full", action="store_false", help="the timed runs alone")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--chain", action="store_true", help="print each critical path")
    args = parser.parse_args()
    if not (args.world / "setup.sh").is_file():
        print(f"skipped: there is no world at {args.world}", file=sys.stderr)
        return 0
    subprocess.run([str(args.world / "setup.sh"), "--port", str(PORT)], check=True, stdout=sys.stderr)
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
