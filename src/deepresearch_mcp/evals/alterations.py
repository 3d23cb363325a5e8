"""Makes copies of a quote: restyled ones with the same meaning, and falsified ones with another."""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence

from deepresearch_mcp.text.dates import MONTHS

_LONG_WORD = re.compile(r"\b[^\W\d_]{8,}\b")
_WORD = re.compile(r"[^\W\d_]{3,}")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
_DIGITS = re.compile(r"\d+")
_ELLIPSIS_WORDS = 8
"""Least words of a quote for an ellipsis: three then remain on each side, which is what a part of a quote needs."""
_SWAPS = (
    ("kilometres", "miles"), ("kilometers", "miles"), ("miles", "kilometres"), ("km", "miles"), ("metres", "feet"),
    ("meters", "feet"), ("feet", "metres"), ("million", "billion"), ("billion", "million"), ("thousand", "million"),
    ("hundred", "thousand"), ("%", " percentage points"), ("percent", "percentage points"), ("years", "months"),
    ("months", "years"), ("days", "hours"), ("hours", "days"), ("minutes", "seconds"), ("seconds", "minutes"),
    ("kg", "lb"), ("pounds", "tonnes"), ("tons", "pounds"), ("inches", "metres"), ("acres", "hectares"),
    ("$", "€"), ("£", "$"), ("°C", "°F"), ("°F", "°C"),
)  # fmt: skip
_SPELLED = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty")
_AFFIRMED = re.compile(r"\b(is|are|was|were|can|will|has|have|had|could|would|should|must|does|did)\b(?! not|n['’]t)")
_DENIED = re.compile(r"\b(not|never)\s|n['’]t\b")
_MONTH = re.compile(
    rf"\b({'|'.join(sorted({name for name in MONTHS if len(name) > 3}, key=len, reverse=True))})\b", re.I
)


def restyled(quote: str) -> Iterator[tuple[str, str]]:
    """Yield (kind of change, copy) for copies that differ only in typesetting, or by an ellipsis."""
    for kind, change in _STYLES.items():
        copy = change(quote)
        if copy != quote:
            yield kind, copy


def restyled_page(quote: str, page: str) -> Iterator[tuple[str, str]]:
    """Yield (kind of change, copy of the page) with the quoted words typeset differently in the page."""
    if quote not in page:
        return
    for kind in ("hyphenation", "markup", "spacing", "typography"):
        copy = page.replace(quote, _STYLES[kind](quote))
        if copy != page:
            yield kind, copy


def falsified(quote: str, other_names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (kind of change, copy) for copies with another number, date, unit or name, or with the opposite statement.

    `other_names` are capitalised words that may replace those of the quote; the choice among them is deterministic.
    """
    yield from _other_numbers(quote)
    for found in _MONTH.finditer(quote):
        other = "June" if found.group().lower() != "june" else "October"
        yield "date", quote[: found.start()] + other + quote[found.end() :]
    for unit, other in _SWAPS:
        if found := re.search(rf"(?<![\w]){re.escape(unit)}(?!\w)" if unit.isalnum() else re.escape(unit), quote):
            yield "unit", quote[: found.start()] + other + quote[found.end() :]
    for found in _NAME.finditer(quote):
        strangers = [name for name in other_names if name.lower() not in quote.lower()]
        if strangers:
            other = strangers[zlib.crc32(found.group().encode()) % len(strangers)]
            yield "name", quote[: found.start()] + other + quote[found.end() :]
    if found := _DENIED.search(quote):
        yield "negation", quote[: found.start()] + quote[found.end() :]
    elif found := _AFFIRMED.search(quote):
        yield "negation", f"{quote[: found.end()]} not{quote[found.end() :]}"


def _other_numbers(quote: str) -> Iterator[tuple[str, str]]:
    for found in _DIGITS.finditer(quote):
        digits = found.group()
        year = len(digits) == 4 and digits[:2] in {"17", "18", "19", "20"}
        at = len(digits) - 1
        other = digits[:at] + str((int(digits[at]) + 3) % 10)
        yield "date" if year else "number", quote[: found.start()] + other + quote[found.end() :]
        if len(digits) > 1:
            yield "number", quote[: found.start()] + digits[:-1] + quote[found.end() :]
    for word in _SPELLED:
        if found := re.search(rf"\b{word}\b", quote):
            yield "number", f"{quote[: found.start()]}thirteen{quote[found.end() :]}"


def _typography(quote: str) -> str:
    curly = re.sub(r'"([^"]*)"', "“\\1”", quote).replace("'", "’")
    # Only between words, where a dash is typography; inside a word or number it may change the meaning.
    dashes = re.sub(r"(?<=\s)-(?=\s)", "–", curly)
    return f"“{dashes}”"


def _spacing(quote: str) -> str:
    halves = re.split(r" ", quote)
    return "".join(
        word + ("\u00a0" if number % 3 == 0 else "  " if number % 3 == 1 else "\n")
        for number, word in enumerate(halves)
    ).strip()


def _case(quote: str) -> str:
    return quote.lower() if quote != quote.lower() else quote.upper()


def _hyphenation(quote: str) -> str:
    return _LONG_WORD.sub(lambda found: f"{found.group()[:4]}-\n{found.group()[4:]}", quote, count=2)


def _soft_hyphens(quote: str) -> str:
    return _LONG_WORD.sub(lambda found: f"{found.group()[:4]}\u00ad{found.group()[4:]}", quote)


def _markup(quote: str) -> str:
    found = _WORD.search(quote)
    if found is None:
        return quote
    head, word, tail = quote[: found.start()], found.group(), quote[found.end() :]
    last = _WORD.search(tail)
    if last:
        tail = f"{tail[: last.start()]}[{last.group()}](https://example.org/x){tail[last.end() :]}"
    return f"{head}**{word}**{tail}"


def _ellipsis(quote: str) -> str:
    spans = [found.span() for found in re.finditer(r"\S+", quote)]
    if len(spans) < _ELLIPSIS_WORDS:
        return quote
    middle = len(spans) // 2
    return f"{quote[: spans[middle - 1][1]]} … {quote[spans[middle + 1][0] :]}"


def _unicode(quote: str) -> str:
    return quote.replace("fi", "ﬁ").replace("fl", "ﬂ")


_STYLES: dict[str, Callable[[str], str]] = {
    "typography": _typography,
    "spacing": _spacing,
    "case": _case,
    "hyphenation": _hyphenation,
    "soft hyphens": _soft_hyphens,
    "markup": _markup,
    "ellipsis": _ellipsis,
    "unicode": _unicode,
}
