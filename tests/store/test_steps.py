"""What a step costs and whether processes hinder each other, as bench/steps.py measures it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "steps.py"


def steps(*options: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, str(BENCH), "--json", *options], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_processes_that_write_one_file_at_once_find_it_never_locked_and_lose_no_step() -> None:
    _, seen = steps("--processes", "3", "--runs", "3", "--steps", "10")

    assert (seen["locked"], seen["lost"], seen["steps"]) == (0, 0, 90)


@pytest.mark.interop
def test_eight_processes_find_the_file_never_locked_and_a_step_takes_about_what_it_should() -> None:
    _, seen = steps()

    assert (seen["locked"], seen["lost"]) == (0, 0)
    assert seen["wall_s"] <= 30.0
    # Twice the bar of the bench, which is for a quiet machine: here other tests share the processor.
    assert seen["cpu_ms_per_step"] <= 2.0
