"""Choose which passages of a run's pages are read."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import anyio.to_thread

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.pipeline.research.passage_index import PassageIndex, Unit
from deepresearch_mcp.records.sources import Document, Passage, Stretch
from deepresearch_mcp.text.passages import PassageSpan, headings_of, path_of
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.tokens import estimate

_LONG = 50_000
"""Characters from which passages are ranked in a thread."""
_HEADING = 0.3
"""Weight of the words of title and headings, which count as words of the text already."""
_STANDING = 1.0
"""How much the page's place among the hits of all queries adds, at most, as a share."""
_NEIGHBOUR = 0.2
"""Weight of the better one of its neighbours on the page: an answer often goes on beyond a unit."""
_SPREAD = 0.35
"""How much it counts that a unit holds many words of an ask, and not one of them often: an exponent."""
_FLOOR = 0.25
"""Share of the best score for an ask below which nothing is shown for it."""
_LEAST_SHARE = 0.25
"""Share of the rarity of an ask's words that a unit holds at least."""
_ONE_WORD = 0.5
"""That share where it holds only one of the words, which then matters more than all others together."""
_DEPTH = 0.02
"""How much each further unit for the same ask counts less, so that every ask has its turn."""
_DEEPEST = 300
"""Units that are looked at for one ask."""
_LEAST = 100
"""Tokens below which the room counts as filled."""
_ENTRY = 2_400
"""Characters of a section or entry that is shown whole where there is room."""
_SHORT = 3_000
"""Characters of a page that is shown whole or not at all."""


@dataclass(frozen=True, slots=True)
class AlreadyRead:
    """What the run knows of its pages when passages are chosen."""

    before: Collection[Stretch] = ()
    """Shown for the same sub-question: not shown again."""
    elsewhere: Collection[Stretch] = ()
    """Shown for another one, whose reader knew of every open point."""
    again: int = 0
    """How many of the best units for each ask are shown even if they were shown elsewhere."""
    again_from: float = 0.0
    """The share of the rarity of an ask's words that such a unit holds at least."""
    standing: Mapping[str, float] = field(default_factory=lambda: MappingProxyType(dict[str, float]()))
    """Page → how well it was placed among the hits of all queries, from 0 to 1."""
    once: bool = False
    """Whether what stands word for word on copies of a page is shown of one of them alone."""
    index: PassageIndex = field(default_factory=PassageIndex)
    """Keeps the words of pages that were ranked before."""


def choose_passages(
    asks: Sequence[str], documents: Sequence[Document], tokens: int, known: AlreadyRead | None = None
) -> list[Passage]:
    """The passages of all pages that answer the `asks` best, in about `tokens`; the best pages first.

    The units of all pages are ranked for each ask by itself (BM25, and how many of its words they hold), and those that
    are nearest to the best for their ask are taken first. A short page is taken whole, and neighbours become one
    passage. No passage addresses a machine. Menus, lists of references and of changes come last.
    """
    known = known or AlreadyRead()
    units = known.index.units(documents)
    if not units:
        return []
    bodies = Ranker([unit.body for unit in units])
    ranked = _ranked(asks, units, bodies, known.standing)
    before, elsewhere = _covered(units, known.before), _covered(units, known.elsewhere)
    twins: Mapping[int, frozenset[int]] = known.index.copies(units) if known.once else {}
    said = {twin for at in before | elsewhere for twin in twins.get(at, ())}
    of_page: dict[str, list[int]] = defaultdict(list)
    for at, unit in enumerate(units):
        of_page[unit.document.source_id].append(at)
    taken: dict[int, list[PassageSpan]] = {}
    left = tokens
    for depth, at, share in _best_first(ranked):
        if left < _LEAST:
            break
        again = depth < known.again and share >= known.again_from
        if at in taken or at in before or at in said or (at in elsewhere and not again):
            continue
        document = units[at].document
        short = len(document.text) <= _SHORT and at not in elsewhere
        for whole in (of_page[document.source_id],) if short else (_entry_of(units, at, elsewhere), (at,)):
            known_already = {*taken, *before, *said}
            new = {one: readable(document, [_span(units[one])], asks) for one in whole if one not in known_already}
            cost = sum(_cost(units, one, {*taken, *new}) for one, spans in new.items() if spans)
            if cost <= left or (not taken and (short or len(whole) == 1)):
                taken |= new
                said.update(twin for one in new for twin in twins.get(one, ()))
                left -= cost
                break
    scores = bodies.scores(" ".join(asks))
    pages = dict.fromkeys(units[at].document.source_id for at, spans in taken.items() if spans)
    return [
        passage
        for page in pages
        for passage in _merged([_Taken(units[at], scores[at], taken[at]) for at in of_page[page] if at in taken], asks)
    ]


def _entry_of(units: Sequence[Unit], at: int, elsewhere: set[int]) -> Sequence[int]:
    """The units of the section or entry that a unit belongs to, where it is short enough and was not shown."""
    unit, first, last = units[at], at, at
    own = headings_of(unit.heading)

    def is_within(other: Unit) -> bool:
        return other.document is unit.document and headings_of(other.heading)[: len(own)] == own

    while first and is_within(units[first - 1]):
        first -= 1
    while last + 1 < len(units) and is_within(units[last + 1]):
        last += 1
    whole = range(first, last + 1)
    is_short = units[last].end - units[first].start <= _ENTRY
    return whole if is_short and elsewhere.isdisjoint(whole) else (at,)


class _Ranked(NamedTuple):
    at: int
    worth: float
    """Of the best for the ask, less with each further one."""
    share: float
    """The share of the rarity of the ask's words that it holds."""


def _span(unit: Unit) -> PassageSpan:
    return PassageSpan(unit.start, unit.end, unit.heading)


def _cost(units: Sequence[Unit], at: int, taken: Collection[int]) -> int:
    """Tokens of a unit, with its headings: those above it, or those between it and neighbours that are taken."""
    unit, start, end, above = units[at], units[at].begin, units[at].end, units[at].heading
    if at - 1 in taken and units[at - 1].document is unit.document:
        start, above = units[at - 1].end, ""
    if at + 1 in taken and units[at + 1].document is unit.document:
        end = units[at + 1].start
    return estimate(unit.document.text[start:end]) + (estimate(path_of(unit.document.title, above)) if above else 0)


def _ranked(
    asks: Sequence[str], units: Sequence[Unit], bodies: Ranker, standing: Mapping[str, float]
) -> list[list[_Ranked]]:
    """For each ask the units, best first. Without a common word, as in another language, every page has its turn."""
    heads = Ranker([unit.head for unit in units])
    worth = [unit.worth * (1 + _STANDING * standing.get(unit.document.source_id, 0.0)) for unit in units]

    def ranked(ask: str) -> list[_Ranked]:
        shares, counts = bodies.shares(ask)
        pairs = zip(bodies.scores(ask), heads.scores(ask), shares, strict=True)
        own = [(body + _HEADING * head) * share**_SPREAD for body, head, share in pairs]
        scores = [
            weight * (one + _NEIGHBOUR * near) for one, near, weight in zip(own, _near(units, own), worth, strict=True)
        ]
        fit = [
            at
            for at, (share, count) in enumerate(zip(shares, counts, strict=True))
            if share >= (_LEAST_SHARE if count > 1 else _ONE_WORD)
        ]
        # With a poor match for every ask there is still a best one.
        order = sorted(fit or range(len(units)), key=lambda at: (-scores[at], units[at].number, at))
        best = scores[order[0]]
        return [
            _Ranked(at, (scores[at] / best if best else 1.0) / (1 + _DEPTH * depth), shares[at])
            for depth, at in enumerate(order[:_DEEPEST])
            if scores[at] >= _FLOOR * best
        ]

    return [ranked(ask) for ask in dict.fromkeys(asks)]


def _near(units: Sequence[Unit], scores: Sequence[float]) -> Iterator[float]:
    """For each unit the better score of its neighbours on the page; 0 where it has no word of the ask itself."""
    for at, unit in enumerate(units):
        around = (one for one in (at - 1, at + 1) if 0 <= one < len(units) and units[one].document is unit.document)
        yield max((scores[one] for one in around), default=0.0) if scores[at] else 0.0


def _best_first(ranked: Iterable[Sequence[_Ranked]]) -> Iterator[tuple[int, int, float]]:
    """Rank for its ask, unit, and share of the ask's words: those that are nearest to the best for their ask first."""
    every = [(depth, one) for row in ranked for depth, one in enumerate(row)]
    yield from ((depth, one.at, one.share) for depth, one in sorted(every, key=lambda pair: (-pair[1].worth, pair[0])))


def _covered(units: Sequence[Unit], shown: Collection[Stretch]) -> set[int]:
    """The units that lie within what was shown, or of which only a part may be read and was shown."""
    by_page: dict[str, list[Stretch]] = defaultdict(list)
    for one in shown:
        by_page[one.source_id].append(one)
    return {at for at, unit in enumerate(units) if any(_covers(one, unit) for one in by_page[unit.document.source_id])}


def _covers(shown: Stretch, unit: Unit) -> bool:
    within = min(shown.end, unit.end) - max(shown.start, unit.start)
    return within >= unit.end - unit.start or 2 * within > shown.end - shown.start


class _Taken(NamedTuple):
    unit: Unit
    score: float
    spans: Sequence[PassageSpan]
    """What may be read of it: all of it, most often."""

    @property
    def whole(self) -> bool:
        return _is_all(self.spans, self.unit.document, self.unit.start, self.unit.end)


def _merged(chosen: Sequence[_Taken], asks: Sequence[str]) -> Iterator[Passage]:
    """The chosen units of a page; neighbours are one passage if nothing between them is withheld."""
    runs: list[list[_Taken]] = []
    for one in chosen:
        if runs and one.whole and runs[-1][-1].whole and _follows(runs[-1], one.unit, asks):
            runs[-1].append(one)
        else:
            runs.append([one])
    for run in runs:
        score = max(one.score for one in run)
        for span in run[0].spans:
            first, end = run[0].unit, run[-1].unit.end if len(run) > 1 else span.end
            start = first.begin if run[0].whole and _is_readable(first.document, first.begin, end, asks) else span.start
            yield _passage(first.document, PassageSpan(start, end, span.heading), score)


def _follows(run: Sequence[_Taken], unit: Unit, asks: Sequence[str]) -> bool:
    first, last = run[0].unit, run[-1].unit
    if unit.number != last.number + 1:
        return False
    # Headings between the two are part of the passage, so they are screened too.
    return _is_readable(unit.document, first.start, unit.end, asks)


def _is_readable(document: Document, start: int, end: int, asks: Sequence[str]) -> bool:
    """Whether nothing in a stretch is withheld from readers."""
    return _is_all(readable(document, [PassageSpan(start, end, "")], asks), document, start, end)


def _is_all(spans: Sequence[PassageSpan], document: Document, start: int, end: int) -> bool:
    """Whether the spans are a stretch but for its indentation."""
    if len(spans) != 1:
        return False
    return spans[0].end == end and not document.text[start : spans[0].start].strip()


def _passage(document: Document, span: PassageSpan, score: float) -> Passage:
    return Passage(
        passage_id=f"{document.source_id}:{span.start}",
        source_id=document.source_id,
        start=span.start,
        end=span.end,
        text=document.text[span.start : span.end],
        heading=path_of(document.title, span.heading),
        score=round(score, 4),
    )


async def chosen_passages(
    asks: Sequence[str], documents: Sequence[Document], tokens: int, known: AlreadyRead
) -> list[Passage]:
    """`choose_passages`, in a thread for long documents, so that the event loop stays free."""
    if sum(len(document.text) for document in documents) < _LONG:
        return choose_passages(asks, documents, tokens, known)
    return await anyio.to_thread.run_sync(choose_passages, asks, documents, tokens, known, abandon_on_cancel=True)
