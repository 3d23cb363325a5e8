import gzip
import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.quotes import measure
from deepresearch_mcp.evals.registry import missed
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())

ROWS = [
    {
        "sources": [
            {"n": 1, "text": "The tower of Halden was finished in 1907 and is 42 metres high, said the guide."},
            {"n": 2, "text": "Halden lies by the sea. Many Visitors come to Bergen instead."},
        ],
        "quotes": [
            [1, "finished in 1907 and is 42 metres high"],
            [2, "words that nobody wrote"],
            [3, "no such source"],
        ],
    }
]


async def measured(tmp_path: Path, rows: list[dict[str, object]]) -> Result:
    where = tmp_path / "quotes_quotesum"
    where.mkdir()
    (where / "kept.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return await measure(tmp_path, LAB)


async def test_shares_are_of_all_quotes_and_copies_are_made_of_the_located_ones(tmp_path):
    result = await measured(tmp_path, ROWS)

    assert (result.name, result.n) == ("quotes", 3)
    assert result.figures == {"located": pytest.approx(1 / 3), "restyled": 1.0, "false_accepts": 0}


async def test_words_that_really_stand_in_the_other_source_too_are_no_false_accept(tmp_path):
    rows = [
        {
            "sources": [{"n": 1, "text": "the old town"}, {"n": 2, "text": "The “old town”."}],
            "quotes": [[1, "the old town"]],
        }
    ]

    assert (await measured(tmp_path, rows)).figures["false_accepts"] == 0


async def test_an_empty_set_divides_nothing_by_nothing(tmp_path):
    assert (await measured(tmp_path, [])).figures == {"located": 0.0, "restyled": 0.0, "false_accepts": 0}


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_the_public_quotes_are_found_and_no_falsified_copy_is():
    result = await measure(DATA, LAB)

    assert missed(result) == []
    assert result.n > 500
