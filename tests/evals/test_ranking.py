import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.ranking import chains, ndcg, vaswani
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

LAB = Lab(Extractive(), HandClock())


def test_the_gain_of_a_ranking_is_that_of_its_best_order() -> None:
    assert ndcg(["a", "b"], {"a": 1, "b": 1}) == 1.0
    assert ndcg(["x", "a"], {"a": 1}) == pytest.approx(0.6309, abs=0.001)
    assert ndcg(["x"] * 10 + ["a"], {"a": 1}) == 0.0
    assert ndcg(["a"], {}) == 0.0


def put(where: Path) -> None:
    where.mkdir()
    papers = [
        {"id": "a", "title": "Ice", "text": "It floats on water."},
        {"id": "b", "title": "Iron", "text": "It sinks."},
        {"id": "c", "title": "", "text": "Wood floats too."},
    ]
    (where / "corpus.jsonl").write_text("\n".join(map(json.dumps, papers)))
    asked = [{"id": "1", "text": "Why does ice float?"}, {"id": "2", "text": "not judged"}]
    (where / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)))
    (where / "qrels.tsv").write_text("1\ta\t1\n1\tb\t0\n1\tc\t1")


async def test_documents_are_ranked_by_the_librarys_own_search(tmp_path: Path) -> None:
    for name in ("ir_hotpot500", "ir_musique100", "ir_vaswani"):
        put(tmp_path / name)

    both, one = await chains(tmp_path, LAB), await vaswani(tmp_path, LAB)

    assert (both.n, one.n) == (2, 1)
    assert set(both.figures.values()) == {1.0}
    assert one.figures == {"ndcg_at_10": 1.0}
