"""Numbering: the `[n]` marks of sentences, and the words that each mark leads to."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Self

from deepresearch_mcp.pipeline.headings import Headings, headings_in
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Citation, Sentence
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.citations import COMPARE, text_fragment
from deepresearch_mcp.text.markdown import escape, inline, without_markdown
from deepresearch_mcp.text.passages import headings_of, path_of

WITNESSES = 3
"""The most marks behind one claim, each for another source. The claim itself keeps all its quotes."""

LETTERS = 2
"""The most quotes that a mark names by letter: readers trip over `[3b,d,g]` and pass `[3]`."""
STOPS = (".", "!", "?")
"""Marks stand before such an end of a sentence."""


QuotePlace = tuple[str, int, int]
"""A source and the offsets of words in it: what one mark leads to."""


def place_of_quote(quote: Quote) -> QuotePlace:
    """The place of a quote."""
    return (quote.source_id, quote.start, quote.end)


def numbered_quotes(claim: Claim) -> list[Quote]:
    """The quotes of a claim that get a mark: the first quote of each of its first sources."""
    by_source: dict[str, Quote] = {}
    for quote in claim.quotes:
        by_source.setdefault(quote.source_id, quote)
    return list(by_source.values())[:WITNESSES]


_ENGLISH = headings_in("en")


class Numbering:
    """Numbers sources in the order of first citation, and the quotes of a source by letters: `3`, or `3a` and `3b`."""

    def __init__(
        self,
        claims: Mapping[str, Claim],
        documents: Mapping[str, Document],
        cited: Iterable[Sentence],
        places: frozenset[QuotePlace] | None = None,
        words: Headings = _ENGLISH,
    ) -> None:
        """`cited` are all sentences of a report in reading order: which marks have letters is known only then.

        `places` may be cited; None: all places. See `citing`. `words` are those of the report's language.
        """
        self.claims = claims
        self.words = words
        self._documents = documents
        self._places = places
        self._sources: dict[str, dict[QuotePlace, Quote]] = {}
        """Sources in the order of their numbers, each with its quotes in the order of their letters."""
        self._users: dict[QuotePlace, dict[str, None]] = {}
        for sentence in cited:
            for name, quote in self._quotes((sentence,)):
                place = place_of_quote(quote)
                self._sources.setdefault(quote.source_id, {}).setdefault(place, quote)
                self._users.setdefault(place, {})[name] = None
        self._numbers = {name: number for number, name in enumerate(self._sources, 1)}

    def lettered(self, named: Collection[str]) -> Self:
        """The same with the quotes that a text names, as `3a`, before the others of their source: they begin at `a`."""
        new = copy(self)
        new._sources = {}
        for source, number in self._numbers.items():
            letters = {place: f"{number}{_letters(at)}" for at, place in enumerate(self._sources[source])}
            order = sorted(letters, key=lambda place: letters[place] not in named)
            new._sources[source] = {place: self._sources[source][place] for place in order}
        return new

    def paragraph(self, sentences: Sequence[Sentence]) -> str:
        """The Markdown of a page's own words with their marks: nothing in them takes effect."""
        return " ".join(_marked(sentence.text, self.mark((sentence,)), escape) for sentence in sentences)

    def sentence(self, sentence: Sentence, *, cell: bool = False, letters: int = LETTERS) -> str:
        """The Markdown of a sentence: its label in bold, code as code, its mark before the full stop."""
        return self.marked(sentence, self.mark((sentence,), letters=letters), cell=cell)

    def marked(self, sentence: Sentence, mark: str, *, cell: bool = False) -> str:
        """The same with a given mark."""
        return _label(sentence, cell=cell) + _marked(sentence.text.strip(), mark, lambda text: inline(text, cell=cell))

    def unmarked(self, sentence: Sentence, *, cell: bool = False) -> str:
        """The same without a mark."""
        return _label(sentence, cell=cell) + inline(sentence.text.strip(), cell=cell)

    def judged(self, sentences: Iterable[Sentence], known: Collection[str] = ()) -> str:
        """What our own judgements rest on beside the sources `known`, which marks near them name: `[cf. 1, 3]`.

        Empty where that is nothing. They follow from whole facts, which the record names.
        """
        mark = self.mark(sentences, letters=0, beside=known)
        return f"[{COMPARE} {mark[1:]}" if mark else ""

    def mark(
        self, sentences: Iterable[Sentence], *, letters: int = LETTERS, source: str = "", beside: Collection[str] = ()
    ) -> str:
        """One mark behind all that the sentences rest on: `[1b, 3a]` names the quotes of pages that have several.

        Where there are more quotes than it may name, numbers alone are given: they are easier to read past. Empty where
        nothing is cited. With a `source` it names that one alone; sources `beside` it are left out.
        """
        found = self._places_of(sentences).items()
        wanted = (one for one in found if source in {"", one[0]} and one[0] not in beside)
        named = sorted(wanted, key=lambda one: self._numbers[one[0]])
        all_named = sum(len(places) for _, places in named) <= letters
        keys = ", ".join(
            f"{self._numbers[name]}{self._parts(name, places) if all_named else ''}" for name, places in named
        )
        return f"[{keys}]" if keys else ""

    def pages(self, *sentences: Sentence) -> frozenset[str]:
        """The sources that the marks of sentences name."""
        return frozenset(self._places_of(sentences))

    def texts(self, sentences: Iterable[Sentence]) -> dict[str, str]:
        """The texts of the pages that the sentences rest on."""
        return {source: self._documents[source].text for source in self._places_of(sentences)}

    def quotes(self, sentences: Iterable[Sentence]) -> int:
        """How many quotes the sentences rest on."""
        return sum(map(len, self._places_of(sentences).values()))

    def _places_of(self, sentences: Iterable[Sentence]) -> dict[str, dict[QuotePlace, None]]:
        """What each sentence rests on, by source."""
        found: dict[str, dict[QuotePlace, None]] = {}
        for sentence in sentences:
            for _, quote in self._quotes((sentence,)):
                place = place_of_quote(quote)
                # A sentence that was not among the cited ones has no marks of its own.
                if place in self._users:
                    found.setdefault(quote.source_id, {})[place] = None
        return found

    def _parts(self, source: str, places: Collection[QuotePlace]) -> str:
        order = list(self._sources[source])
        return "" if len(order) < 2 else ",".join(map(_letters, sorted(map(order.index, places))))

    def _quotes(self, sentences: Iterable[Sentence]) -> list[tuple[str, Quote]]:
        """What carries the sentences, each quote with the claim that it is for: the words of every claim come first.

        More witnesses follow as long as there are fewer than three sources.
        """
        names = dict.fromkeys(name for sentence in sentences for name in sentence.rests_on if name in self.claims)
        allowed = {name: [one for one in numbered_quotes(self.claims[name]) if self._may(one)] for name in names}
        found = [(name, quotes[0]) for name, quotes in allowed.items() if quotes]
        sources = {quote.source_id for _, quote in found}
        for name, quotes in allowed.items():
            for quote in quotes[1:]:
                if quote.source_id not in sources and len(sources) < WITNESSES:
                    sources.add(quote.source_id)
                    found.append((name, quote))
        return found

    def _may(self, quote: Quote) -> bool:
        return self._places is None or place_of_quote(quote) in self._places

    def citations(self) -> tuple[Citation, ...]:
        """All citations: by number, then by letter."""
        return tuple(
            Citation(
                number=self._numbers[source],
                part=_letters(at) if len(quotes) > 1 else "",
                claim_ids=tuple(self._users[place]),
                source_id=source,
                snapshot=quote.snapshot,
                start=quote.start,
                end=quote.end,
                page=(leaf := quote.page or self._documents[source].page_at(quote.start)),
                heading=_below(self._documents[source].title, quote.heading),
                quote=quote.text,
                url=(url := self._documents[source].url),
                link=link_to(url, quote.text, self._documents[source].kind, self._documents[source].text, leaf),
            )
            for source, quotes in self._sources.items()
            for at, (place, quote) in enumerate(quotes.items())
        )


def _below(title: str, path: str) -> str:
    """The headings of a path without the title that it begins with."""
    headings = headings_of(path)
    return path_of(*(headings[1:] if headings[:1] == (title,) else headings))


def _label(sentence: Sentence, *, cell: bool) -> str:
    stop = "." if ":" in sentence.label else ":"
    return f"**{inline(sentence.label)}{stop}** " if sentence.label and not cell else ""


def _marked(text: str, mark: str, shown: Callable[[str], str]) -> str:
    """Text with its mark, which stands before a full stop and behind an ellipsis."""
    if not mark:
        return shown(text)
    # The stop is cut off before escaping, which may put a backslash in front of it.
    stopped = text.endswith(STOPS) and not text.endswith("..")
    return f"{shown(text[:-1])} {mark}{text[-1]}" if stopped else f"{shown(text)} {mark}"


def _letters(at: int) -> str:
    """`a` to `z`, then `aa`, `ab` and so on."""
    word = ""
    at += 1
    while at:
        at, letter = divmod(at - 1, 26)
        word = chr(ord("a") + letter) + word
    return word


def link_to(url: str, quote: str, kind: str, page: str = "", leaf: int | None = None) -> str:
    """The address with a text fragment for the quote; the bare address where a fragment cannot work.

    With the text of the `page` the fragment is as short as leads to the quote. A PDF is opened at its page `leaf`.
    """
    if kind == "pdf" and leaf and url.startswith("http"):
        return f"{url.partition('#')[0]}#page={leaf}"
    # Text fragments work on web pages, not in PDF viewers or files. The page shows the words without the Markdown of
    # our snapshot.
    return (
        text_fragment(url, without_markdown(quote), page)
        if url.startswith("http") and kind in {"html", "text", "markdown"}
        else url
    )
