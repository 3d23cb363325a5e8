"""Details: finds the numbers, dates and names of a statement that words, or their substitutes, lack."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from deepresearch_mcp.entailment.denial import contradicts
from deepresearch_mcp.entailment.rules import whole_threshold, word_list
from deepresearch_mcp.entailment.versions import without_titled
from deepresearch_mcp.text.dates import MONTHS
from deepresearch_mcp.text.names import initials, name_runs, name_words
from deepresearch_mcp.text.numbers import UNITS, Details, Number, read_details
from deepresearch_mcp.text.quantities import rounds

NEGATION = "negation"
"""Marks, among missing details, that one text denies what the other states."""


def details_missing_from(statement: str, evidence: str) -> tuple[str, ...]:
    """Return the details of a statement that the evidence lacks.

    They are numbers, then dates, each in canonical form, then names as the statement writes them, then `NEGATION` if
    one text denies what the other states. A number without a unit matches the same number with any unit; a number with
    a unit does not match one with only another unit. Names are compared word by word, at any position. Clauses that the
    statement leaves out do not matter.
    """
    denies = (NEGATION,) if contradicts(statement, evidence) else ()
    return tuple(dict.fromkeys((*missing_details(statement, evidence), *denies)))


def missing_details(statement: str, evidence: str) -> tuple[str, ...]:
    """Return the numbers, dates and names of a statement that the evidence lacks; see `details_missing_from`."""
    said, given = read_details(statement, one=False), read_details(evidence, one=True)
    found = (*_missing_numbers(said, given), *_missing_dates(said, given), *_missing_names(statement, evidence, given))
    return tuple(dict.fromkeys(found))


def missing_below(statement: str, evidence: str, titles: str) -> tuple[str, ...]:
    """Return the numbers, dates and names that the evidence lacks, except versions that a title above it gives.

    "Django 3.2" matches the title "Django 3.2.25 documentation" above words without a version; see
    `versions.without_titled`. Denials are not included.
    """
    missing = missing_details(statement, evidence)
    if not any(one[0].isdigit() for one in missing):
        return missing
    bare = without_titled(statement, evidence, titles)
    # The bare statement's missing details are only used as a filter: without its number it may read otherwise.
    known = set(missing_details(bare, evidence) if bare != statement else missing)
    return tuple(one for one in missing if one in known or not one[0].isdigit())


@dataclass(frozen=True, slots=True)
class PageWords:
    """A page that must hold a name as written; its address may run the name's words together."""

    words: str
    """Title, address and text."""
    address: str

    def names(self, name: str) -> bool:
        """Return whether the page or its address holds every word of a name."""
        address = self.address.casefold()
        return all(
            # A short word would also match inside others.
            (len(word) >= _LONG and word.casefold() in address)
            or re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.words, re.IGNORECASE)
            for word in re.findall(r"\w+", name)
        )


_LONG = whole_threshold("details.long")
"""The shortest word, in characters, that is searched for inside the words of an address."""


class PageNames:
    """The words of a page, prepared for many statements: without accents and dots, and with possible abbreviations."""

    def __init__(self, words: str) -> None:
        self._words = words

    @cached_property
    def _known(self) -> frozenset[str]:
        return name_words(self._words)

    @cached_property
    def _short(self) -> frozenset[str]:
        return initials(self._words)

    def names(self, name: str) -> bool:
        """Return whether the page holds every word of a name, or words that a single one may abbreviate."""
        parts = name_words(name)
        return parts <= self._known or (len(parts) == 1 and parts <= self._short)


def _missing_numbers(said: Details, given: Details) -> Iterator[str]:
    known: dict[str, set[tuple[str, str]]] = {}
    for found in given.numbers:
        for value in found.values:
            known.setdefault(value, set()).add((found.kind, found.unit))
    for reading in (reading for readings in given.dates for reading in readings):
        if year := re.match(r"\d{4}", reading):
            known.setdefault(year.group(), set()).add(("", ""))
    ordinals = any(kind in {"st", "nd", "rd", "th"} for pairs in known.values() for kind, _ in pairs)
    for wanted in said.numbers:
        if wanted.canonical() == "1st" and not ordinals:
            # "First released in 2020" matches "released in 2020", but not "the second release".
            continue
        met = [pair for value in wanted.values for pair in known.get(value, ())]
        if any(_fits(wanted.kind, kind) and _fits(wanted.unit, unit) for kind, unit in met):
            continue
        if not _is_rounded(wanted, given):
            yield wanted.canonical()


def _is_rounded(wanted: Number, given: Details) -> bool:
    """Return whether a measured figure is one of the evidence, rounded: "$76.9 billion" for "$76,881 million".

    A bare number may be a version or a count, which are not rounded, unless it is large.
    """
    value = Decimal(wanted.values[0]) if _PLAIN_FIGURE.fullmatch(wanted.values[0]) else None
    if value is None or not (wanted.kind == "%" or wanted.kind.startswith(" ") or abs(value) >= _LARGE):
        return False
    return any(
        wanted.kind == found.kind and _fits(wanted.unit, found.unit) and rounds(value, Decimal(other))
        for found in given.numbers
        for other in found.values
        if _PLAIN_FIGURE.fullmatch(other)
    )


_PLAIN_FIGURE = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?")
_LARGE = whole_threshold("details.large")
"""From here on a number without a unit may be rounded."""


def _fits(wanted: str, given: str) -> bool:
    return not wanted or not given or wanted == given


def _missing_dates(said: Details, given: Details) -> Iterator[str]:
    known = {reading for readings in given.dates for reading in readings}
    years = {reading[:4] for reading in known}
    counted = {value for found in given.numbers for value in found.values}
    for readings in said.dates:
        if not any(_dated(reading, known, years | counted, given.months) for reading in readings):
            yield readings[0]


def _dated(wanted: str, known: set[str], years: set[str], months: frozenset[int]) -> bool:
    if wanted in known or any(given.startswith(f"{wanted}-") for given in known):
        return True
    if wanted.startswith("--"):
        return any(given.endswith(wanted[1:]) for given in known)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", wanted):
        return f"-{wanted[4:]}" in known and wanted[:4] in years
    if re.fullmatch(r"\d{4}-\d\d", wanted):
        return wanted[:4] in years and int(wanted[5:]) in months
    return wanted in years


def _missing_names(claim: str, evidence: str, given: Details) -> Iterator[str]:
    known = name_words(evidence)
    short = initials(evidence)
    units = {one.unit for one in given.numbers}
    opening = claim[:_OPENING]
    found = dict.fromkeys(name for run in name_runs(claim) for name in run)
    for name in sorted(found, key=lambda one: opening.find(one) % (_OPENING + 1)):
        parts = name_words(name)
        if MONTHS.get(name.casefold()) in given.months or (len(parts) == 1 and parts <= short):
            continue
        # "MB" where the words write megabytes.
        if UNITS.get(name.casefold()) in units:
            continue
        if not all(_named(part, known) for part in parts):
            yield name


_OPENING = whole_threshold("details.opening")
"""Names in these first characters of a claim are sorted by position; later names follow them."""
_INFLECTIONS = tuple(sorted(word_list("details.inflections")))


def _named(word: str, known: frozenset[str]) -> bool:
    """Return whether a name is among the words, also in the plural or as an adjective."""
    if word in known or any(word + ending in known for ending in _INFLECTIONS):
        return True
    return any(word.endswith(ending) and word.removesuffix(ending) in known for ending in _INFLECTIONS)
