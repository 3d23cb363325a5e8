"""`make bench`: each file of bench/ is run, or named with what it needs."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_SPEC = importlib.util.spec_from_file_location("bench_tool", ROOT / "tools" / "bench.py")
assert _SPEC is not None
assert _SPEC.loader is not None
bench = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(bench)


def test_each_measurement_is_run_or_named_with_what_it_needs() -> None:
    named = Counter([*bench.BY_THEMSELVES, *bench.WITH_MORE, *bench.HELPERS])

    assert named == Counter(file.stem for file in (ROOT / "bench").glob("*.py"))


@pytest.mark.parametrize("name", [*bench.BY_THEMSELVES, *bench.WITH_MORE])
def test_each_measurement_knows_the_option_that_it_is_named_with(name: str) -> None:
    command = [sys.executable, ROOT / "bench" / f"{name}.py", "--help"]
    help_text = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "usage:" in help_text
    if name in bench.WITH_MORE:
        assert bench.WITH_MORE[name][1] in help_text
