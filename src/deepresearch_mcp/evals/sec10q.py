"""`sec10q`: does a report over a library of filings cite the right filings, and hold the figures of the answer?"""

import re
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from typing_extensions import override

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_lines
from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.search.engines.local import Local
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.text.library_urls import library_url, split_library_url
from deepresearch_mcp.web.library.files import folder_source
from deepresearch_mcp.web.library.indexing import index
from deepresearch_mcp.web.parsing import Parsers

_COLLECTION = "filings"
_LONGEST = 90.0
"""Seconds for reading one filing; the largest takes thirty with pypdf on a slow machine."""
_EFFORT = "quick"
_DECIMALS = 3
_WORST = 5
"""Questions with the fewest figures found that are listed in the notes."""
_NOT_PROSE = frozenset({"References", "What could not be established", "Next steps"})
"""Sections that repeat the question or tell of the sources."""
_SOURCES = re.compile(r"\(?\"?SOURCE.*|\S*\d{4} Q\d [A-Z]+\b(?:\.pdf)?")
"""Where an answer names its files."""
_ITEM = re.compile(r"^ *\d{1,2}[.)] ", re.MULTILINE)
_FIGURE = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w,]*\d|-?[A-Za-z])")
"""A number of its own: none within a name (`10-Q`, `Q3`)."""


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    files: frozenset[str]
    """Names of the filings that hold the answer, without `.pdf`."""
    figures: frozenset[str]
    """The answer's, without those that the question has itself."""


async def measure(data: Path, lab: Lab) -> Result:
    """Ask every question of the library of the filings, without the web.

    `gold_documents`: share of the filings named by the answer that the report cites, mean over the questions.
    `gold_numbers`: share of the answer's numbers that stand in the report's text, mean over the questions with any;
    numbers of the question do not count. Some were computed for the answer and stand in no filing: `in_filings` is
    the share that stands in one of the filings that the answer names, and so the most that quoting can reach.
    `documents_cited`: filings that a report cites, on average.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    where = folder(data, FOLDERS["sec10q"])
    asked = [_question(row) for row in json_lines(where, "qna.jsonl*")]
    with tempfile.TemporaryDirectory() as place:
        async with open_sqlite_store(Path(place), lab.clock) as store:
            collections = store.collections.of(LOCAL_CALLER)
            await fill(where / "docs", collections, lab.clock)
            web = _Library(collections)
            runs = [await _answered(one.text, collections, web, lab) for one in asked]
            texts = {name: figures(await _text(name, collections)) for one in asked for name in one.files}
    documents = [_share(one.files, cited(run)) for one, run in zip(asked, runs, strict=True)]
    numbered = [(one, run) for one, run in zip(asked, runs, strict=True) if one.figures]
    shares = [_share(one.figures, figures(prose(run))) for one, run in numbered]
    reachable = [
        _share(one.figures, frozenset[str]().union(*(texts[name] for name in one.files))) for one, _ in numbered
    ]
    worst = sorted(zip(shares, (one.text for one, _ in numbered), strict=True))[:_WORST]
    return Result(
        "sec10q",
        len(asked),
        {
            "gold_documents": _mean(documents),
            "gold_numbers": _mean(shares),
            "in_filings": _mean(reachable),
            "documents_cited": _mean([len(cited(run)) for run in runs]),
        },
        [f"{len(numbered)} answers have numbers.", *(f"Fewest numbers ({share:.2f}): {text}" for share, text in worst)],
    )


async def fill(place: Path, collections: Collections, clock: Clock) -> None:
    """Add the filings to the collection.

    Raises:
        InvalidRequest: There is none, or one cannot be read.
    """
    async with Parsers(WebSettings(parse_timeout=_LONGEST), clock) as parsers:
        report = await index(_COLLECTION, [folder_source(place, parsers, clock)], collections, clock)
    if report.failed:
        path, reason = report.failed[0]
        raise InvalidRequest(f"The filing {path} cannot be read ({reason}).", "Download the whole set again.")


def figures(text: str) -> frozenset[str]:
    """The different numbers of a text, without separators of thousands.

    One with three decimals is told in the next smaller unit: `$3.870 billion` is 3,870 in a table in millions.
    """
    return frozenset(_plain(one.replace(",", "")) for one in _FIGURE.findall(text))


def _plain(number: str) -> str:
    whole, _, decimals = number.partition(".")
    return (whole + decimals).lstrip("0") or "0" if len(decimals) == _DECIMALS else number


def cited(run: Run) -> frozenset[str]:
    """Names of the filings that a report cites."""
    places = (split_library_url(citation.url) for citation in run.citations)
    return frozenset(PurePosixPath(place[1]).stem for place in places if place)


def prose(run: Run) -> str:
    """What a report says, without its list of sources and without what it says of itself."""
    return "\n\n".join([run.answer, *(one.markdown for one in run.sections if one.heading not in _NOT_PROSE)])


def _question(row: dict[str, str]) -> _Asked:
    said = _ITEM.sub("", _SOURCES.sub("", row["Answer"]))
    return _Asked(row["Question"], frozenset(row["gold_docs"]), figures(said) - figures(row["Question"]))


async def _answered(question: str, collections: Collections, web: Web, lab: Lab) -> Run:
    request = ResearchRequest(question=question, collections=(_COLLECTION,), web=False, effort=_EFFORT)
    return await lab.research(request, [Local(collections)], web)


async def _text(name: str, collections: Collections) -> str:
    document = await collections.document(library_url(_COLLECTION, f"{name}.pdf"))
    return document.text if document else ""


class _Library(Web):
    """The documents of a library, and no other."""

    def __init__(self, collections: Collections) -> None:
        self._collections = collections

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        del needs
        document = await self._collections.document(url)
        if document is None:
            raise FetchFailed(url, "not_found", "The library has no document at this address.")
        return document


def _share(wanted: Collection[str], found: Collection[str]) -> float:
    return sum(one in found for one in wanted) / len(wanted) if wanted else 1.0


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
