"""Versions: finds numbers beside the name of what they number; a page's title may give them for the text below."""

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
"""A number with more parts is not a version."""
_OTHER = re.compile(rf"\b(?:{alternatives('versions.spoken')})\s?(\d+(?:\.\d+)+)(?![\w%]|[.,]\d)")
"""Expressions that give a version without a name."""


@dataclass(frozen=True, slots=True)
class _Version:
    name: str
    digits: str
    start: int
    end: int
    sure: bool
    """Whether it cannot be a count: it has two dots, is called a version, or has one dot after a capitalised name."""


def without_titled(claim: str, evidence: str, titles: str) -> str:
    """Return the claim without the version numbers that the titles give.

    "Django 3.2" matches the title "Django 3.2.25 documentation" above words without a version. A year, a count or a
    percentage does not match, nor does a version if the words give another one.
    """
    titled = [one for line in titles.split("\n") for one in _versions(line) if one.sure]
    named = {one.name for one in titled}
    given = {(one.name, line) for one in titled for line in _lines_of(one.digits)}
    meant = list(_versions(claim))
    own = {one.digits for one in meant}
    # The version of another thing ("MariaDB 10.3+") says nothing against that of the title.
    spoken = {one.digits for one in _versions(evidence) if one.name in named}.union(_OTHER.findall(evidence.casefold()))
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
    """Return the versions that include this one: 3.2.25 belongs to 3, 3.2 and 3.2.25, but not to 3.20."""
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
