import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.citations import measure
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

LAB = Lab(Extractive(), HandClock())
DATA = Path(__file__).parents[2].parent / "shared" / "data"

ARTICLE = """# Ice

Ice floats on water [1][2]. Lakes freeze from above [9]. Snow ![ice](https://a.example/p.png) is [white](https://c.example).

Nothing is cited here at all.

## Sources
[1] Ice: https://a.example
2. [Water](https://b.example)
3. [Steam](https://d.example)
"""


async def test_plain_marks_are_held_against_the_parser(tmp_path: Path) -> None:
    where = tmp_path / "reports_drb"
    where.mkdir()
    row = {"system": "one", "id": 5, "article": ARTICLE}
    lost = {"system": "two", "id": 6, "article": "Ice floats [1] well.\n\n```\n[1] https://a.example\n```\n"}
    (where / "reports.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps(lost)}\n")

    result = await measure(tmp_path, LAB)

    assert (result.name, result.n) == ("citations", 2)
    assert result.figures["marks"] == 5
    assert result.figures["resolved"] == 3 / 5
    assert result.figures["dangling"] == 1 / 5
    assert result.figures["missed"] == 1 / 5
    assert result.figures["unused"] == 1 / 3
    assert result.figures["uncited"] == 1 / 5
    assert result.figures["built"] == 1
    assert "Missed 1 in two 6." in result.notes


@pytest.mark.skipif(not (DATA / "reports_drb").is_dir(), reason="the public sets are not here")
async def test_real_reports_of_four_systems_are_read_as_their_writers_meant_them() -> None:
    result = await measure(DATA, LAB)

    assert result.n >= 90
    assert result.figures["missed"] <= 0.002
    assert result.figures["built"] == 1
