"""Compares two texts on one subject: figures of the same kind, and dates."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from deepresearch_mcp.text.dates import MONTHS, dates
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.numbers import numbers
from deepresearch_mcp.text.stopwords import STOPWORDS

_LABEL = re.compile(
    r"(?P<name>\b(?:[^\W\d_a-z][\w'’.+]*|version|release|chapter|section|figure|table|step|part|level|phase|type|class|"
    r"grade|route|line|no\.?|nr\.?|v))[ -]?v?(?P<number>\d+(?:\.\d+)*)(?![\d%]|[,.]\d)"
)
"""A figure that identifies one of several things: PostgreSQL 17, version 3.2, Chapter 4."""
_FIGURE = re.compile(r"(-?\d+(?:\.\d+)?)(?!\.?\d)(.*)", re.DOTALL)
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_COMMON = frozenset[str]().union(*STOPWORDS.values())


@dataclass(frozen=True, slots=True)
class Quantities:
    """The figures of a text by their kind."""

    figures: Mapping[str, frozenset[Decimal]]
    """Kind ("%", "usd", "" for a bare number) → values; neither dates nor labels."""
    dates: frozenset[str]
    """As `text.dates.dates` writes them."""
    labels: frozenset[str]
    """Figures in names, and ordinals: a different one means a different thing."""


@lru_cache(maxsize=4096)
def quantities(text: str) -> Quantities:
    """Read the figures of a text; numbers that identify a thing are kept apart from those that measure."""
    labels: set[str] = set()

    def named(match: re.Match[str]) -> str:
        name = match["name"].casefold().rstrip(".")
        if name in _COMMON or name in MONTHS or _is_year(match["number"]):
            return match.group()
        labels.add(match["number"])
        return match["name"]

    found = dates(text)
    years = {part for one in found for part in (one, one[:4])}
    figures: dict[str, set[Decimal]] = {}
    for number in numbers(_LABEL.sub(named, text)):
        figure = _FIGURE.fullmatch(number)
        if figure is None or figure[2] in _ORDINAL:
            labels.add(number)  # An ordinal, or a version of several parts.
        elif number not in years:
            figures.setdefault(figure[2].strip(), set()).add(Decimal(figure[1]))
    return Quantities({kind: frozenset(values) for kind, values in figures.items()}, found, frozenset(labels))


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in {"15", "16", "17", "18", "19", "20"}


def differing(one: Quantities, other: Quantities) -> tuple[str, ...]:
    """Return the kinds of which each text has a figure that the other lacks. Rounding is allowed: 3.5 matches 3.46."""
    return tuple(
        kind
        for kind in sorted(one.figures.keys() & other.figures.keys())
        if _lacking(one.figures[kind], other.figures[kind]) and _lacking(other.figures[kind], one.figures[kind])
    )


def apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two texts give different dates: both have dates, and none of one agrees with one of the other.

    A year agrees with a day in it.
    """
    return bool(one and other) and not any(a.startswith(b) or b.startswith(a) for a in one for b in other)


def _lacking(mine: frozenset[Decimal], theirs: frozenset[Decimal]) -> bool:
    return any(not any(_agree(value, other) for other in theirs) for value in mine)


def _agree(one: Decimal, other: Decimal) -> bool:
    """Return whether two figures are equal, or one is the other rounded to the digits that it shows."""
    return one == other or rounds(*sorted(map(_written, (one, other)), key=_shown))


def rounds(rounder: Decimal, finer: Decimal) -> bool:
    """Return whether the first figure is the second one rounded to the two or more digits that it shows.

    76.9 billion rounds 76,881 million; 80 billion shows one digit, which may be another estimate.
    """
    rounder, finer = _written(rounder), _written(finer)
    if _shown(rounder) >= _shown(finer):
        return False
    place = int(rounder.as_tuple().exponent)
    if _shown(rounder) < _ROUNDED or finer.adjusted() - place >= _PRECISE:
        return False
    return finer.quantize(Decimal((0, (1,), place))) == rounder


_ROUNDED = 2
"""Digits that a rounded number must show: 400 and 420 may be two opinions."""
_PRECISE = 28
"""The precision of Python's decimals, in digits."""
_ZEROS = 100
"""From this value on, final zeros may result from rounding."""


def _written(value: Decimal) -> Decimal:
    return value.normalize() if abs(value) >= _ZEROS else value


def _shown(value: Decimal) -> int:
    return len(value.as_tuple().digits)


def undated_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words, without figures and months, which are compared separately."""
    return frozenset(stem(word) for word in content_words(text) if not _is_figure(word))


def undated_names(text: str) -> frozenset[str]:
    """Return the names in a text, casefolded, without figures and months."""
    return frozenset(name.casefold() for name in names_in(text) if not _is_figure(name.casefold()))


def _is_figure(word: str) -> bool:
    return word in MONTHS or any(char.isdigit() for char in word)
