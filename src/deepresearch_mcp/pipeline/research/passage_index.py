"""The pages of a run, cut into units that can be shown to a reader, with the words of each counted once."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.pipeline.research.unit_worth import worth_of
from deepresearch_mcp.pipeline.witnesses import are_copies
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.passages import PassageSpan, path_of, pieces, table_head
from deepresearch_mcp.text.ranking import TermCounts, term_counts
from deepresearch_mcp.text.sentences import sentences

UNIT = 1_200
"""Characters of a unit; half as many again keep a section, an entry or a table whole."""
_OVERLAP = 320
"""Characters in which the sentence or entry before a unit is looked for."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a page that is shown whole or not at all."""

    document: Document
    number: int
    """Its place among the units of the page."""
    start: int
    end: int
    begin: int
    """Where it begins if the unit before it is not shown: a sentence or entry earlier where it goes on from there."""
    heading: str
    """What names its subject: the headings and entries above it, and the head row of a table that was cut."""
    worth: float
    """The share of its score that it keeps; less than 1 for menus, lists of references, of changes and source code."""
    body: TermCounts
    """The words of its title, heading and text."""
    head: TermCounts
    """The words of its title and heading alone."""
    terms: int
    """A hash of the words that count of its text, equal for equal texts in this process."""


class PassageIndex:
    """The units of each page, made when they are first asked for. One index serves all readings of a run."""

    def __init__(self, size: int = UNIT) -> None:
        self._size = size
        self._units: dict[tuple[str, str], list[Unit]] = {}
        self._copies: dict[tuple[str, str], bool] = {}
        """Whether two pages are copies, by their ids."""

    def units(self, documents: Sequence[Document]) -> list[Unit]:
        """The units of some pages, in the order of the pages and on each in its own; nothing planted is in them."""
        return [unit for document in documents for unit in self._of(document)]

    def copies(self, units: Sequence[Unit]) -> Mapping[int, frozenset[int]]:
        """For units that stand word for word on copies of their page: where those stand among the units."""
        alike: defaultdict[int, list[int]] = defaultdict(list)
        for at, unit in enumerate(units):
            alike[unit.terms].append(at)
        found: defaultdict[int, set[int]] = defaultdict(set)
        for one, other in (pair for several in alike.values() for pair in combinations(several, 2)):
            if self._says_the_same(units[one], units[other]):
                found[one].add(other)
                found[other].add(one)
        return {at: frozenset(others) for at, others in found.items()}

    def _says_the_same(self, one: Unit, other: Unit) -> bool:
        key = (one.document.source_id, other.document.source_id)
        if key not in self._copies:
            self._copies[key] = are_copies(one.document, other.document)
        return self._copies[key] and _words(one) == _words(other)

    def _of(self, document: Document) -> list[Unit]:
        key = (document.source_id, document.snapshot)
        if key not in self._units:
            cut = [
                PassageSpan(one.start, one.end, path_of(one.heading, table_head(document.text, one.start)))
                for one in pieces(document.text, self._size)
            ]
            heads: dict[str, TermCounts] = {}
            spans = readable(document, cut)
            begins = [*(span.start for span in spans[:1]), *(_begin(document, *two) for two in pairwise(spans))]
            self._units[key] = [
                _unit(document, at, span, begin, heads)
                for at, (span, begin) in enumerate(zip(spans, begins, strict=True))
            ]
        return self._units[key]


def _words(unit: Unit) -> list[str]:
    return words(unit.document.text[unit.start : unit.end])


def _begin(document: Document, before: PassageSpan, span: PassageSpan) -> int:
    """Where a piece begins with the sentence or entry before it, which may name what it calls "this" or "it"."""
    text = document.text
    if before.heading != span.heading or text[before.end : span.start].strip() or text.startswith("|", span.start):
        return span.start
    low = max(before.start, span.start - _OVERLAP)
    last = sentences(text[low : before.end])[-1:]
    begin = low + last[0].start if last else span.start
    # A sentence that the window cut is no whole one.
    if begin == low > before.start:
        return span.start
    whole = readable(document, [PassageSpan(begin, span.end, "")])
    return begin if [(one.start, one.end) for one in whole] == [(begin, span.end)] else span.start


def _unit(document: Document, number: int, span: PassageSpan, begin: int, heads: dict[str, TermCounts]) -> Unit:
    if span.heading not in heads:
        heads[span.heading] = term_counts(f"{document.title} {span.heading}")
    head, text = heads[span.heading], document.text[span.start : span.end]
    body = Counter(term_counts(text))
    terms = hash(frozenset(body.items()))
    body.update(head)
    worth = worth_of(document.url, document.title, span.heading, text)
    return Unit(document, number, span.start, span.end, begin, span.heading, worth, body, head, terms)
