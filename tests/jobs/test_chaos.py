"""Servers killed at random, as bench/chaos.py does it, in small."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "chaos.py"


@pytest.mark.interop
def test_of_runs_whose_servers_are_killed_none_is_lost_mixed_up_or_done_twice() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCH), "--runs", "12", "--every", "0.8", "--json"],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.stdout, done.stderr
    seen = json.loads(done.stdout)

    assert seen["kills"] >= 2
    assert (seen["runs"], seen["lost"], seen["swapped"], seen["repeated"]) == (12, 0, 0, 0)
