"""The sentences of some passages and how well each answers a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.prose import clean, dangles, is_prose, label
from deepresearch_mcp.thinkers.extractive.scoring import Cut, common, ranks, scores, telling_weight
from deepresearch_mcp.thinkers.extractive.terms import (
    coverage,
    names,
    split_topic,
    stems,
    telling,
    wanted,
)

_HEADING = 0.25
"""The weight of a word in the heading; one in the sentence counts 1."""
_FEW = 4
"""Among so few passages, every name tells them apart."""
_AROUND = 0.5
"""The weight of the passage's rank in a sentence's score; it decides between passages, never within one."""
_HEADED = 0.8
"""What a heading with all of the question's words adds: it is the page's own word for its subject."""
_CONNECTIVE = re.compile(r"^\w+,\s")
"""`Finally, …` gives an order and says nothing about the `finally` clause."""
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
    """Its opening words refer to the sentence before."""
    score: float
    """0 to about 4; only comparable within one question and one list of passages."""
    named: bool
    """It or its heading names a thing that the question names and that not every passage does."""
    telling: bool
    """It or its heading holds a word of the question's topic, not only words that any page has."""
    around: float
    """Its passage's rank as a share of the best passage's, 0 to 1."""
    covered: float
    """Share of the question's words that it or, at less weight, its heading holds, 0 to 1."""
    about: float
    """The same share without the question's topic, weighted by rarity among these sentences, 0 to 1."""


def candidates(question: str, passages: Sequence[Passage], language: str = "en") -> list[Candidate]:
    """Return the sentences that are prose, in the order of the passages, with their scores."""
    also = common(question, language)
    found = [
        sentence for at, passage in enumerate(passages) for sentence in _sentences(at, passage.text, language, also)
    ]
    return _scored(question, found, [(passage.heading, passage.text) for passage in passages], language)


def relevance(
    question: str, texts: Sequence[str], heading: str = "", language: str = "en", *, first: int = 0
) -> list[Candidate]:
    """Score sentences that are already cut out, in their order and in any form.

    `first` is the place of the first one in its passage; 1 for sentences without an order.
    """
    also = common(question, language)
    found = [
        # Sentences without an order were chosen before.
        Cut(0, at, 0, len(text), text, tuple(stems(text, language, also)), bool(first) or is_prose(clean(text)))
        for at, text in enumerate(texts, first)
    ]
    return _scored(question, found, [(heading, " ".join(texts))], language, ordered=first == 0)


def _scored(
    question: str, cuts: Sequence[Cut], sources: Sequence[tuple[str, str]], language: str, *, ordered: bool = True
) -> list[Candidate]:
    """Score each sentence by its own words, then by its passage's rank and heading."""
    if not cuts:
        return []
    topic, asks = split_topic(question)
    query, core = wanted(question, language), wanted(asks, language)
    around = ranks([f"{heading}\n{text}" for heading, text in sources], question, language)
    headings = [tuple(stems(heading, language)) for heading, _ in sources]
    rare = _telling_names(
        question, [(*heading, *stems(text, language)) for heading, (_, text) in zip(headings, sources, strict=True)]
    )
    tells = telling(core)
    rare_words = _rarities(core, cuts)
    scored: list[Candidate] = []
    for cut, score in zip(cuts, scores(question, cuts, around, language, ordered=ordered), strict=True):
        at = cut.passage
        own = coverage(query, cut.stems)
        covered = own + _HEADING * (coverage(query, cut.stems, headings[at]) - own)
        if topic:
            # Every page on the topic has the words of the topic.
            covered = min(covered, coverage(core, cut.stems, headings[at]))
        scored.append(
            Candidate(
                passage=at,
                place=cut.place,
                start=cut.start,
                end=cut.end,
                text=cut.text,
                stems=cut.stems,
                dangling=dangles(cut.text),
                score=score + _AROUND * around[at] + _HEADED * coverage(query, headings[at]),
                named=any(name <= {*cut.stems, *headings[at]} for name in rare),
                telling=not tells.isdisjoint((*cut.stems, *headings[at])),
                around=around[at],
                covered=covered,
                about=_about(rare_words, cut.stems, headings[at]),
            )
        )
    return scored


def _rarities(core: tuple[str, ...], cuts: Sequence[Cut]) -> dict[str, float]:
    """Return the weight of each stem of the question: greatest where few sentences hold it."""
    held = [set(cut.stems) for cut in cuts]
    heavy = {word: telling_weight(word, len(held), sum(word in one for one in held)) for word in core}
    whole = sum(heavy.values())
    return {word: share / whole for word, share in heavy.items()}


def _about(rare: dict[str, float], mine: Sequence[str], heading: Sequence[str]) -> float:
    return sum(share * (1.0 if word in mine else _HEADING * (word in heading)) for word, share in rare.items())


def follows(later: Candidate, earlier: Candidate) -> bool:
    """Tell whether one sentence directly follows the other."""
    return later.passage == earlier.passage and later.place == earlier.place + 1


def _sentences(at: int, text: str, language: str, also: frozenset[str]) -> list[Cut]:
    found: list[Cut] = []
    for place, (start, end) in enumerate(sentences(text)):
        opening = start + label(text[start:end])
        cleaned = clean(text[opening:end])
        if cleaned and is_prose(cleaned) and not _is_listing(text, opening) and not _is_table(text[opening:end]):
            content = _CONNECTIVE.sub("", cleaned) if dangles(cleaned) else cleaned
            found.append(Cut(at, place, opening, end, cleaned, tuple(stems(content, language, also))))
    return found


def _is_listing(text: str, start: int) -> bool:
    """Tell whether the sentence opens an indented line: code or grammar on a page in plain text."""
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
