"""`robots`: is robots.txt read as the search engine that wrote the standard reads it?"""

import time
from pathlib import Path

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_file, json_lines
from deepresearch_mcp.web.fetching.robots import MOST_BYTES
from deepresearch_mcp.web.fetching.robots_rules import Rules, path_of

_PRODUCT = "deepresearch-server"
_PAGE = "/some/page?with=query"


async def measure(data: Path, lab: Lab) -> Result:
    """Decide every case of Google's own tests, and read the files of real sites.

    `right`, `accuracy`: number and share of cases decided as Google's parser decides them. `crashes`: number of real
    files that raise an exception. `slowest_ms`: processor time for the slowest real file, in milliseconds.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    del lab
    where = folder(data, FOLDERS["robots"])
    cases = json_file(where, "google_cases*.json*")
    notes: list[str] = []
    for case in cases:
        rules = Rules.parse(case["robots"].encode("utf-8", "surrogateescape"), case["agent"])
        path = path_of(case["url"])
        if rules.allow(path) != case["allowed"]:
            expected = "allowed" if case["allowed"] else "refused"
            decided = f"{len(rules.rules)} rules apply to {case['agent']}"
            notes.append(f"{case['test']}: {path[:60]} should be {expected}; {decided} of {case['robots'][:80]!r}")
    right = len(cases) - len(notes)
    crashes, slowest, files = 0, 0.0, 0
    for row in json_lines(where, "real_robots*.jsonl*"):
        files += 1
        began = time.thread_time()
        try:
            Rules.parse(row["latin1"].encode("latin-1")[:MOST_BYTES], _PRODUCT).allow(_PAGE)
        except Exception as error:  # noqa: BLE001 - what is measured is whether anything is raised
            crashes += 1
            notes.append(f"{row['host']}: {type(error).__name__}")
        slowest = max(slowest, time.thread_time() - began)
    figures = {
        "accuracy": right / max(1, len(cases)),
        "right": right,
        "crashes": crashes,
        "slowest_ms": 1_000 * slowest,
    }
    return Result("robots", len(cases), figures, [*notes, f"{files} files of real sites were read."])
