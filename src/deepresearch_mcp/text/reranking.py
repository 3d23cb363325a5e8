"""Puts the passages that full-text search found into a better order: by names, coverage, and what leads to what."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.text.keywords import stem

__all__ = ["Candidate", "rerank"]

# Measured on the open halves of HotpotQA, MuSiQue and Vaswani (`eval ranking`, `eval vaswani`); each of the four parts
# helps one of them without harm to the others. Ten points more or less of a weight change nDCG@10 by less than 0.005.
_NAMED = 0.9
"""Weight of a title that stands in the query as it is, times the share of the query's rarity that it holds."""
_COVERED = 0.4
"""Weight of the share of the query's rarity that title and text hold, however often."""
_LED_TO = 0.3
"""Share of a leading candidate's score that goes to a candidate whose title stands in the leader's text."""
_LEADERS = 3
_K1 = 0.9
_B = 0.4
"""BM25 that minds length less than the index does: long passages hold more, not less."""
_IN_TITLE = 4.0
"""How often a word of the title counts, as in the index."""
_TELLING = 4.0
"""Rarity from which a title of one word counts as a name: about one passage in fifty."""
_LETTERS = 6.0
"""Letters of a word with its space; lengths are compared, so the measure does not matter."""
_EDGE = re.compile(r"[\W_]+")
_ASIDE = re.compile(r"\s*\([^()]{0,80}\)\s*$")
_NO_SPACES = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was found."""

    title: str
    """Of its document."""
    text: str
    score: float
    """By the index; above 0."""


@dataclass(frozen=True, slots=True)
class _Counted:
    in_title: Mapping[str, int]
    in_text: Mapping[str, int]
    size: float
    name: str
    """The title's words between spaces, without what stands in brackets at its end."""


def rerank(query: str, candidates: Sequence[Candidate], rarity: Mapping[str, float]) -> list[float]:
    """Return a score above 0 for each candidate, in order; comparable only within one call.

    `rarity` holds the query's words, casefolded, as the index knows them, with their inverse document frequency. A
    score joins the index's own, a BM25 with less weight on length, the share of the query that a passage covers,
    whether the query names its title, and whether the text of a leading candidate does.
    """
    if not candidates or not rarity:
        return [one.score for one in candidates]
    rare: dict[str, float] = {}
    for word, value in rarity.items():
        rare[stem(word)] = max(value, rare.get(stem(word), 0.0))
    wanted = _wanted(rarity)
    counted = [_counted(one, wanted, rare) for one in candidates]
    asked, whole = _between_spaces(query), sum(rare.values()) or 1.0
    firm = [one.score for one in candidates]
    soft = _bm25(counted, rare)
    joined = [a / (max(firm) or 1.0) + b / (max(soft) or 1.0) for a, b in zip(firm, soft, strict=True)]
    best = max(joined) or 1.0
    scores: list[float] = []
    for base, one in zip(joined, counted, strict=True):
        held = sum(value for term, value in rare.items() if term in one.in_title or term in one.in_text)
        named = sum(rare[term] for term in one.in_title) if one.name and one.name in asked else 0.0
        scores.append(base / best + _COVERED * held / whole + _NAMED * named / whole)
    return _with_leads(scores, candidates, counted, rarity)


def _with_leads(
    scores: list[float], candidates: Sequence[Candidate], counted: Sequence[_Counted], rarity: Mapping[str, float]
) -> list[float]:
    """Raise candidates whose title stands in the text of a better one: the second step of a chain."""
    leaders = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:_LEADERS]
    texts = {at: _between_spaces(candidates[at].text) for at in leaders}
    raised = list(scores)
    for at, one in enumerate(counted):
        name = one.name.strip()
        if " " not in name and rarity.get(name, _TELLING if len(name) > 3 else 0.0) < _TELLING:
            continue
        lead = next((other for other in leaders if other != at and one.name in texts[other]), None)
        if lead is not None:
            raised[at] += _LED_TO * scores[lead]
    return raised


def _bm25(counted: Sequence[_Counted], rare: Mapping[str, float]) -> list[float]:
    mean = sum(one.size for one in counted) / len(counted) or 1.0
    found: list[float] = []
    for one in counted:
        norm = _K1 * (1 - _B + _B * one.size / mean)
        total = 0.0
        for term, value in rare.items():
            count = _IN_TITLE * one.in_title.get(term, 0) + one.in_text.get(term, 0)
            total += value * count * (_K1 + 1) / (count + norm)
        found.append(total)
    return found


def _counted(one: Candidate, wanted: re.Pattern[str], rare: Mapping[str, float]) -> _Counted:
    return _Counted(
        _counts(one.title, wanted, rare),
        _counts(one.text, wanted, rare),
        (len(one.title) + len(one.text)) / _LETTERS,
        _between_spaces(_ASIDE.sub("", one.title[:400])) if one.title else "",
    )


def _counts(text: str, wanted: re.Pattern[str], rare: Mapping[str, float]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in wanted.findall(text.casefold()):
        term = stem(word)
        if term in rare:
            counts[term] = counts.get(term, 0) + 1
    return counts


def _wanted(rarity: Mapping[str, float]) -> re.Pattern[str]:
    """Match words that begin like a word of the query: only these are stemmed, which is most of the work saved."""
    begun: set[str] = set()
    pairs: set[str] = set()
    for word in rarity:
        if _NO_SPACES.match(word):
            pairs.add(re.escape(word))
        else:
            begun.add(re.escape(word[: max(3, min(len(stem(word)), len(word)) - 1)]))
    parts = [rf"\b(?:{'|'.join(sorted(begun))})\w*"] if begun else []
    return re.compile("|".join([*parts, *sorted(pairs)]))


def _between_spaces(text: str) -> str:
    """The words of a text, each between single spaces, so that whole names are found in it; "" for none."""
    plain = _EDGE.sub(" ", text.casefold()).strip()
    return f" {plain} " if plain else ""
