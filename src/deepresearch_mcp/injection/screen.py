"""Decides which words of a page may be read, and which queries may result from them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.detect import Planted
from deepresearch_mcp.injection.foreign import Foreign, foreign_stretches, not_wanted
from deepresearch_mcp.injection.orders import asks_how, is_code, is_order
from deepresearch_mcp.injection.screened import is_screened, screened
from deepresearch_mcp.records.sources import Document, Hit, Passage
from deepresearch_mcp.text.keywords import discriminative_words, stem, words
from deepresearch_mcp.text.passages import PassageSpan, headings_of, path_of
from deepresearch_mcp.text.sentences import SHORT, sentences
from deepresearch_mcp.text.urls import addresses_in, is_called

_CutT = TypeVar("_CutT", bound="_Cut")


class _Cut(Protocol):
    """Any span of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


class _Span(NamedTuple):
    start: int
    end: int


MACHINE = "the words address a machine, not a reader"
"""The reason given for a claim that rests on planted words."""

_SCRAP = 3
"""Least words between two planted spans that are worth reading."""
_RUN = 4
"""Consecutive words of a query that count as a repetition of planted text."""
_MAIL = re.compile(r"[^\s@]+@[^\s@]+")
_SECRET = re.compile(
    r"\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|eyJ)[-_A-Za-z0-9]{12,}"
    r"|\b(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[A-Za-z0-9_-]{24,}\b|\b[A-Z]{2}\d{2}[A-Z0-9]{11,}\b"
)
"""Keys, tokens and account numbers, which a page might make a model leak in a query."""

NOT_SCREENED = "its text was not screened"


def planted_in(document: Document) -> tuple[Planted, ...]:
    """The spans of a page that address a model or are disguised, as found by the parser process.

    A long text is never searched here, because nothing could interrupt the search. Without a stored screening, all of
    it counts as planted.
    """
    if document.screening is not None:
        return tuple(Planted(*one) for one in document.screening.planted)
    if len(document.text) > SHORT:
        return (Planted(0, len(document.text), NOT_SCREENED, 1.0),)
    return _planted_in_short(document.text)


@lru_cache(maxsize=256)
def _planted_in_short(text: str) -> tuple[Planted, ...]:
    return tuple(screened(text))


def foreign_in(document: Document, asked: Sequence[str]) -> list[Foreign]:
    """The spans in a language other than the page's and the question's, as found by the parser process.

    Empty for a long text without a stored screening, since all of it already counts as planted.
    """
    if document.screening is not None:
        found = [Foreign(start, end, frozenset(languages)) for start, end, languages in document.screening.foreign]
        return not_wanted(found, asked)
    return not_wanted(_foreign_in_short(document.text), asked) if len(document.text) <= SHORT else []


@lru_cache(maxsize=256)
def _foreign_in_short(text: str) -> tuple[Foreign, ...]:
    return tuple(foreign_stretches(text))


def is_clean(document: Document, start: int, end: int) -> bool:
    """Whether nothing is planted between `start` and `end`."""
    return not _touching(planted_in(document), start, end)


def readable(
    document: Document, pieces: Iterable[PassageSpan], asked: Sequence[str] | None = None
) -> list[PassageSpan]:
    """Cut planted text out of the pieces of a page; a piece may become several, or none.

    Headings that address a model are removed too. With `asked` (the question, sub-question and queries), isolated
    sentences in a language of neither the page nor the question are cut out, and headings about their own reading
    removed.

    No reader sees the removed text. Offsets still count in the snapshot, so every quote can be located.
    """
    stretches: Sequence[_Cut] = planted_in(document)
    strange = foreign_in(document, asked) if asked is not None else ()
    if strange:
        stretches = _apart([*stretches, *strange])
    if not stretches and asked is None:
        return list(pieces)
    lines = _lines(document, strange)
    headings: dict[str, str] = {}
    kept: list[PassageSpan] = []
    for piece in pieces:
        if (heading := headings.get(piece.heading)) is None:
            heading = headings[piece.heading] = _clean_heading(piece.heading, asked, lines)
        start = piece.start
        for one in (*_touching(stretches, piece.start, piece.end), None):
            end = one.start if one else piece.end
            inner = document.text[start:end]
            if len(words(inner)) >= _SCRAP:
                left = len(inner) - len(inner.lstrip())
                kept.append(PassageSpan(start + left, start + len(inner.rstrip()), heading))
            start = max(start, one.end) if one else start
    return kept


def readable_heading(document: Document, path: str, asked: Sequence[str]) -> str:
    """The headings of a page's words without those that are not for a reader: see `readable`."""
    return _clean_heading(path, asked, _lines(document, foreign_in(document, asked)))


def _lines(document: Document, stretches: Iterable[_Cut]) -> frozenset[tuple[str, ...]]:
    """The words of every line of some spans, for looking up headings."""
    texts = (document.text[one.start : one.end] for one in stretches)
    return frozenset(tuple(words(line)) for text in texts for line in text.splitlines())


def _clean_heading(path: str, asked: Sequence[str] | None, strange: Collection[tuple[str, ...]]) -> str:
    """Remove headings that are not for readers; `strange` holds the lines in another language."""
    if is_screened(path):
        return ""
    if asked is None or not path:
        return path
    known = "\n".join(asked)
    return path_of(
        *(
            one
            for one in headings_of(path)
            if not is_about_reading(one, known, alone=not _shared(one, asked)) and tuple(words(one)) not in strange
        )
    )


def clean_around(document: Document, start: int, end: int) -> tuple[int, int]:
    """The bounds around `start` and `end` within which nothing is planted."""
    stretches = planted_in(document)
    before = bisect_right(stretches, start, key=lambda one: one.end)
    behind = bisect_left(stretches, end, key=lambda one: one.start)
    low = stretches[before - 1].end if before else 0
    return low, stretches[behind].start if behind < len(stretches) else len(document.text)


def _apart(stretches: Iterable[_Cut]) -> list[_Span]:
    """Sort the spans and merge those that touch or overlap."""
    spans: list[_Span] = []
    for one in sorted(stretches, key=lambda one: one.start):
        if spans and one.start <= spans[-1].end:
            spans[-1] = _Span(spans[-1].start, max(spans[-1].end, one.end))
        else:
            spans.append(_Span(one.start, one.end))
    return spans


def _touching(stretches: Sequence[_CutT], start: int, end: int) -> Sequence[_CutT]:
    """Select the spans that share a character with `start` to `end`; `stretches` must be sorted and disjoint."""
    first = bisect_right(stretches, start, key=lambda one: one.end)
    return stretches[first : bisect_left(stretches, end, lo=first, key=lambda one: one.start)]


LEFT_OUT = "[left out: not written for readers]"
"""Replaces withheld words when a client asks for a page."""


def without_planted(text: str, instead: str = LEFT_OUT) -> str:
    """Replace planted and disguised text by `instead`."""
    stretches = screened(text)
    if not stretches:
        return text
    at, kept = 0, list[str]()
    for one in stretches:
        kept += (text[at : one.start], instead)
        at = one.end
    return "".join((*kept, text[at:])).strip()


def screened_hit(hit: Hit, query: str) -> Hit:
    """Return a search result without planted text, or text about its own reading, in title and snippet.

    Such a title is removed as a whole; in a snippet the words or sentences are replaced by `LEFT_OUT`.
    """
    title = "" if is_screened(hit.title) or is_about_reading(hit.title, query) else hit.title
    snippet = without_planted(hit.snippet)
    said = [snippet[span.start : span.end] for span in sentences(snippet)]
    if any(is_about_reading(one, query) for one in said):
        snippet = " ".join(LEFT_OUT if is_about_reading(one, query) else one for one in said)
    return hit.model_copy(update={"title": title, "snippet": snippet})


def is_beside_the_point(said: str, asked: Sequence[str]) -> bool:
    """Whether an instruction, a question or code has nothing to do with what was asked.

    `asked` holds the question, the sub-question and its queries. If the first two ask how to do something,
    instructions are never beside the point.
    """
    return _states_nothing(said) and not any(map(asks_how, asked[:2])) and not _shared(said, asked)


def _states_nothing(said: str) -> bool:
    return is_order(said) or is_code(said)


def unwanted_in(passages: Sequence[Passage], documents: Mapping[str, Document], asked: Sequence[str]) -> list[str]:
    """Texts that no query may repeat.

    These are planted spans of the pages read, and instructions in passages that share no word with what was asked.
    """
    pages = [documents[name] for name in dict.fromkeys(passage.source_id for passage in passages)]
    found = [page.text[one.start : one.end] for page in pages for one in planted_in(page)]
    for passage in passages:
        said = (passage.text[span.start : span.end] for span in sentences(passage.text))
        found += (one for one in said if _states_nothing(one) and not _shared(one, asked))
    return found


def may_ask(query: str, known: Sequence[str], unwanted: Iterable[str] = ()) -> bool:
    """Whether a query made after reading may be sent to a search engine.

    The query must share a discriminative word with `known` (the question, the sub-question, then queries and located
    claims), contain no address, mail address or secret that `known` lacks, not address a model, and not repeat anything
    `unwanted`.
    """
    named = (one for one in addresses_in(query) if not is_called(one, query))
    typed = (*named, *_MAIL.findall(query), *(found.group() for found in _SECRET.finditer(query)))
    if typed and any(part not in "\n".join(known) for part in typed):
        return False
    if is_screened(query) or not _shared(query, known):
        return False
    asked = frozenset(stem(word) for one in known[:2] for word in words(one))
    return not any(_repeats(query, stretch, asked) for stretch in unwanted)


def _shared(text: str, known: Sequence[str]) -> bool:
    own = _stems(text)
    return not own or any(not own.isdisjoint(_stems(one)) for one in known)


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, discriminative_words(text)))


def _repeats(query: str, stretch: str, asked: frozenset[str]) -> bool:
    """Whether a planted span contains a run of the query's words, apart from runs of the question's own words."""
    own, theirs = words(query), f" {' '.join(words(stretch))} "
    size = min(_RUN, len(own))
    runs = (own[at : at + size] for at in range(len(own) - size + 1))
    return any(f" {' '.join(run)} " in theirs for run in runs if not asked.issuperset(map(stem, run)))
