"""The passages of all pages of a run that come nearest to some words, whole sections and entries."""

import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType

import anyio
import anyio.to_thread

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.keywords import words as split
from deepresearch_mcp.text.passages import PassageSpan, path_of, pieces
from deepresearch_mcp.text.ranking import Ranker, TermCounts, term_counts
from deepresearch_mcp.text.sentences import sentences

_SIZE = 1_200
"""Characters of a passage; half as many again keep a section, an entry or a table whole."""
_BEFORE = 250
"""Characters of the passage before it that stand above one which goes on from it."""
_OFTEN = 0.3
"""What it counts that a passage holds the words often and little else, beside how many of them it holds."""
_LEAST = 0.25
"""Share of the rarity of the words that a passage must hold."""
_NAMED = 1.5
"""What it counts that all the words stand around an identifier among them: `wait_for` is not "wait for"."""
_CLOSE = 0.8
"""What it counts that two sentences next to each other hold all the words: far apart they are about two things."""
_LOOKED_AT = 150
"""Passages whose sentences are looked at one by one."""
_ITEM = 200
"""Characters on each side of an identifier that are about it."""
IDENTIFIER = re.compile(r"[^\W\d]\w*(?:[._-]\w+)+|[^\W\d]\w*_\w+|[^\W\d]\w*(?=\()")
"""`core.fsync`, `max_connections`, `wait_for()`."""
_FAVOUR = 0.3
"""What it counts that its page is favoured."""
_NO_PAGES: Mapping[str, Document] = MappingProxyType({})
_NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage, and how near it comes."""

    passage: Passage
    """Its id is `SOURCE_ID:START`."""
    share: float
    """The share of the rarity of the words that it holds, with its headings."""


_Counted = tuple[Document, PassageSpan, TermCounts]


@dataclass(frozen=True, slots=True)
class _Index:
    pages: tuple[tuple[str, str], ...]
    spans: Sequence[tuple[Document, PassageSpan]]
    ranker: Ranker


class NearestPassages:
    """Ranks the passages of some pages, each cut and counted once, however often more of them become known.

    What is planted on a page is left out.
    """

    def __init__(self, documents: Mapping[str, Document] = _NO_PAGES) -> None:
        self._documents = documents
        self._making = anyio.Lock()
        self._of_page: dict[tuple[str, str], Sequence[_Counted]] = {}
        self._index: _Index | None = None

    def know(self, documents: Mapping[str, Document]) -> None:
        """Search these pages from now on."""
        self._documents = documents

    async def of(
        self,
        words: str,
        most: int,
        *,
        pages: int = 1,
        beside: Mapping[str, float] = _NOTHING,
        each: Sequence[str] = (),
        favoured: Container[str] = frozenset[str](),
        least: float = _LEAST,
    ) -> list[NearPassage]:
        """At most so many passages, the nearest first; so many of the best `pages` have one each.

        Args:
            words: What a passage is looked for by.
            most: Passages at most.
            pages: How many of the best pages have one each.
            beside: More words, with the weight that they have beside the others.
            each: A passage must hold a word of each of these, if any page has one.
            favoured: Ids of pages that are known to speak of the matter.
            least: Share of the rarity of `words` that a passage must hold.
        """
        index = await self._made()

        def found() -> list[NearPassage]:
            near = _worths(index, words, beside, each, favoured, least)
            order = sorted((at for at, worth in enumerate(near) if worth > 0), key=lambda at: (-near[at], at))
            of_pages: dict[str, int] = {}
            for at in order:
                of_pages.setdefault(index.spans[at][0].source_id, at)
            chosen = list(of_pages.values())[: min(pages, most)]
            chosen += [at for at in order if at not in chosen][: most - len(chosen)]
            shares, _ = index.ranker.shares(words)
            return [
                NearPassage(_passage(index.spans, at), round(shares[at], 4)) for at in sorted(chosen, key=order.index)
            ]

        return await anyio.to_thread.run_sync(found, abandon_on_cancel=True)

    async def _made(self) -> _Index:
        async with self._making:
            pages = [one for one in self._documents.values() if "paywalled" not in one.flags]
            if self._index is None or self._index.pages != tuple(map(_key, pages)):
                self._index = await anyio.to_thread.run_sync(self._indexed, pages, abandon_on_cancel=True)
            return self._index

    def _indexed(self, pages: Sequence[Document]) -> _Index:
        for page in pages:
            if _key(page) not in self._of_page:
                self._of_page[_key(page)] = [
                    (page, span, _counts(page, span)) for span in readable(page, pieces(page.text, _SIZE))
                ]
        counted = [one for page in pages for one in self._of_page[_key(page)]]
        spans = [(page, span) for page, span, _ in counted]
        return _Index(tuple(map(_key, pages)), spans, Ranker([counts for *_, counts in counted]))


def _key(page: Document) -> tuple[str, str]:
    return page.source_id, page.snapshot


def _worths(
    index: _Index,
    words: str,
    beside: Mapping[str, float],
    each: Sequence[str],
    favoured: Container[str],
    least: float,
) -> list[float]:
    """How near each passage comes; 0 for one that does not."""
    shares, _ = index.ranker.shares(words)
    scores = index.ranker.scores(words)
    best = max(scores, default=0.0) or 1.0
    more = [(index.ranker.shares(text)[0], weight) for text, weight in beside.items()]
    needed = [held for text in each if any(held := index.ranker.shares(text)[0])]
    names = {one.casefold() for one in IDENTIFIER.findall(words)}
    wanted = {stem(word) for word in content_words(words) if not word.isdigit()}

    def worth_of(at: int) -> float:
        page, span = index.spans[at]
        own = shares[at] + _OFTEN * scores[at] / best + _FAVOUR * (page.source_id in favoured)
        own += sum(weight * held[at] for held, weight in more)
        return own + _NAMED * _around(names, wanted, page.text[span.start : span.end]) if names else own

    near = (shares[at] >= least and all(held[at] for held in needed) for at in range(len(shares)))
    worths = [worth_of(at) if is_near else 0.0 for at, is_near in enumerate(near)]
    rarities = {term: rarity for term in wanted if (rarity := index.ranker.rarity(term))}
    for at in sorted((at for at, worth in enumerate(worths) if worth), key=lambda at: -worths[at])[:_LOOKED_AT]:
        page, span = index.spans[at]
        text = page.text[span.start : span.end]
        if not names or any(name in text.casefold() for name in names):
            worths[at] += _CLOSE * _closest(rarities, text)
    return worths


def _closest(rarities: Mapping[str, float], text: str) -> float:
    """The share of the rarity of some words that two sentences next to each other hold, 0 to 1."""
    held = [rarities.keys() & map(stem, split(text[one.start : one.end].casefold())) for one in sentences(text)]
    both = (first | second for first, second in zip_longest(held, held[1:], fillvalue=frozenset[str]()))
    whole = sum(rarities.values()) or 1.0
    return max((sum(map(rarities.__getitem__, one)) for one in both), default=0.0) / whole


def _around(names: Collection[str], wanted: Collection[str], text: str) -> float:
    """How many of the words a text has around one of the names, 0 to 1: in a long list one item says it all."""
    low = text.casefold()
    found = 0.0
    for name in names:
        at = low.find(name)
        while at >= 0:
            near = set(map(stem, split(low[max(0, at - _ITEM) : at + len(name) + _ITEM])))
            found = max(found, len(near.intersection(wanted)) / max(1, len(wanted)))
            at = low.find(name, at + _ITEM)
    return found


def _counts(page: Document, span: PassageSpan) -> TermCounts:
    return term_counts(f"{page.title}\n{span.heading}\n{page.text[span.start : span.end]}")


def _passage(spans: Sequence[tuple[Document, PassageSpan]], at: int) -> Passage:
    page, span = spans[at]
    start = _begin(spans, at)
    return Passage(
        passage_id=f"{page.source_id}:{start}",
        source_id=page.source_id,
        start=start,
        end=span.end,
        text=page.text[start : span.end],
        heading=path_of(page.title, span.heading),
    )


def _begin(spans: Sequence[tuple[Document, PassageSpan]], at: int) -> int:
    """Where a passage begins: a few words earlier where it goes on from the one before it in its section."""
    page, span = spans[at]
    if not at or spans[at - 1][0] is not page:
        return span.start
    before = spans[at - 1][1]
    if before.heading != span.heading or page.text[before.end : span.start].strip():
        return span.start
    low = max(before.start, span.start - _BEFORE)
    return low if low == before.start else page.text.find(" ", low - 1, span.start) + 1 or span.start
