"""Servers killed at random, as bench/chaos.py does it, in small."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import postgres_server

BENCH = Path(__file__).parents[2] / "bench" / "chaos.py"


def chaos(*options: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(BENCH), "--runs", "24", "--every", "0.8", "--json", *options],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.interop
def test_of_runs_whose_servers_are_killed_none_is_lost_mixed_up_or_done_twice() -> None:
    seen = chaos()

    assert seen["kills"] >= 2
    assert (seen["runs"], seen["lost"], seen["swapped"], seen["repeated"]) == (24, 0, 0, 0)


@pytest.mark.interop
def test_nor_where_workers_are_killed_and_their_database_is_restarted() -> None:
    if postgres_server.programs() is None:
        pytest.skip(postgres_server.missing() or "no programs of PostgreSQL to start a server with")
    seen = chaos("--postgres")

    assert (seen["kills"] >= 2, seen["restarts"]) == (True, 1)
    assert (seen["runs"], seen["lost"], seen["swapped"], seen["repeated"]) == (24, 0, 0, 0)
