import gzip
import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.pages import aeb, dates, wcxb
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

LAB = Lab(Extractive(), HandClock())
TEXT = " ".join(f"Ice number {at} floats, because water expands when it freezes." for at in range(30))
PAGE = f"<html><head><meta name='date' content='2020-05-01'></head><body><article><p>{TEXT}</p></article></body></html>"


def written(where: Path, name: str) -> None:
    (where / "html").mkdir(parents=True)
    (where / "html" / name).write_bytes(gzip.compress(PAGE.encode()))


async def test_main_text_is_compared_by_words_for_each_kind_of_page(tmp_path: Path) -> None:
    where = tmp_path / "html_wcxb" / "dev"
    written(where, "1.html.gz")
    row = {
        "id": "1",
        "url": "https://a.example/",
        "page_type": "article",
        "main_content": TEXT,
        "publish_date": "2020-05-02",
    }
    (where / "ground-truth.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))

    result = await wcxb(tmp_path, LAB)

    assert (result.n, result.figures["f1"], result.figures["f1_article"]) == (1, 1.0, 1.0)
    assert result.figures["cpu_ratio"] > 0


async def test_news_are_compared_by_runs_of_words(tmp_path: Path) -> None:
    where = tmp_path / "html_aeb"
    written(where, "a.html.gz")
    truth = {"a": {"articleBody": TEXT, "url": "https://a.example/"}, "other half": {"articleBody": "x", "url": ""}}
    (where / "ground-truth.json").write_text(json.dumps(truth))

    result = await aeb(tmp_path, LAB)

    assert (result.n, result.figures["f1"]) == (1, 1.0)


async def test_dates_are_counted_to_the_day(tmp_path: Path) -> None:
    where = tmp_path / "date_mediacloud"
    written(where, "a.html.gz")
    rows = [{"file": "html/a.html.gz", "url": "", "date": day} for day in ("2020-05-01", "2020-05-02", None)]
    (where / "ground-truth.json").write_text(json.dumps(rows))

    result = await dates(tmp_path, LAB)

    assert result.figures == {"mediacloud": 0.5, "wrong_mediacloud": 0.5}


async def test_a_set_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="html_aeb"):
        await aeb(tmp_path, LAB)
