import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.factcheck import measure
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.tasks import JudgeClaims

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())
PASSAGE = "The bridge at Varn was closed in 1999. A flood had moved its piers."
ROWS = [
    {"claim": "The bridge at Varn was closed in 1999.", "evidence": PASSAGE, "stance": "completely-support"},
    {"claim": "The bridge at Varn was closed by a flood in May.", "evidence": PASSAGE, "stance": "partially-support"},
    {"claim": "The bridge at Varn was opened in 2004.", "evidence": PASSAGE, "stance": "refute"},
    {"claim": "Geese fly south in autumn.", "evidence": PASSAGE, "stance": "irrelevant"},
]


async def silent(task: JudgeClaims) -> Sequence[Judgement]:
    """As of a model whose answers never hold a judgement."""
    return ()


def lay(where: Path) -> Path:
    folder = where / "verify_factcheckgpt"
    folder.mkdir()
    (folder / "stance.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode()))
    return where


async def test_complete_support_is_ranked_above_the_rest(tmp_path: Path) -> None:
    result = await measure(lay(tmp_path), LAB)

    assert (result.name, result.n, result.figures) == ("factcheck", 4, {"auroc": 1.0})
    assert "AUROC 1.000" in result.notes[0]


async def test_claims_that_got_no_judgement_are_told(tmp_path: Path) -> None:
    result = await measure(lay(tmp_path), Lab(Extractive(JudgeClaims.by(silent)), HandClock()))

    assert result.figures == {"auroc": 0.5}
    assert "4 claims got no judgement" in result.notes[-1]


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_the_public_claims_are_told_apart_better_than_by_words_alone() -> None:
    assert (await measure(DATA, LAB)).figures["auroc"] >= 0.74
