"""Run every measurement of bench/ that needs nothing but this checkout, and name the others: `make bench`.

A bar that is missed makes the exit code 1; the measurements after it still run.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

BY_THEMSELVES = ("house", "cold_start", "steps", "strangers", "chaos", "load")
"""Measurements that need no argument, no data and no network, the quick ones first."""

WITH_MORE = {
    "cuts": ("a folder of PDF filings", "--data DIR"),
    "world": ("a world: pages, a search engine and a model served on this machine", "--world DIR"),
    "crowd": ("a world", "--world DIR"),
    "pages": ("a world", "--world DIR"),
    "reach": ("a world, and a folder of plans and keys", "--data DIR"),
    "funnel": ("a stored run, and the key facts of its question", "--keys FILE"),
}
"""The others: what they need, and the option that names it."""

HELPERS = ("chaos_server", "critical_path", "answer_keys", "kept_line", "load_sides")
"""Modules that the measurements use."""


def main() -> int:
    """Run them all; the exit code."""
    missed: list[str] = []
    for name in BY_THEMSELVES:
        print(f"==> bench/{name}.py", flush=True)
        if subprocess.run([sys.executable, ROOT / "bench" / f"{name}.py"], check=False).returncode:  # noqa: S603 - our own measurements
            missed.append(name)
    print("==> not run, because they need more than this checkout:")
    for name, (needs, option) in WITH_MORE.items():
        print(f"    python bench/{name}.py {option}    needs {needs}")
    if missed:
        print(f"A bar was missed: {', '.join(missed)}.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
