"""Two hundred callers poll, list and read reports over HTTP while fifty runs go on: how late, how much memory?

A server and two workers on a PostgreSQL database of their own (it has to be installed), all on this machine. Each
caller has a token and finished runs. About every four seconds it sends one request to our server and one to a bare
Starlette handler: both are under the same load at the same time, so a busy machine slows both. Fifty callers have a
run at work, and ask for another when it ends.

Prints one line, or with --json one object. Exit code 1 when a bar is missed: the 99th percentile of all answers is at
most five times the bare handler's, no error, and memory that is bounded and does not grow.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from deepresearch_mcp.jobs.naming import new_run_id
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.system_clock import SystemClock
from kept_line import Line

CALLERS, AT_WORK, FINISHED = 200, 50, 10
BARS = {"ratio_p99": 5.0, "errors": 0, "failed_runs": 0, "memory_mb": 400.0, "growth_mb": 60.0}
RUNS = "/research/runs"
QUESTION = "Why does ice float on water?"
_PAUSE = (2.0, 6.0)
"""Seconds between two requests of a caller, from and to."""
_WARM = 5.0
"""Seconds of load before anything is counted."""


@dataclass
class Seen:
    """What the callers saw."""

    times: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Kind of request → seconds."""
    errors: Counter[str] = field(default_factory=Counter[str])
    ended: Counter[str] = field(default_factory=Counter[str])
    """Status → runs that ended under the load."""
    late: list[float] = field(default_factory=list[float])
    """Seconds by which the callers' own process woke up late: so much of each time is not a server's."""

    def add(self, kind: str, seconds: float) -> None:
        """Count one answer."""
        self.times.setdefault(kind, []).append(seconds)

    def all_ours(self) -> list[float]:
        """Seconds of all answers of our server."""
        return [one for kind, times in self.times.items() if kind != "bare" for one in times]


@dataclass
class Caller:
    """One caller, with the runs that it may see."""

    number: int
    ours: Line
    bare: Line
    finished: list[str]
    at_work: str = ""

    async def begin(self, round_: int = 0) -> None:
        """Start a run."""
        order = {"question": f"{QUESTION} Asked by reader {self.number}, time {round_}.", "effort": "quick"}
        status, told = await self.ours.ask("POST", RUNS, json.dumps(order | {"fresh": True}).encode())
        assert status == 202, told
        self.at_work = json.loads(told)["run_id"]

    def wish(self) -> tuple[str, str]:
        """What it asks for next: kind and path."""
        run_id = self.at_work or random.choice(self.finished)
        return random.choice(
            [
                ("poll", f"{RUNS}/{run_id}"),
                ("poll", f"{RUNS}/{run_id}"),
                ("list", f"{RUNS}?limit=20"),
                ("report", f"{RUNS}/{random.choice(self.finished)}/report"),
            ]
        )

    async def live(self, seen: Seen, counted: float) -> None:
        """Ask until cancelled."""
        round_ = 0
        while True:
            await anyio.sleep(random.uniform(*_PAUSE))
            asked = [("bare", self.bare, "/"), (*self.wish(), self.ours)]
            for kind, one, other in random.sample(asked, 2):
                line, path = (one, other) if isinstance(one, Line) else (other, one)
                assert isinstance(line, Line)
                told = await self.timed(seen, counted, kind, line, str(path))
                if kind == "poll" and self.at_work and (status := _status(told)) in {"completed", "partial", "failed"}:
                    seen.ended[status] += 1
                    round_ += 1
                    await self.begin(round_)

    async def timed(self, seen: Seen, counted: float, kind: str, line: Line, path: str) -> bytes:
        """Ask once, and count how long it took."""
        began = time.perf_counter()
        try:
            status, told = await line.ask("GET", path)
        except (OSError, anyio.BrokenResourceError, anyio.EndOfStream, anyio.IncompleteRead) as error:
            seen.errors[f"{kind} {type(error).__name__}"] += 1
            await line.close()
            return b""
        if status != 200:
            seen.errors[f"{kind} {status}"] += 1
        if began >= counted:
            seen.add(kind, time.perf_counter() - began)
        return told


async def watch_oneself(seen: Seen) -> None:
    """Note how late this process wakes up, until cancelled."""
    while True:
        due = time.perf_counter() + 0.05
        await anyio.sleep(0.05)
        seen.late.append(time.perf_counter() - due)


def _status(told: bytes) -> str:
    try:
        return str(json.loads(told)["status"])
    except (ValueError, KeyError):
        return ""


async def prepared(store: Store, run_json: str, report: str) -> list[tuple[str, list[str]]]:
    """Tokens of all callers, each with finished runs."""
    now, made = time.time(), list[tuple[str, list[str]]]()
    old = json.loads(run_json)["run_id"]
    for number in range(CALLERS):
        token, row = await store.tokens.create(f"reader {number}", ("runs:read", "runs:write"), now)
        names = [new_run_id() for _ in range(FINISHED)]
        for name in names:
            await store.runs.create(name, row.caller, ResearchRequest(question=QUESTION), name, now)
            await store.reports.write(name, report, run_json.replace(old, name))
            await store.runs.move(name, now, status="completed")
        made.append((token, names))
    return made


async def load(url: str, address: str, bare: str, pid: int, seconds: float) -> dict[str, Any]:
    """All callers at once; what they saw."""
    from deepresearch_mcp.store.postgres.opening import open_postgres_store

    with tempfile.TemporaryDirectory() as folder:
        async with open_postgres_store(url, Path(folder), SystemClock()) as store:
            run_json, report = await first_report(store, address)
            known = await prepared(store, run_json, report)
    callers = [
        Caller(number, Line(address, token), Line(bare), finished) for number, (token, finished) in enumerate(known)
    ]
    for caller in callers[:AT_WORK]:
        await caller.begin()
    seen, memory = Seen(), [resident(pid)]
    print(f"{len(callers)} callers begin", file=sys.stderr, flush=True)
    async with anyio.create_task_group() as tasks:
        counted = time.perf_counter() + _WARM
        for caller in callers:
            tasks.start_soon(caller.live, seen, counted)
        await anyio.sleep(_WARM)
        tasks.start_soon(watch_oneself, seen)
        used = processor(pid), processor()
        for _ in range(20):
            memory.append(resident(pid))
            await anyio.sleep(seconds / 20)
        used = processor(pid) - used[0], processor() - used[1]
        tasks.cancel_scope.cancel()
    cpu = {
        "server_cpu_ms_a_request": round(1000 * used[0] / len(seen.all_ours()), 2),
        "callers_cpu": round(used[1] / seconds, 2),
        "callers_late_p99_ms": part(seen.late, 0.99),
    }
    return result(seen, memory, seconds) | cpu


async def first_report(store: Store, address: str) -> tuple[str, str]:
    """The run object and the report of one real run: what all callers read."""
    token, row = await store.tokens.create("first", ("runs:read", "runs:write"), time.time())
    caller = Caller(CALLERS, Line(address, token), Line(address), [])
    await caller.begin()
    path = f"{RUNS}/{caller.at_work}"
    while _status((await caller.ours.ask("GET", f"{path}?wait_seconds=30"))[1]) not in {"completed", "partial"}:
        pass
    whole = (await store.reports.read(caller.at_work, "report.json")) or ""
    assert row.caller
    return whole, (await caller.ours.ask("GET", f"{path}/report"))[1].decode()


def result(seen: Seen, memory: list[float], seconds: float) -> dict[str, Any]:
    """Figures of one load."""
    bare = part(seen.times["bare"], 0.99)
    return {
        "requests": len(seen.all_ours()),
        "a_second": round(len(seen.all_ours()) / seconds),
        "bare_p50_ms": part(seen.times["bare"], 0.5),
        "bare_p99_ms": bare,
        "p50_ms": part(seen.all_ours(), 0.5),
        "p99_ms": part(seen.all_ours(), 0.99),
        **{f"{kind}_p99_ms": part(seen.times[kind], 0.99) for kind in ("poll", "list", "report")},
        "ratio_p99": round(part(seen.all_ours(), 0.99) / bare, 2),
        "ratio_p50": round(part(seen.all_ours(), 0.5) / part(seen.times["bare"], 0.5), 2),
        "errors": sum(seen.errors.values()),
        **({"which": dict(seen.errors)} if seen.errors else {}),
        "runs_ended": sum(seen.ended.values()),
        "failed_runs": seen.ended["failed"],
        "memory_mb": round(max(memory)),
        "growth_mb": round(memory[-1] - memory[1]),
    }


def part(seconds: list[float], share: float) -> float:
    """A percentile in milliseconds."""
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def resident(pid: int) -> float:
    """MB that a process holds."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024


def processor(pid: int | None = None) -> float:
    """Seconds of processor that a process has used so far; this one by default."""
    fields = Path(f"/proc/{pid or 'self'}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def side(name: str) -> Generator[str]:
    """The address of one of `load_sides`."""
    command = [sys.executable, str(Path(__file__).parent / "load_sides.py"), name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.kill()


def main() -> int:
    """Start everything, load it, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from postgres_server import missing, own_server
    from served import bare_env
    from team import team

    if why := missing():
        print(f"skipped: {why}", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory() as folder, own_server() as database, side("bare") as bare, side("web") as web:
        env = bare_env(Path(folder)) | {
            "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
            "SEARXNG_URL": web,
            "DEEPRESEARCH_WEB__ALLOW_PRIVATE": web.removeprefix("http://"),
            "DEEPRESEARCH_WEB__CACHE_SECONDS": "0",
        }
        with team(env, database.url, Path(folder), servers=1, workers=2, runs=AT_WORK // 2) as started:
            server = started.servers[0]
            told = anyio.run(load, database.url, server.address, bare, server.process.pid, args.seconds)
    over = [name for name, bar in BARS.items() if told[name] > bar]
    print(json.dumps(told) if args.json else "  ".join(f"{name} {value}" for name, value in told.items()))
    if over:
        print(f"missed: {', '.join(over)}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
