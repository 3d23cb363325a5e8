"""The sentences of some passages and how well each answers a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.keywords import STOPWORDS
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.answers import defines, expected, fits
from deepresearch_mcp.thinkers.extractive.prose import clean, dangles, is_closed, is_prose, label
from deepresearch_mcp.thinkers.extractive.terms import (
    asked,
    coverage,
    grams,
    names,
    split_topic,
    stems,
    telling,
    wanted,
)

_WORDS = 60
"""A sentence of so many words gets the whole credit for saying much."""
_HEADING = 0.25
"""What a word in the heading counts, beside one in the sentence."""
_SUBJECT = 3
"""What the question is about is best named among so many first words."""
_FEW = 4
"""Among so few passages no name is too common to tell them apart."""
_COLUMN = re.compile(r"\S {3,}(?=\S)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence that could become a claim."""

    passage: int
    """Position of its passage."""
    place: int
    """Position among the sentences of its passage."""
    start: int
    end: int
    """Offsets in the passage."""
    text: str
    """Cleaned."""
    stems: tuple[str, ...]
    dangling: bool
    """Its opening words lean on the sentence before."""
    score: float
    """0 to about 2; only comparable within one question and one list of passages."""
    named: bool
    """It or its heading names a thing that the question names and that not every passage does."""
    telling: bool
    """It or its heading holds a word that tells the question's topic, not only words of any page."""
    around: float
    """Its passage's rank as a share of the best passage's, 0 to 1."""
    covered: float
    """Share of the question's words that it or, at less weight, its heading holds, 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Found:
    passage: int
    place: int
    start: int
    end: int
    text: str
    stems: tuple[str, ...]


def candidates(question: str, passages: Sequence[Passage], language: str = "en") -> list[Candidate]:
    """Return the sentences that are prose, in the order of the passages, with their scores."""
    also = _common(question, language)
    found = [
        sentence for at, passage in enumerate(passages) for sentence in _sentences(at, passage.text, language, also)
    ]
    return _scored(question, found, [(passage.heading, passage.text) for passage in passages], language)


def relevance(
    question: str, texts: Sequence[str], heading: str = "", language: str = "en", *, first: int = 0
) -> list[Candidate]:
    """Score sentences that were cut out already, in their order, whatever they look like.

    `first` is the place of the first one in its passage; 1 for sentences that stand in no order.
    """
    also = _common(question, language)
    found = [
        _Found(0, at, 0, len(text), text, tuple(stems(text, language, also))) for at, text in enumerate(texts, first)
    ]
    return _scored(question, found, [(heading, " ".join(texts))], language)


def _scored(
    question: str, found: Sequence[_Found], sources: Sequence[tuple[str, str]], language: str
) -> list[Candidate]:
    """Give each sentence its score.

    The weights were chosen on the open half of ClapNQ (top-3 F1 .62 against .60 for BM25 alone): words in common
    by BM25 and by shared roots, then length, an opening position and words of the sort that was asked for; between
    passages, the passage's own rank and heading.
    """
    if not found:
        return []
    topic, asks = split_topic(question)
    query, core = wanted(question, language), wanted(asks, language)
    ranks = _ranks([sentence.text for sentence in found], question, language)
    around = _ranks([f"{heading}\n{text}" for heading, text in sources], question, language)
    headings = [tuple(stems(heading, language)) for heading, _ in sources]
    rare = _telling_names(
        question, [(*heading, *stems(text, language)) for heading, (_, text) in zip(headings, sources, strict=True)]
    )
    pieces = grams(" ".join(query))
    sort = expected(question)
    tells = telling(core)
    scored: list[Candidate] = []
    for sentence, rank, at in zip(found, ranks, (sentence.passage for sentence in found), strict=True):
        own = coverage(query, sentence.stems)
        helped = coverage(query, sentence.stems, headings[at])
        score = 0.6 * rank + 0.4 * len(grams(" ".join(sentence.stems)) & pieces) / max(1, len(pieces))
        score += 0.35 * min(1.0, len(sentence.text.split()) / _WORDS) + 0.15 * (sentence.place == 0)
        score += 0.15 * fits(sort, sentence.text, question) + 0.2 * coverage(core, sentence.stems[:_SUBJECT])
        score += (0.3 if sort in {"meaning", "any"} else 0.1) * defines(sentence.text, core, language)
        score += 0.3 * around[at] + 0.2 * coverage(query, headings[at]) - 0.25 * (not is_closed(sentence.text))
        covered = own + _HEADING * (helped - own)
        if topic:
            # Words of the topic alone are on every page about it.
            covered = min(covered, coverage(core, sentence.stems, headings[at]))
        scored.append(
            Candidate(
                passage=at,
                place=sentence.place,
                start=sentence.start,
                end=sentence.end,
                text=sentence.text,
                stems=sentence.stems,
                dangling=dangles(sentence.text),
                score=score,
                named=any(name <= {*sentence.stems, *headings[at]} for name in rare),
                telling=not tells.isdisjoint((*sentence.stems, *headings[at])),
                around=around[at],
                covered=covered,
            )
        )
    return scored


def follows(later: Candidate, earlier: Candidate) -> bool:
    """Tell whether one sentence stands right behind the other."""
    return later.passage == earlier.passage and later.place == earlier.place + 1


def _sentences(at: int, text: str, language: str, also: frozenset[str]) -> list[_Found]:
    found: list[_Found] = []
    for place, (start, end) in enumerate(sentences(text)):
        opening = start + label(text[start:end])
        cleaned = clean(text[opening:end])
        if cleaned and is_prose(cleaned) and not _is_listing(text, opening) and not _is_table(text[opening:end]):
            found.append(_Found(at, place, opening, end, cleaned, tuple(stems(cleaned, language, also))))
    return found


def _is_listing(text: str, start: int) -> bool:
    """Tell whether the sentence opens an indented line: code, or grammar, of a page in plain text."""
    line = text.rfind("\n", 0, start) + 1
    return start - line >= 4 and not text[line:start].strip()


def _is_table(raw: str) -> bool:
    """Tell whether the words stand in columns."""
    return len(_COLUMN.findall(raw)) > 1


def _telling_names(question: str, passages: Sequence[Sequence[str]]) -> list[frozenset[str]]:
    """Return the stems of each name of the question that at most half of the passages hold."""
    found = [frozenset(stems(name)) for name in names(question)]
    held = [set(passage) for passage in passages]
    return [
        name for name in found if name and (len(held) < _FEW or 2 * sum(name <= other for other in held) <= len(held))
    ]


def _common(question: str, language: str) -> frozenset[str]:
    """Return the words of the question that are asked for although they are common, as `else` is."""
    return frozenset(word for word in asked(split_topic(question)[1], language) if word in STOPWORDS["en"])


def _ranks(texts: Sequence[str], question: str, language: str) -> list[float]:
    """Return BM25 scores as shares of the best, 0 to 1."""
    ranker = Ranker(texts)
    scores = ranker.scores(question)
    for word in sorted(_common(question, language)):
        # The ranker leaves common words out of a query unless they are all of it.
        scores = [score + more for score, more in zip(scores, ranker.scores(word), strict=True)]
    best = max(scores, default=0.0)
    return [score / best if best > 0 else 0.0 for score in scores]
