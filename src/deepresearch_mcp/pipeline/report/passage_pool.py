"""All passages of the pages that a research has read, ranked for anything that is asked."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.orders import is_order
from deepresearch_mcp.injection.screen import is_beside_the_point, readable
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.passages import PassageSpan, headings_of, path_of, pieces
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.reference_lists import is_reference_list
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.prose import clean, is_prose
from deepresearch_mcp.thinkers.extractive.relevance import Relevance, relevance_of, sentences_in
from deepresearch_mcp.thinkers.extractive.terms import stems

_SIZE = 900
"""Characters of a passage, about: paragraphs, entries and tables are kept whole where they fit."""
_FEWEST = 8
"""Words of a passage; fewer say nothing by themselves."""
_LOOKED_AT = 60
"""Passages that are scored for one question, the best by their words first."""
_RANK = 0.3
"""The weight of the rank by rare words, 0 to 1, beside the relevance."""
_HEADED = 0.2
"""What a heading adds that names all that is asked for."""
_ABOUT = 0.3
"""What it adds that the page is about a thing that the question names."""
_AGREED = 0.1
"""What it adds that two or more independent sources say the same."""
_READ = 0.1
"""What it adds that the reader took a sentence from the passage."""
_NO_PROSE = 0.2
"""What a passage loses that is a listing or loose lines."""


@dataclass(frozen=True, slots=True)
class PoolPassage:
    """A passage of a page, with the claims that were read from it."""

    document: Document
    start: int
    end: int
    heading: str
    """The page's title and the headings above the passage."""
    claims: tuple[Claim, ...] = ()
    prose: bool = True

    @property
    def text(self) -> str:
        """Its words as they stand on the page."""
        return self.document.text[self.start : self.end]

    @property
    def title(self) -> str:
        """Where the passage stands, of when it is, and how many sources agree."""
        trail = headings_of(self.heading)
        place = list(dict.fromkeys((*trail[:1], *trail[-1:]))) or [self.document.url]
        told = [self.document.site, self.document.published.isoformat() if self.document.published else "undated"]
        if self.backing > 1:
            told.append(f"{self.backing} independent sources agree in part")
        return f"{' › '.join(place)} ({', '.join(filter(None, told))})"

    @property
    def independent(self) -> int:
        """Independent sources that say what one of its claims says, the page itself included."""
        return max((claim.independent for claim in self.claims), default=1)

    @property
    def backing(self) -> int:
        """Of these, the sources that are good enough to corroborate."""
        return max((claim.backing for claim in self.claims), default=1)


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage, and how far it answers one question."""

    passage: PoolPassage
    relevance: Relevance
    merit: float
    """Orders the passages that answer one question."""


class PassagePool:
    """The passages of some pages, without what is planted on them."""

    def __init__(self, documents: Mapping[str, Document], claims: Iterable[Claim], asked: Sequence[str]) -> None:
        """`claims`: each once, as they stand; `asked`: all that the pages were read for."""
        self._passages = list(_passages(documents, claims, asked))
        self._ranker = Ranker([f"{one.heading}\n{one.text}" for one in self._passages])

    def ranked(self, question: str, words_too: Sequence[str] = (), language: str = "en") -> list[RankedPassage]:
        """Return the passages that answer the question, best first; none where none does.

        `words_too`, such as its queries, count only for what is looked at first.
        """
        scores = self._ranker.scores(" ".join((question, *words_too)))
        best = max(scores, default=0.0)
        order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:_LOOKED_AT]
        found = [
            self._ranked(self._passages[at], question, scores[at] / best, language) for at in order if scores[at] > 0
        ]
        return sorted((one for one in found if one.relevance.is_relevant), key=lambda one: -one.merit)

    def around(self, claims: Iterable[Claim], question: str, language: str = "en") -> list[RankedPassage]:
        """Return the passages that these claims were read from, whether they answer or not, in the claims' order."""
        wanted = {claim.claim_id: None for claim in claims}
        holding: dict[str, PoolPassage] = {}
        for one in self._passages:
            for claim in one.claims:
                if claim.claim_id in wanted:
                    holding.setdefault(claim.claim_id, one)
        kept = dict.fromkeys(id(holding[name]) for name in wanted if name in holding)
        by_id = {id(one): one for one in holding.values()}
        return [self._ranked(by_id[name], question, 0.0, language) for name in kept]

    def _ranked(self, one: PoolPassage, question: str, rank: float, language: str) -> RankedPassage:
        found = relevance_of(question, sentences_in(one.text), one.heading, language)
        merit = found.score + _RANK * rank + _HEADED * found.headed
        merit += (
            _ABOUT * found.about + _AGREED * (one.backing > 1) + _READ * bool(one.claims) - _NO_PROSE * (not one.prose)
        )
        return RankedPassage(one, found, round(merit, 4))


def repeats(one: PoolPassage, other: PoolPassage) -> bool:
    """Tell whether two passages are nearly the same words, as copies of a text on two pages are."""
    if one.document.source_id == other.document.source_id:
        return one.start < other.end and other.start < one.end
    mine, theirs = set(stems(one.text)), set(stems(other.text))
    return len(mine & theirs) >= _COPY * max(1, len(mine | theirs))


_COPY = 0.8
_PROSE = 0.3
"""The share of a passage that must be sentences; less is a menu, an index or a site map."""


def _addressed_to_readers(
    document: Document, found: Iterable[PassageSpan], asked: Sequence[str]
) -> Iterator[PassageSpan]:
    """Cut out of passages the sentences that order somebody to do what nobody asked about."""
    known = "\n".join(asked)
    for piece in found:
        start = piece.start
        for span in sentences(document.text[piece.start : piece.end]):
            said = document.text[piece.start + span.start : piece.start + span.end]
            if (is_order(said) and is_beside_the_point(said, asked)) or is_about_reading(said, known):
                if document.text[start : piece.start + span.start].strip():
                    yield PassageSpan(start, piece.start + len(_rstripped(document, piece, span.start)), piece.heading)
                start = piece.start + span.end
        text = document.text[start : piece.end]
        if text.strip():
            yield PassageSpan(start + len(text) - len(text.lstrip()), piece.end, piece.heading)


def _rstripped(document: Document, piece: PassageSpan, end: int) -> str:
    return document.text[piece.start : piece.start + end].rstrip()


def _is_made_up(text: str) -> bool:
    """Tell a table, a listing, a list of items or an entry of definitions: they say something without prose."""
    return any(block.kind in {"table", "code"} for block in blocks(text)) or bool(_ITEMS.search(text))


_ITEMS = re.compile(r"^ *(?:: |[-*] |\d+\. )\S", re.MULTILINE)


def _passages(
    documents: Mapping[str, Document], claims: Iterable[Claim], asked: Sequence[str]
) -> Iterable[PoolPassage]:
    on_page: dict[str, list[tuple[int, int, Claim]]] = {}
    for claim in claims:
        for quote in claim.quotes:
            on_page.setdefault(quote.source_id, []).append((quote.start, quote.end, claim))
    for name, document in documents.items():
        if "paywalled" in document.flags:
            continue
        for piece in _addressed_to_readers(document, readable(document, pieces(document.text, _SIZE), asked), asked):
            text = document.text[piece.start : piece.end]
            if len(words(text)) < _FEWEST or is_reference_list(piece.heading, text):
                continue
            held = tuple(
                claim for start, end, claim in on_page.get(name, ()) if start < piece.end and piece.start < end
            )
            said = [clean(one) for one in sentences_in(text)]
            prose = sum(len(one) for one in said if is_prose(one)) >= _PROSE * sum(map(len, said))
            if not prose and not _is_made_up(text):
                continue
            yield PoolPassage(document, piece.start, piece.end, path_of(document.title, piece.heading), held, prose)
