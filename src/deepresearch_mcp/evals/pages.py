"""Main text and dates of real web pages: WCXB, the article extraction benchmark, and sets with dates.

The pages themselves are copyrighted by their publishers and are read where they lie.
"""

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import trafilatura

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, common_f1, folder, json_file, json_lines
from deepresearch_mcp.web.charset import decode
from deepresearch_mcp.web.pages.html import parse_html
from deepresearch_mcp.web.parsed import Parsed

LIMIT = 2_000_000
"""Characters of text, as in the settings."""
_WORD = re.compile(r"\w+")
_TIMED = 4
"""Every so many pages the processor time is compared with trafilatura's."""


class _Read(NamedTuple):
    page: Parsed
    seconds: float
    theirs: float
    """Processor time of trafilatura's own extraction; 0 for pages that are not timed."""


async def wcxb(data: Path, lab: Lab) -> Result:
    """Main text of pages of seven kinds: F1 of words, mean over pages and for each kind, and the processor time.

    `cpu_ratio`: our time for a page, all in, to that of `trafilatura.extract`, on every fourth page.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    where = folder(data, FOLDERS["wcxb"])
    halves = [half for half in (where / "dev", where / "test", where) if half.is_dir()]
    half = next(half for half in halves if list(half.glob("ground-truth.jsonl*")))
    scores: dict[str, list[float]] = defaultdict(list)
    reads: list[_Read] = []
    for row in json_lines(half, "ground-truth.jsonl*"):
        read = _read(half / "html" / f"{row['id']}.html.gz", row["url"], lab, is_timed=len(reads) % _TIMED == 0)
        if read is None:
            continue
        reads.append(read)
        scores[row["page_type"]].append(_word_f1(read.page.get("text", ""), row["main_content"] or ""))
    every = [score for found in scores.values() for score in found]
    by_kind = {f"f1_{kind}": _mean(found) for kind, found in sorted(scores.items())}
    figures = {"f1": _mean(every), **by_kind, "cpu_ratio": _ratio(reads)}
    return Result("wcxb", len(every), figures)


async def aeb(data: Path, lab: Lab) -> Result:
    """Main text of news pages: F1 of means of precision and recall of runs of four words, and the processor time.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    where = folder(data, FOLDERS["aeb"])
    exact: list[float] = []
    found: list[float] = []
    reads: list[_Read] = []
    for name, row in json_file(where, "ground-truth.json*").items():
        read = _read(where / "html" / f"{name}.html.gz", row.get("url", ""), lab, is_timed=True)
        if read is None:
            continue
        reads.append(read)
        ours, gold = _runs(read.page.get("text", "")), _runs(row["articleBody"])
        common = sum((ours & gold).values())
        exact.append(common / max(1, sum(ours.values())))
        found.append(common / max(1, sum(gold.values())))
    precision, recall = _mean(exact), _mean(found)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Result("aeb", len(reads), {"f1": f1, "precision": precision, "recall": recall, "cpu_ratio": _ratio(reads)})


async def dates(data: Path, lab: Lab) -> Result:
    """Publication dates: share of pages with a known date whose date is found to the day, for each set.

    `wrong`: share of pages, of those with a known date, for which another day was found.

    Raises:
        InvalidRequest: The first set is missing or damaged. The others are left out if they are missing.
    """
    figures: dict[str, float] = {}
    whole = 0
    for name, rows in _dated(data):
        hits = wrong = size = 0
        for file, url, day in rows:
            read = _read(file, url, lab, is_timed=False)
            if read is None:
                continue
            size += 1
            given = read.page.get("published", "")
            hits += given == day
            wrong += bool(given) and given != day
        whole += size
        figures[name] = hits / max(1, size)
        figures[f"wrong_{name}"] = wrong / max(1, size)
    return Result("dates", whole, figures)


def _dated(data: Path) -> Iterator[tuple[str, list[tuple[Path, str, str]]]]:
    """Yield each set that is there: its name, and file, address and day of its pages with a known day."""
    where = folder(data, FOLDERS["dates"])
    rows = json_file(where, "ground-truth.json*")
    yield "mediacloud", [(where / row["file"], row["url"], row["date"]) for row in rows if _is_day(row["date"])]
    wcxb = data / FOLDERS["wcxb"]
    if half := next((half for half in (wcxb / "dev", wcxb / "test") if half.is_dir()), None):
        yield "wcxb", _of_days(half, "publish_date")
    if (where := data / "html_trafilatura").is_dir():
        yield "trafilatura", _of_days(where, "date")


def _of_days(where: Path, key: str) -> list[tuple[Path, str, str]]:
    rows = json_lines(where, "ground-truth.jsonl*")
    return [(where / "html" / f"{row['id']}.html.gz", row["url"], row[key]) for row in rows if _is_day(row[key])]


def _is_day(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None


def _read(file: Path, url: str, lab: Lab, *, is_timed: bool) -> _Read | None:
    """Read a page, as its parser process does; None if it is in the other half of the set."""
    if not file.is_file():
        return None
    text, _ = decode(gzip.decompress(file.read_bytes()), "")
    page, seconds = _timed(lambda: parse_html(text, url, LIMIT, lab.clock.today()))
    return _Read(page, seconds, _timed(lambda: trafilatura.extract(text))[1] if is_timed else 0.0)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begin = process_time()
    found = work()
    return found, process_time() - begin


def _ratio(reads: Sequence[_Read]) -> float:
    timed = [read for read in reads if read.theirs]
    return sum(read.seconds for read in timed) / (sum(read.theirs for read in timed) or 1.0)


def _word_f1(text: str, gold: str) -> float:
    return common_f1(Counter(_WORD.findall(text.lower())), Counter(_WORD.findall(gold.lower())))


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[at : at + 4]) for at in range(max(1, len(words) - 3)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
