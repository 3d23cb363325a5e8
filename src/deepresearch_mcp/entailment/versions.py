"""Versions: a number beside the name of what it numbers, which a page's title may give for all that stands beneath."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from deepresearch_mcp.entailment.rules import alternatives, whole_threshold, word_list
from deepresearch_mcp.text.dates import MONTHS
from deepresearch_mcp.text.stopwords import STOPWORDS

_WORD = r"(?P<name>[^\W\d_][\w+#.-]{0,40}[\w+#]|[^\W\d_])"
_LINK = rf"(?:['’]s?)?[\s-]{{1,2}}(?P<said>\(?(?:{alternatives('versions.said')})\s?)?\(?"
_DIGITS = r"(?P<digits>\d{1,4}(?:\.\d{1,4}){0,3})(?:\.x\b)?(?![\w%°]|[.,]\d)"
_COUNTED = rf"(?!\s?-?(?:{alternatives('versions.counted')}))"
_BESIDE = re.compile(rf"(?<![\w$€£.#+-]){_WORD}{_LINK}{_DIGITS}{_COUNTED}")
_RELEASED = re.compile(rf"\)?,?\s(?:{alternatives('versions.released')})\b", re.IGNORECASE)
_NO_NAMES = STOPWORDS["en"] | MONTHS.keys() | word_list("versions.no_names")
_PARTS = whole_threshold("versions.parts")
"""More parts has no version."""
_OTHER = re.compile(rf"\b(?:{alternatives('versions.spoken')})\s?(\d+(?:\.\d+)+)(?![\w%]|[.,]\d)")
"""Where a text says of what version it speaks without a name."""


@dataclass(frozen=True, slots=True)
class _Version:
    name: str
    digits: str
    start: int
    end: int
    sure: bool
    """It cannot be a count: it has two dots, is called a version or a release, or has a name's capital and one dot."""


def without_titled(claim: str, evidence: str, titles: str) -> str:
    """Return the claim without the numbers of the versions that the titles give.

    "Django 3.2" of a claim is met by "Django 3.2.25 documentation" over words without a version. A year, a count or a
    percentage is not, nor a version where the words speak of another one.
    """
    titled = (one for line in titles.split("\n") for one in _versions(line) if one.sure)
    given = {(one.name, line) for one in titled for line in _lines_of(one.digits)}
    meant = list(_versions(claim))
    own = {one.digits for one in meant}
    spoken = {one.digits for one in _versions(evidence)}.union(_OTHER.findall(evidence.casefold()))
    if any("." in one and own.isdisjoint(_lines_of(one)) for one in spoken):
        return claim
    kept: list[str] = []
    at = 0
    for one in meant:
        if (one.name, one.digits) in given:
            kept.append(claim[at : one.start])
            at = one.end
    return "".join([*kept, claim[at:]])


def _lines_of(version: str) -> list[str]:
    """The versions of which it is one: 3.2.25 is of 3, of 3.2 and of itself, not of 3.20."""
    ends = (at for at, char in enumerate(version) if char == ".")
    return [*(version[:end] for end in islice(ends, _PARTS)), version]


def _versions(text: str) -> Iterator[_Version]:
    for match in _BESIDE.finditer(text):
        name, digits = match["name"], match["digits"]
        if name.casefold() in _NO_NAMES or (digits.isdigit() and len(digits) > 2):
            continue
        dots = digits.count(".")
        sure = dots > 1 or bool(match["said"] or _RELEASED.match(text, match.end()))
        yield _Version(
            name.casefold(),
            digits,
            match.start("digits"),
            match.end("digits"),
            sure or (dots > 0 and not name.islower()),
        )
