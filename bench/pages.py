"""Pages: how fast are pages of the local world read, against trafilatura alone, and does memory stay flat?

`--pages` of the world's pages are fetched over loopback by the whole reader (guard, robots.txt, throttle, parser
processes, store), with no latency and no limit a host. In turns with it, one process runs `trafilatura.extract` on
every fifth of the same pages, already in its memory. `ratio` is our pages a second to its pages a second times the
cores; the world's server shares these cores. `cpu` is trafilatura's processor time for a page to ours and the server's
together: what `ratio` comes to where nothing waits and nobody else uses the cores. `growth` is the memory of all our
processes in the last third of the run to that of the middle third. Exit code 1 when a bar is missed.
"""

import argparse
import json
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time
from typing import Any

import anyio
import httpx2

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.runtime import Runtime, open_runtime
from deepresearch_mcp.settings.schema import Settings
from world import HOSTS, NONE, WORLD, World, memory, processes

BARS = {"ratio": 0.65, "growth": 1.1}
ROUNDS = 6
AT_ONCE = 12
"""Pages that are asked for at a time: enough that no parser process waits for one."""
_EVERY = 5
_TICKS = os.sysconf("SC_CLK_TCK")


def settings(home: Path, port: int, workers: int) -> Settings:
    """Everything on loopback, and no host spared."""
    return Settings.model_validate(
        {
            "home": home,
            "web": {
                "allow_private": [f"{host}:{port}" for host in HOSTS],
                "ports": [80, 443, port],
                "host_rate": 10_000,
                "host_burst": 10_000,
                "host_concurrency": 50,
                "workers": workers,
            },
        }
    )


def addresses(index: Path, port: int, most: int) -> list[str]:
    """Pages of all sites of the world, spread evenly, the same ones each time."""
    with sqlite3.connect(f"file:{index}?mode=ro", uri=True) as rows:
        found = [f"http://{ip}:{port}{path}" for ip, path in rows.execute("select ip, path from pages order by id")]
    step = max(1.0, len(found) / most)
    # Neighbours belong to one site: in turns, every round has pages of all.
    chosen = [found[int(at * step)] for at in range(min(most, len(found)))]
    return [url for first in range(ROUNDS) for url in chosen[first::ROUNDS]]


def theirs(urls: Sequence[str]) -> tuple[float, float]:
    """Seconds and processor seconds a page of trafilatura, in this process alone."""
    import trafilatura

    pages = [httpx2.get(url).text for url in urls]
    trafilatura.extract(pages[0])
    began, used = perf_counter(), process_time()
    for page in pages:
        trafilatura.extract(page)
    return (perf_counter() - began) / len(pages), (process_time() - used) / len(pages)


def compared(urls: Sequence[str]) -> tuple[float, float]:
    """`theirs`, in a process that ends with it."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as one:
        return one.submit(theirs, urls).result()


def cpu(pids: Sequence[int]) -> float:
    """Processor seconds that running processes have used."""
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / _TICKS


async def read(urls: Sequence[str], runtime: Runtime) -> tuple[float, Counter[str], list[float]]:
    """Seconds for all pages, reasons for those that could not be read, and memory in between."""
    room = anyio.CapacityLimiter(AT_ONCE)
    failed: Counter[str] = Counter()
    sizes: list[float] = []

    async def one(number: int, url: str) -> None:
        async with room:
            try:
                await runtime.web.fetch(url)
            except FetchFailed as error:
                failed[error.reason] += 1
        if number % 50 == 0:
            sizes.append(await anyio.to_thread.run_sync(memory))

    began = runtime.clock.monotonic()
    async with anyio.create_task_group() as tasks:
        for number, url in enumerate(urls):
            tasks.start_soon(one, number, url)
    return runtime.clock.monotonic() - began, failed, sizes


async def measure(urls: Sequence[str], server: int, port: int, cores: int) -> dict[str, Any]:
    await World(port).post("/__config", {**WORLD, **NONE, "page_ms": 0.0})
    rows: list[tuple[float, float, float, float]] = []
    failed: Counter[str] = Counter()
    sizes: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        async with open_runtime(settings(Path(home), port, cores)) as runtime:
            await read(urls[:1], runtime)
            for first in range(ROUNDS):
                part = urls[first * len(urls) // ROUNDS : (first + 1) * len(urls) // ROUNDS]
                single, single_cpu = await anyio.to_thread.run_sync(compared, part[::_EVERY])
                before = cpu([*processes(), server])
                seconds, reasons, taken = await read(part, runtime)
                used = cpu([*processes(), server]) - before
                rows.append((seconds / len(part), used / len(part), single, single_cpu))
                failed += reasons
                sizes += taken
    ours, our_cpu, single, single_cpu = (mean(column) for column in zip(*rows, strict=True))
    third = len(sizes) // 3
    return {
        "pages": len(urls),
        "failed": dict(failed),
        "pages_per_second": round(1 / ours, 1),
        "trafilatura_per_second": round(1 / single, 1),
        "cores": cores,
        "ratio": round(single / cores / ours, 3),
        "by_round": [round(row[2] / cores / row[0], 2) for row in rows],
        "cpu": round(single_cpu / our_cpu, 3),
        "memory": round(max(sizes)),
        "growth": round(mean(sizes[-third:]) / mean(sizes[third:-third]), 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=Path, metavar="DIR", default=Path(__file__).parents[2] / "shared" / "world")
    parser.add_argument("--port", type=int, default=8900, help="of the world")
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not (args.world / "setup.sh").is_file():
        print(f"skipped: there is no world at {args.world}", file=sys.stderr)
        return 0
    subprocess.run([str(args.world / "setup.sh"), "--port", str(args.port)], check=True, stdout=sys.stderr)
    home = Path(os.environ.get("WORLD_HOME") or Path.home() / ".cache" / "research-world")
    urls = addresses(home / "sites.sqlite", args.port, args.pages)
    server = int((home / "world.pid").read_text())
    whole = anyio.run(measure, urls, server, args.port, len(os.sched_getaffinity(0)))
    missed = [name for name, bar in BARS.items() if (whole[name] < bar if name == "ratio" else whole[name] > bar)]
    if args.json:
        print(json.dumps({**whole, "missed": missed}))
    else:
        print("  ".join(f"{name} {value}" for name, value in whole.items()))
        print("all bars met" if not missed else "missed: " + "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
