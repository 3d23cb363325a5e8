import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.registry import missed
from deepresearch_mcp.evals.robots import measure
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())


async def test_a_case_decided_otherwise_is_counted_and_explained(tmp_path):
    where = tmp_path / "robots"
    where.mkdir()
    case = {"test": "T", "robots": "user-agent: *\ndisallow: /x\n", "agent": "Foo", "url": "https://a.example/x/y"}
    (where / "google_cases.json").write_text(json.dumps([case | {"allowed": False}, case | {"allowed": True}]))
    (where / "real_robots.jsonl").write_text(json.dumps({"host": "a.example", "latin1": "\x00\xff:\n"}) + "\n")

    result = await measure(tmp_path, LAB)

    assert (result.figures["right"], result.figures["accuracy"], result.figures["crashes"]) == (1, 0.5, 0)
    assert result.notes[0].startswith("T: /x/y should be allowed; 1 rules apply to Foo")


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_the_cases_of_the_standards_authors_are_decided_as_they_do():
    assert missed(await measure(DATA, LAB)) == []
