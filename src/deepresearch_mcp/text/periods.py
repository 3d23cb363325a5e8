"""Finds the quarters and years of account that a text names, and tells who asks for the newest of several reports."""

import re
from typing import NamedTuple

_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_YEAR = r"(?:19|20)\d\d"
_PATTERN = re.compile(
    rf"\b(?:q(?P<a>[1-4])|(?P<b>first|second|third|fourth)[ -](?:fiscal )?quarter)(?:,? of|,? in|,)?"
    rf"[ _-]{{0,2}}(?:the )?(?:fiscal |fy ?|calendar )?(?:year )?(?P<ay>{_YEAR})(?!\d)"
    rf"|(?<!\d)(?P<cy>{_YEAR})[ _-]{{0,2}}q(?P<c>[1-4])(?!\w)"
    rf"|(?<!\w)(?P<d>[1-4])q[ _-]?(?P<dy>{_YEAR})(?!\d)",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"(?<![\w.,$€£/-])(?P<year>{_YEAR})(?![\w%]|[.,/-]\d)")
_NEWEST = re.compile(r"\b(?:latest|newest|most recent(?:ly)?|current)\b", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:over (?:time|the)|trends?|previous|past|prior|earlier|evolved|quarters|periods|years|reports|filings"
    r"|each (?:\w+ )?(?:quarter|period|year|report)|\d+-[a-z]s)\b",
    re.IGNORECASE,
)


class Period(NamedTuple):
    """A year, or a quarter of one."""

    year: int
    quarter: int = 0
    """1 to 4; 0: the whole year."""


def quarters(text: str) -> list[Period]:
    """The quarters that a text names with their year (`Q3 2022`, `2022 Q3`, `third quarter of 2022`), in its order."""
    return [period for period, _, _ in found_quarters(text)]


def found_quarters(text: str) -> list[tuple[Period, int, int]]:
    """The same with start and end."""
    return [
        (
            Period(
                int(match["ay"] or match["cy"] or match["dy"]),
                int(match["a"] or match["c"] or match["d"] or _WORDS[match["b"].casefold()]),
            ),
            match.start(),
            match.end(),
        )
        for match in _PATTERN.finditer(text)
    ]


def years(text: str) -> list[Period]:
    """The years that a text names alone, in its order."""
    return [Period(int(match["year"])) for match in _ALONE.finditer(text)]


def asks_for_several(question: str) -> bool:
    """Whether a question compares reports of several periods, without naming each."""
    return bool(_SEVERAL.search(question))


def asks_for_newest(question: str) -> bool:
    """Whether a question is about the newest of several reports, and compares it with no other."""
    return bool(_NEWEST.search(question)) and not asks_for_several(question)
