"""Summarise: the sentences of a page that matter most, as they stand: what a source says."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.injection.screen import is_clean
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.extractive.prose import clean, dangles, is_prose

_READ = 10_000
"""Characters that are ranked, in some 3 ms. Of a longer page they are its beginning and its most telling paragraphs."""
_OPENING = 4_000
"""Of these, what is taken from the beginning in any case."""
_SCANNED = 200_000
"""Characters of a long page that are looked through for telling paragraphs."""
_PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")
_GAP = "…"
_SHORT = 12
"""Characters of what may be a sentence in any script."""
_LEAST = 8
"""Tokens that no sentence of prose fits into."""

_PAGE = 0.5
"""Weight of the page's own title and headings beside the questions: a summary says what the page is about, too."""
_FIRST, _UNDER = 0.3, 0.15
"""For the page's first two sentences, and for the first one under a heading: there a page says what it will say."""
_LEANING = 0.3
"""Off a sentence that leans on the one before."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    words: str
    """On one line, otherwise as it stands."""
    heading: str
    opens: bool
    """The first under its heading."""


def summaries(
    documents: Mapping[str, Document], wanted: Iterable[str], questions: Sequence[str], tokens: int
) -> dict[str, str]:
    """`summarise` for the sources wanted, by id. Some 3 ms a page, 15 at most, so it is done off the event loop."""
    return {name: summarise(documents[name], questions, tokens) for name in wanted if name in documents}


def summarise(document: Document, questions: Sequence[str], tokens: int) -> str:
    """The page's most telling sentences in its own order, verbatim but for line breaks, within `tokens` by estimate.

    `…` stands where something was left out between two of them. Empty for a page without running text. These are the
    page's words, not ours: they are fenced before a model sees them. What addresses a machine is left out.
    """
    found = [one for one in _sentences(document.text, questions) if is_clean(document, one.start, one.end)]
    if not found or tokens < 1:
        return ""
    scores = _scores(found, document.title, questions)
    chosen: list[int] = []
    said: set[str] = set()
    left = tokens
    for at in sorted(range(len(found)), key=lambda at: (-scores[at], at)):
        # Two more: a gap before it, and what rounding each sentence by itself leaves out.
        one = found[at]
        cost = estimate(one.words) + 2
        # Whether it is prose is asked late: that costs as much as ranking it.
        if cost <= left and one.words not in said and is_prose(clean(one.words)):
            chosen.append(at)
            said.add(one.words)
            left -= cost
        if left < _LEAST:
            break
    return _joined([found[at] for at in sorted(chosen)], document.text)


def _joined(chosen: Sequence[_Sentence], text: str) -> str:
    parts: list[str] = []
    end = 0
    for one in chosen:
        between = text[end : one.start]
        if parts and any(char.isalnum() for char in between):
            parts.append(_GAP)
        parts.append(one.words)
        end = one.end
    return " ".join(parts)


def _sentences(text: str, questions: Sequence[str]) -> Iterator[_Sentence]:
    for low, high in _stretches(text, questions):
        heading, opens = "", True
        # What the end of a stretch cuts in two is no sentence.
        torn = text[high : high + 1] not in {"", "\n"}
        for block in blocks(text[low:high]):
            if block.kind == "heading":
                heading, opens = block.title, True
            elif block.kind == "prose":
                for span in sentences(text[low + block.start : low + block.end]):
                    start, end = low + block.start + span.start, low + block.start + span.end
                    if end - start >= _SHORT and not (torn and not text[end:high].strip()):
                        yield _Sentence(start, end, " ".join(text[start:end].split()), heading, opens)
                        opens = False


def _stretches(text: str, questions: Sequence[str]) -> list[tuple[int, int]]:
    """The whole of a short text; of a long one the beginning and the paragraphs with most of the questions' words."""
    if len(text) <= _READ:
        return [(0, len(text))]
    opening = text.rfind("\n\n", 0, _OPENING)
    if opening <= 0:
        return [(0, _READ)]
    stems = sorted({stem(word) for word in content_words(" ".join(questions))})
    telling = re.compile("|".join(re.escape(one) for one in stems) or r"(?!)")
    rows: list[tuple[int, int, int]] = []
    for match in _PARAGRAPH.finditer(text, opening, min(len(text), _SCANNED)):
        start, end = match.start(), min(match.end(), match.start() + _READ - opening)
        rows.append((-len(set(telling.findall(text[start:end].casefold()))), start, end))
    taken = [(0, opening)]
    left = _READ - opening
    for _, start, end in sorted(rows):
        if end - start <= left:
            taken.append((start, end))
            left -= end - start
    return sorted(taken)


def _scores(found: Sequence[_Sentence], title: str, questions: Sequence[str]) -> list[float]:
    ranker = Ranker([f"{one.heading}\n{one.words}" for one in found])
    headings = dict.fromkeys(one.heading for one in found)
    asked = _shares(ranker.scores(" ".join(questions)))
    about = _shares(ranker.scores(" ".join((title, *headings))))
    return [
        asked[at]
        + _PAGE * about[at]
        + (_FIRST if at < 2 else _UNDER if one.opens else 0.0)
        - _LEANING * dangles(one.words)
        for at, one in enumerate(found)
    ]


def _shares(scores: Sequence[float]) -> list[float]:
    best = max(scores)
    return [score / best if best > 0 else 0.0 for score in scores]
