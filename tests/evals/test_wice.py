import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.wice import measure
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.tasks import JudgeClaims

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())
ARTICLE = [
    "# The bridge at Varn",
    "The bridge at Varn was closed in 1999.",
    "A flood had moved its piers.",
    "Geese nest below the arches.",
]
CLAIMS = [
    {
        "claim": "The bridge at Varn was closed in 1999.",
        "evidence": ARTICLE,
        "label": "supported",
        "supporting_sentences": [[1], [0, 1]],
    },
    {
        "claim": "A flood moved the piers and killed three men.",
        "evidence": ARTICLE,
        "label": "partially_supported",
        "supporting_sentences": [[2, 3]],
    },
    {
        "claim": "Trains to Oslo cross daily.",
        "evidence": ARTICLE,
        "label": "not_supported",
        "supporting_sentences": [[]],
    },
]
TOKENS = [
    {
        "claim_tokens": ["Geese", "nest", "on", "roofs", "."],
        "non_supported_spans": [False, False, False, True, False],
        "evidence": ARTICLE,
    }
]


async def silent(task: JudgeClaims) -> Sequence[Judgement]:
    """As of a model whose answers never hold a judgement."""
    return ()


def lay(where: Path, half: str = "dev") -> Path:
    folder = where / "verify_wice"
    folder.mkdir()
    for name, rows in (("claim", CLAIMS), ("tokens", TOKENS)):
        lines = "\n".join(map(json.dumps, rows))
        (folder / f"{name}_{half}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return where


async def test_claims_are_ranked_gold_sentences_recalled_and_tokens_marked(tmp_path: Path) -> None:
    result = await measure(lay(tmp_path), LAB)

    assert (result.name, result.n) == ("wice", 3)
    # Of the second claim's two gold sentences one has no word of it; "on" is marked beside "roofs".
    assert result.figures == {"auroc": 1.0, "recall_at_5": 0.75, "token_f1": pytest.approx(2 / 3)}


async def test_another_half_of_the_set_is_read_as_well(tmp_path: Path) -> None:
    assert (await measure(lay(tmp_path, "heldout"), LAB)).n == 3


async def test_claims_that_got_no_judgement_are_told(tmp_path: Path) -> None:
    result = await measure(lay(tmp_path), Lab(Extractive(JudgeClaims.by(silent)), HandClock()))

    assert result.figures["auroc"] == 0.5
    assert "2 claims got no judgement" in result.notes[-1]


async def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="verify_wice"):
        await measure(tmp_path, LAB)


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_the_public_claims_are_told_apart_better_than_by_words_alone() -> None:
    figures = (await measure(DATA, LAB)).figures

    assert figures["auroc"] >= 0.80
    assert figures["recall_at_5"] >= 0.86
    assert figures["token_f1"] >= 0.52
