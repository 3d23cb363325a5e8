"""Search queries for one part of a question."""

import re
from collections.abc import Iterable

from deepresearch_mcp.text.language import guess
from deepresearch_mcp.thinkers.extractive.answers import Sort, expected
from deepresearch_mcp.thinkers.extractive.parts import RELEASE_NOTES, Piece
from deepresearch_mcp.thinkers.extractive.patterns import AUX, WH
from deepresearch_mcp.thinkers.extractive.terms import kind_names, names, phrases, stems, unique
from deepresearch_mcp.thinkers.extractive.word_families import as_headings_say

_LONGEST = 10
"""Words. Engines that require every word of a longer query find nothing."""

_WEAK = frozenset({"overview", "explained", "list"})
"""Words that narrow a search very little, so they come last."""
_CLOSINGS: dict[Sort, tuple[str, ...]] = {
    "reason": ("explained", "purpose"),
    "manner": ("example", "guide"),
    "meaning": ("overview", "definition"),
    "polarity": ("explained", "documentation"),
    # Pages only mention a date or a name: no overview of it exists.
    "date": ("history",),
    "number": ("figures",),
    "name": (),
    "place": (),
}
"""Words that pages with this sort of answer often hold: each gives a query of another angle."""
_NATURAL = 14
"""Words of a question that engines still take as a whole."""
_LEANING = re.compile(r"\b(?:this|these|that|those|such|it|its|they|their|them)\b", re.IGNORECASE)


def queries_for(piece: Piece, question: str, language: str) -> list[str]:
    """Return queries for one part, best first and each unlike the ones before it; none is a single word.

    Args:
        piece: The part.
        question: The whole question, for the names that the part leaves out.
        language: ISO 639-1 of the question; anything but English gets no words added.
    """
    if piece.subjects and not piece.text.endswith("?"):
        # `SQLite: locks` is a title, which says less than a question of its own.
        return distinct(_of_subjects(piece, language))
    words = [phrase for phrase in phrases(piece.text, language) if phrase]
    topic = [name for name in names(question) if name.casefold() not in piece.text.casefold()][:1]
    named = [word for word in words if word in names(piece.text)]
    natural = _natural(piece.text)
    if _is_wide(piece.text):
        return list(unique(part for part in [natural, *re.split(r"[，。；、,;]\s*", natural)] if len(part) > 3))
    if topic and not named:
        words = [*topic, *words]
        named = topic
    elif not named and _LEANING.search(piece.text):
        words = [*[word for word in phrases(question, language)[:2] if word not in words], *words]
    english = language in {"", "en"}
    closing = _CLOSINGS.get(expected(piece.text), ("overview", "explained", "definition"))
    if piece.aspect in _WEAK:
        closing = tuple(unique((piece.aspect, *closing)))
    found = [_short(words)]
    if english and (other := as_headings_say(words)) != words:
        found.append(_short(other))
    if piece.aspect == RELEASE_NOTES and english and named:
        # The page that lists what is new says so in its title.
        found = [_short([*named, "release", "notes"]), *found]
    if piece.aspect and piece.aspect not in _WEAK and english:
        kept = [word for word in words if word.casefold() not in piece.aspect.casefold().split()]
        found.append(
            _short(
                [
                    *(kept if len(kept) <= 5 else [*named, *[w for w in kept if w not in named][: 5 - len(named)]]),
                    piece.aspect,
                ]
            )
        )
    # A long question is never cut: its first words alone ask something else.
    found.extend(text for text in (natural, piece.text.rstrip("?？!. ")) if len(text.split()) <= _NATURAL)
    if english:
        found.extend(_short([*words, extra]) for extra in closing)
        found.append(_short([*named, "overview"] if len(named) == 1 else named))
    return distinct(found)


def _of_subjects(piece: Piece, language: str) -> list[str]:
    """Return a query for each of the things that a part asks about, then one of another angle."""
    topic = [word for word in phrases(piece.topic, language) if word not in piece.subjects]
    around = [word for word in phrases(piece.context, language)[-_CONTEXT:] if word not in topic]
    if len(topic) > _CONTEXT or _SAYS_IT.match(piece.topic):
        around = []
    things = [_ARTICLE.sub("", name) if kind_names(name) else name for name in piece.subjects]
    found = [_short([name, *topic, *around]) for name in things]
    first = things[0]
    other = as_headings_say([*topic, *around]) if language in {"", "en"} else [*topic, *around]
    found += [_short([name, *other]) for name in things if other != [*topic, *around]]
    return [*found, *([_short([first, *topic, *around, "documentation"])] if len(found) == 1 else [])]


_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_SAYS_IT = re.compile(r"^(?:how|when|where|why|who)\b", re.IGNORECASE)
"""An aspect with a verb of its own, such as `how one recovers`, is clear without what was asked before."""
_CONTEXT = 4
"""Words that say in what sense an aspect is meant; an aspect of as many words says it itself."""


def distinct(queries: Iterable[str]) -> list[str]:
    """Drop single words and queries of the same stems as an earlier one."""
    found: dict[tuple[str, ...], str] = {}
    for query in queries:
        if len(query.split()) > 1 or _is_wide(query):
            little = [name.split()[0].casefold() for name in kind_names(f"the {query}")]
            found.setdefault(tuple(sorted(set(stems(query) or query.casefold().split()) | set(little))), query)
    return list(found.values())


def _short(words: list[str]) -> str:
    """Join as many words as a query may have; names are kept before other words."""
    kept: list[str] = []
    room = _LONGEST
    for word in sorted(unique(words), key=lambda word: " " not in word):
        size = len(word.split())
        if size <= room or not kept:
            kept.append(word)
            room -= size
    return " ".join(word for word in unique(words) if word in kept)


_OPENING = re.compile(
    rf"^(?:{WH}(?:\s+(?:kind|type|sort)s?\s+of)?\s+(?:{AUX}\s+)?|{AUX}\s+)"
    r"(?:known about\s+|it (?:true|correct|right|the case) that\s+)?(?:the names? of\s+)?(?:the\s+|an?\s+)?",
    re.IGNORECASE,
)


def _natural(text: str) -> str:
    """Return the question as a phrase, without question word and punctuation."""
    bare = re.sub(r"[?？!.]+$", "", text.strip())
    cut = _OPENING.sub("", bare) if guess(text) in {"", "en"} else bare
    cut = re.sub(r"[“”\"():;,]+", " ", cut)
    return " ".join((cut if len(cut.split()) > 1 else bare).split())


def _is_wide(text: str) -> bool:
    """Tell whether the text has no blanks between words."""
    return sum("\u2e80" <= char <= "\u9fff" or "\u0e00" <= char <= "\u0e7f" for char in text) > len(text) / 4
