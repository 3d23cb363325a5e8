import gzip
import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.neardup import measure
from deepresearch_mcp.evals.registry import missed
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())


async def test_copies_are_recalled_and_different_pages_counted_when_merged(tmp_path):
    where = tmp_path / "neardup"
    where.mkdir()
    long = " ".join(f"word{number}" for number in range(60))
    texts = {"a": long, "b": f"{long} and a little more", "c": "something else entirely, of six words", "d": long}
    (where / "texts.json.gz").write_bytes(gzip.compress(json.dumps(texts).encode()))
    pairs = [
        {"kind": "near", "a": "a", "b": "b"},
        {"kind": "identical", "a": "a", "b": "c"},
        {"kind": "different", "a": "a", "b": "d"},
        {"kind": "different", "a": "a", "b": "c"},
        {"kind": "revised", "a": "a", "b": "c"},
        {"kind": "near", "a": "a", "b": "of the other half"},
    ]
    (where / "pairs.json").write_text(json.dumps(pairs))

    result = await measure(tmp_path, LAB)

    assert (result.n, result.figures) == (4, {"recall": 0.5, "false_merges": 1})


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_the_public_pairs_are_told_apart():
    assert missed(await measure(DATA, LAB)) == []
