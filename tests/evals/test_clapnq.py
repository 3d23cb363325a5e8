import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.clapnq import measure
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.exceptions import InvalidRequest, UnreadableAnswer
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import ClaimDraft, Reading
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pipeline_fakes import ScriptedThinker

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
BRIDGE = [
    "Varn is a town on the river Oll .",
    "The bridge at Varn was closed in 1999 because a flood had moved its piers .",
    "Geese rest on the meadows in autumn .",
    "Bread is baked there on Fridays by everybody .",
    "A railway line runs past it .",
]
ASKED = "why was the bridge at varn closed"
ROWS: list[dict[str, Any]] = [
    {"id": "1", "question": ASKED, "answerable": 1, "selected": [[BRIDGE[3]], [BRIDGE[1]]]},
    {"id": "2", "question": "who wrote the opera of the drowned bell", "answerable": 0, "selected": []},
]


def lay(where: Path, rows: Sequence[dict[str, Any]] = ROWS) -> Path:
    folder = where / "extract_clapnq"
    folder.mkdir()
    whole = [{"title": "Varn", "sentences": BRIDGE, **row} for row in rows]
    (folder / "half.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, whole)).encode()))
    return where


def reading(*quotes: str, name: str = "1") -> Reading:
    return Reading(claims=tuple(ClaimDraft(text=quote, quote=quote, passage_id=f"{name}:0") for quote in quotes))


async def test_the_engine_is_measured_by_its_three_best_sentences_and_the_kindest_annotator(tmp_path: Path) -> None:
    result = await measure(lay(tmp_path), Lab(Extractive(), HandClock()))

    # One of three is right, and one is all that this annotator chose: precision a third, recall one.
    assert result.name == "clapnq"
    assert result.n == 2
    assert result.figures == {"f1": pytest.approx(0.5), "auroc": 1.0, "withheld": 1.0, "lost": 0.0}
    assert result.notes == ()


async def test_a_model_is_measured_by_the_sentences_that_its_quotes_stand_in(tmp_path: Path) -> None:
    def read(brief: Brief, part: SubQuestion, passages: Sequence[Passage], limit: int, step: Step) -> Reading:
        assert passages[0].heading == "Varn"
        assert limit == 3
        return reading("closed in 1999 because a flood") if part.text == ASKED else reading()

    thinker = ScriptedThinker(read=read)

    result = await measure(lay(tmp_path), Lab(thinker, HandClock()))

    assert result.figures == {"f1": 1.0, "auroc": 1.0, "withheld": 1.0, "lost": 0.0}


async def test_a_quote_that_stands_nowhere_chooses_nothing(tmp_path: Path) -> None:
    thinker = ScriptedThinker(read=reading("The bridge at Varn was closed in 2004 by the mayor"))

    result = await measure(lay(tmp_path), Lab(thinker, HandClock()))

    assert result.figures == {"f1": 0.0, "auroc": 0.5, "withheld": 1.0, "lost": 1.0}
    assert result.notes == (f"No sentence found: {ASKED}",)


async def test_an_answer_that_cannot_be_read_counts_as_nothing_found_and_is_told(tmp_path: Path) -> None:
    thinker = ScriptedThinker(read=UnreadableAnswer("scripted", "no object"))

    result = await measure(lay(tmp_path), Lab(thinker, HandClock()))

    assert result.figures == {"f1": 0.0, "auroc": 0.5, "withheld": 1.0, "lost": 1.0}
    assert "could not be read, counted as nothing found: 2." in result.notes[-1]


async def test_a_set_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest):
        await measure(tmp_path, Lab(Extractive(), HandClock()))


@pytest.mark.skipif(not (DATA / "extract_clapnq").exists(), reason="the public data set ClapNQ is not here")
async def test_the_engine_holds_its_figures_on_the_public_set() -> None:
    result = await measure(DATA, Lab(Extractive(), HandClock()))

    assert result.figures["f1"] >= 0.64
    assert result.figures["auroc"] >= 0.82
