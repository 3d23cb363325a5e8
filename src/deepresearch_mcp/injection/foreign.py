"""Finds spans that are not in the page's own language: foreign sentences, and text in a cipher."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from deepresearch_mcp.text.common_words import common_words, language_name
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.page_language import BROAD, CIPHER, FEW_LETTERS, LETTERS, SIGN, WIDE, PageLanguage, script_of

__all__ = ["CIPHER", "Foreign", "foreign_stretches", "not_wanted"]

CONSIDERABLE = 0.4
"""With this share of a page's letters, a language counts as one of the page's own."""

_ENOUGH = 4.0
"""Sum of weights required for a span: about four words of another language in a row."""
_DROP = 4.0
"""A span ends where the sum has fallen this far below its maximum."""
_NUMBER = -0.3
"""Weight of a number."""
_WIDE_WEIGHT = 0.5
"""Weight of one character of a script without blanks."""
_SENTENCE = 300
"""Most characters added to a span on each side, to reach the ends of its sentences."""
_APART = 60
"""Two spans of one paragraph are merged if at most this many characters lie between them."""

_TOKEN = re.compile(
    rf"https?://\S+|(?<![\w.])[a-zA-Z0-9-]{{1,40}}(?:\.[a-zA-Z0-9-]{{1,40}}){{1,4}}(?:/\S*)?|[{BROAD}]+"
    rf"|[^\W\d_{BROAD}]+(?:['’][^\W\d_{BROAD}]+)*|\d+|[|,;:•`_/@<>{{}}()\[\]=#*+\\]"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_REMEMBERED = 50_000
"""Words whose weights are kept: a hostile page shall not fill the memory."""
_STOP = re.compile(r"[.!?。！？…\n]")

_Weigh = Callable[[str], float]


class Foreign(NamedTuple):
    """A span in a language other than its page's: character offsets, `end` exclusive."""

    start: int
    end: int
    languages: frozenset[str]
    """Names of possible languages, or of the script; `CIPHER` if no known language fits."""


def foreign_stretches(text: str, asked: Sequence[str] = ()) -> list[Foreign]:
    """Find isolated spans in a language other than the page's and the question's, in order.

    `asked` is the question and its sub-questions and queries. Titles, names and terms are too short to be found. A
    language is ignored if a considerable share of the page is in it, or if the question uses or names it.
    """
    return not_wanted(_foreign(text), asked)


def not_wanted(found: Sequence[Foreign], asked: Sequence[str]) -> list[Foreign]:
    """The spans whose language the question neither uses nor names nor quotes."""
    if not found or not asked:
        return list(found)
    wanted = frozenset[str]().union(*map(_wanted, asked))
    return [one for one in found if wanted.isdisjoint(one.languages)]


def _wanted(said: str) -> frozenset[str]:
    words = LETTERS.findall(said)
    scripts = {script_of(word[0]) for word in words if len(word) >= FEW_LETTERS} - {"", "Latin"}
    named = {name for word in words for name in (word, f"{word}_Bokmal") if word[0].isupper()}
    # The question asks for scripts that it quotes and for languages that it names.
    return frozenset({language_name(guess(said)), *scripts, *named} - {""})


def _foreign(text: str) -> tuple[Foreign, ...]:
    code = guess(text)
    rough = _rough_weights(code or "en")
    # A word weighs no more once the page's own vocabulary is known: what is light now stays light.
    heavy = [(one, runs) for one in _paragraphs(text) if (runs := _runs(text, one, rough))]
    if not heavy:
        return ()
    page = PageLanguage.of(text, common_words(code or "en"), [run for _, runs in heavy for run in runs])
    found: list[Foreign] = []
    weights = _Weights(page.weight)
    for start, end in (run for one, _ in heavy for run in _runs(text, one, weights)):
        if languages := page.languages(text[start:end]):
            found.append(Foreign(*_sentences(text, start, end), languages))
    return tuple(_isolated(text, _merged(text, found)))


class _Paragraph(NamedTuple):
    """Where it lies, and its words, numbers and signs."""

    start: int
    end: int
    tokens: list[str]


def _paragraphs(text: str) -> Iterator[_Paragraph]:
    at = 0
    for end in (*(match.start() for match in _PARAGRAPH.finditer(text)), len(text)):
        yield _Paragraph(at, end, _TOKEN.findall(text, at, end))
        at = end


class _Weights(dict[str, float]):
    """The weights of words, numbers and signs, each reckoned once: pages repeat most of theirs."""

    def __init__(self, weigh: _Weigh) -> None:
        super().__init__()
        self._weigh = weigh

    def __missing__(self, token: str) -> float:
        if len(self) >= _REMEMBERED:
            self.clear()
        weight = self[token] = _weight(token, self._weigh)
        return weight


@lru_cache(maxsize=8)
def _rough_weights(code: str) -> _Weights:
    """What the common words of a language alone tell, for all pages in it."""
    return _Weights(PageLanguage(common_words(code), frozenset(), frozenset()).weight)


def _runs(text: str, paragraph: _Paragraph, weights: _Weights) -> list[tuple[int, int]]:
    """The spans whose sum of weights reaches `_ENOUGH`. Takes linear time."""
    start, end, tokens = paragraph
    own = list(map(weights.__getitem__, tokens))
    # Most paragraphs could not reach it if nothing in them weighed against it.
    if sum([weight for weight in own if weight > 0]) < _ENOUGH:
        return []
    spans = list(_heavy(own))
    places = [match.span() for match in _TOKEN.finditer(text, start, end)] if spans else []
    return [(places[first][0], places[last][1]) for first, last in spans]


def _heavy(weights: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of each run of weights whose sum reaches `_ENOUGH`."""
    first = last = 0
    total = best = 0.0
    for at, weight in enumerate(weights):
        if total <= 0:
            if weight <= 0:
                continue
            first, total, best = at, 0.0, 0.0
        total += weight
        if total > best:
            best, last = total, at
        if total <= 0 or total < best - _DROP:
            if best >= _ENOUGH:
                yield first, last
            total = best = 0.0
    if best >= _ENOUGH:
        yield first, last


def _weight(token: str, weigh: _Weigh) -> float:
    """Return the weight of a word, number or sign."""
    if not token[0].isalpha() or token.startswith(("http", "www.")) or "." in token:
        return _NUMBER if token.isdecimal() else SIGN
    if WIDE.match(token):
        return min(0.0, weigh(token)) or _WIDE_WEIGHT * len(token)
    return 0.0 if len(token) == 1 else weigh(token)


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to the bounds of its first and last sentence."""
    low = max(0, start - _SENTENCE)
    first = max((match.end() for match in _STOP.finditer(text, low, start)), default=low)
    match = _STOP.search(text, end, min(len(text), end + _SENTENCE))
    last = (
        match.end() if match and match.group() != "\n" else match.start() if match else min(len(text), end + _SENTENCE)
    )
    return first + len(text[first:start]) - len(text[first:start].lstrip()), last


def _merged(text: str, found: Sequence[Foreign]) -> list[Foreign]:
    merged: list[Foreign] = []
    for one in found:
        last = merged[-1] if merged else None
        if last and one.start - last.end <= _APART and "\n\n" not in text[last.end : one.start]:
            shared = last.languages & one.languages or last.languages | one.languages
            merged[-1] = Foreign(last.start, max(last.end, one.end), shared)
        else:
            merged.append(one)
    return merged


def _isolated(text: str, found: Sequence[Foreign]) -> Iterator[Foreign]:
    """The spans in languages that the page hardly uses."""
    whole = max(1, sum(map(len, LETTERS.findall(text))))
    counted: Counter[str] = Counter()
    for one in found:
        size = sum(map(len, LETTERS.findall(text[one.start : one.end])))
        counted.update(dict.fromkeys(one.languages, size))
    for one in found:
        if all(counted[name] < CONSIDERABLE * whole for name in one.languages):
            yield one
