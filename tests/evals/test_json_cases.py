import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.json_cases import measure
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.registry import missed
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())


async def test_accuracy_is_the_share_read_as_expected_and_nothing_is_expected_of_prose(tmp_path):
    (tmp_path / "json_repair").mkdir()
    cases = [
        {"input": '{"a": 1', "expected": {"a": 1}},
        {"input": "no JSON here", "expected": ""},
        {"input": "[1, 2]", "expected": [2, 1]},
        {"input": "{}", "expected": {}},
    ]
    (tmp_path / "json_repair" / "cases.json").write_text(json.dumps(cases))

    result = await measure(tmp_path, LAB)

    assert (result.n, result.figures) == (4, {"accuracy": 0.75})
    assert result.notes == ["Read otherwise: '[1, 2]'"]


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_all_public_cases_are_read_as_their_collectors_read_them():
    assert missed(await measure(DATA, LAB)) == []
