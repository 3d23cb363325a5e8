"""Figures that a sentence may have though no quote holds them: counts, simple sums, dates and versions of the pages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from deepresearch_mcp.entailment.check import NEGATION, details_missing_from
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.number_words import in_digits
from deepresearch_mcp.text.numbers import UNITS, Number, read_details
from deepresearch_mcp.text.sentences import sentences

_MOST_COUNTED = 20
_MOST_FIGURES = 60
"""Figures of the claims that sums are tried with."""
_SET = (
    r"the|these|those|all|other|others|first|last|following|its|their|both|any|each of|either of"
    r"|die|diese[nr]?|alle|den|der|les|ces|tous les|toutes les|los|las|estos|estas|i|le|questi|os|as|estes|de|deze"
)
"""Words before a number that count things the text has named, as in "the four"."""
_LISTED = re.compile(r",\s+(?:and |or |und |oder |et |ou |y |o |e |en )?|;\s+|\s(?:and|or|und|oder|et|ou|y|o|e|en)\s")
_MULTIPLIES = re.compile(r"(?i)\b(?:times|twice|double|triple|at most|at least|up to|maximum|in all|together)\b|×")
"""Words of a sentence that tells a figure as the product of two others."""
_NAMED_FIGURES = re.compile(r"\d[\d.,]*\d|\d")


def records_of(own: Iterable[Claim], titles: Mapping[str, str]) -> str:
    """What the source list says of the pages of these claims: title, headings, date of each."""
    quotes = [quote for claim in own for quote in claim.quotes]
    dates = (f"{one.published.isoformat()}\n{one.published.year}" for one in quotes if one.published)
    return "\n".join(
        dict.fromkeys((*(titles.get(one.source_id, "") for one in quotes), *(one.heading for one in quotes), *dates))
    )


def unexplained(
    missing: Sequence[str], text: str, own: Sequence[Claim], records: str, *, joins: bool, known: str = ""
) -> tuple[str, ...]:
    """The missing details that nothing explains, so that no reader need be asked.

    A count of what the text names and a date, version or number of the page's own record are explained; where facts are
    joined (`joins`), any small count and a sum, difference, product or ratio of two figures of the claims are too, and
    a version that the report speaks of (`known`), since facts are told for the versions that were asked about. So are a
    product that the sentence tells as one, "a second" for another one, a word that only begins a sentence, and "3.10"
    for claims on 3.10.0 to 3.10.8.
    """
    left = [one for one in missing if one == NEGATION or not _is_count(one, text, own, joins=joins)]
    if any("." in one for one in left):
        versions = _versions("\n".join((*(_said(claim) for claim in own), known if joins else "")))
        left = [one for one in left if one not in versions]
    left = [one for one in left if not (_is_spelt_ordinal(one, text) or _only_begins(one, text))]
    if left and any(char.isdigit() for one in left for char in one):
        unknown = set(details_missing_from(text, records))
        # A name is not known from a record here: other rules decide that.
        left = [one for one in left if one in unknown or not one[0].isdigit()]
    if left and (joins or _MULTIPLIES.search(text)):
        figures = [*_figures(own), *_counts(text, missing)]
        left = [one for one in left if not _is_reckoned(one, figures, joins=joins)]
    return tuple(left)


def unreckoned(missing: Sequence[str], own: Sequence[Claim]) -> tuple[str, ...]:
    """The missing details that are no sum, difference or ratio of figures of the claims; one claim may hold both.

    A reader tells whether what was reckoned is what the sentence says.
    """
    figures = _figures(own)

    def is_reckoned(one: str) -> bool:
        return any(map(str.isdigit, one)) and _is_reckoned(one, figures, joins=True, scales=_SCALES)

    return tuple(one for one in missing if not is_reckoned(one))


def unscaled(missing: Sequence[str], own: Sequence[Claim]) -> tuple[str, ...]:
    """The missing figures of a cell that are none of its claims in another unit, without a sign, or rounded.

    A table gives its unit and "down" or "loss" in a heading: "34,800" below "$ million" is "$34.8 billion", and "−19%"
    is "decreased 19%". A reader, who sees row and column, tells whether it is.
    """
    figures = _figures(own)
    return tuple(one for one in missing if not (one[0].isdigit() or one[0] in "-−") or not _is_scaled(one, figures))


def _is_scaled(figure: str, figures: Sequence[Decimal]) -> bool:
    plain = _NAMED_FIGURES.search(figure)
    meant = _decimal(plain.group()) if plain else None
    if not meant:
        return False
    # A figure with a decimal is rounded to it: "0.9" for 878 million is off by more than half a percent, and right.
    exponent = meant.as_tuple().exponent
    half = Decimal(5).scaleb(exponent - 1) if isinstance(exponent, int) and exponent < 0 else Decimal(0)
    room = max(half, meant * _HALF_A_PLACE)
    scaled = (one * scale for one in figures for scale in _SCALES)
    return any(abs(abs(one) - meant) <= room for one in scaled)


_SCALES = tuple(Decimal(10) ** power for power in (-9, -6, -3, 0, 3, 6, 9))
"""Thousands, millions and billions."""
_HALF_A_PLACE = Decimal("0.005")
"""How far a figure in a larger unit may be rounded, as a share: 3.8 for 3,814."""


def _is_spelt_ordinal(figure: str, text: str) -> bool:
    """Whether an ordinal stands in words only: "a second query" is another one, and "per second" none at all."""
    return re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", figure) is not None and figure not in text


def _only_begins(name: str, text: str) -> bool:
    """Whether a word has its capital from the beginning of a sentence or clause: "Outside SQLite", "Try PostgreSQL"."""
    if not name.istitle() or not name.isalpha():
        return False
    places = [one.start() for one in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return bool(places) and all(re.fullmatch(r"(?s)(?:.*[.:;!?])?[\W_]*", text[:at]) for at in places)


def _is_count(figure: str, text: str, own: Sequence[Claim], *, joins: bool) -> bool:
    """Whether a figure comes of counting and not from a page: "two of them", "the four: …", "4 times"."""
    if not figure.isdigit() or not 0 < int(figure) <= _MOST_COUNTED:
        return False
    as_digits = re.search(rf"(?<![\d.,]){figure}(?![\d.,]*\d)", text)
    if joins and (not as_digits or re.search(rf"(?<![\d.,]){figure}(?: times\b|[- ]?fold\b| ?×)", text)):
        return True
    flat = in_digits(text.casefold(), one=False)
    if not re.search(rf"(?<![\w.,]){figure}(?![\w%]|[.,]\d)(?!\s?(?:%|per\s?cent))", flat):
        return False
    if re.search(rf"\b(?:{_SET})\s+(?:\w+\s+)?{figure}\b", flat) and not as_digits:
        return True
    listed = len(_LISTED.split(flat.partition(":")[2])) if ":" in flat else 0
    if int(figure) == listed or (not as_digits and 1 < int(figure) == len(own)):
        return True
    measured = re.search(rf"\b{figure}[\s-](?:{_MEASURES})\b", flat)
    return not as_digits and not measured and _may_be_counted(int(figure), own)


_MEASURES = "|".join(sorted(name for name in UNITS if len(name) > 2 and name.isalpha()))


def _may_be_counted(number: int, own: Sequence[Claim]) -> bool:
    """Whether so many things can be counted in claims that give no count themselves: a list of theirs, or a pair."""
    said = [part for claim in own for part in _parts(_said(claim))]
    counts = {value for part in said for one in read_details(part, one=False).numbers for value in _count_of(one)}
    return bool(said) and not counts and (number == len("ab") or any(len(_LISTED.split(one)) >= number for one in said))


def _count_of(one: Number) -> Iterable[str]:
    """A bare number that counts several things: no version, no measure, and not the 1 of "O(1)"."""
    bare = not one.unit and not one.kind and one.values[0].isdigit()
    return one.values[:1] if bare and 1 < int(one.values[0]) <= _MOST_COUNTED else ()


def _parts(text: str) -> Iterable[str]:
    return (text[span.start : span.end] for span in sentences(text))


def _counts(text: str, missing: Iterable[str]) -> list[Decimal]:
    """Small counts of the sentence itself that its claims lack: "three servers with 200 each" make 600."""
    return [
        Decimal(one)
        for one in missing
        if one.isdigit() and 1 < int(one) <= _MOST_COUNTED and one in in_digits(text.casefold(), one=False)
    ]


def _versions(text: str) -> frozenset[str]:
    """The dotted numbers of a text with the lines that they belong to: 3.10.8, and 3.10 for it; 3.8.0 for 3.8."""
    found = set(_DOTTED.findall(text))
    lines = {one.rpartition(".")[0] for one in found if one.count(".") > 1}
    return frozenset({*found, *lines, *(f"{one}.0" for one in (*found, *lines) if one.count(".") == 1)})


_DOTTED = re.compile(r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w]|\.\d)")


def _said(claim: Claim) -> str:
    return "\n".join((claim.text, *(quote.text for quote in claim.quotes[:1])))


def _figures(own: Sequence[Claim]) -> list[Decimal]:
    said = "\n".join(map(_said, own))
    found = {value for one in read_details(said, one=True).numbers for value in map(_decimal, one.values) if value}
    return sorted(found)[:_MOST_FIGURES]


def _is_reckoned(
    figure: str, figures: Sequence[Decimal], *, joins: bool, scales: Sequence[Decimal] = (Decimal(1),)
) -> bool:
    """Whether a figure is the product of two others or, if `joins`, their sum, difference or ratio, perhaps rounded.

    A sum or a difference may be told in units that are so many times the figures' own (`scales`).
    """
    plain = _NAMED_FIGURES.search(figure)
    meant = _decimal(plain.group()) if plain else None
    if not meant:
        return False
    # What is left of a hundred: a gross margin of 44.7% beside costs of 55.3%.
    if joins and any(0 < one < _HUNDRED and abs(_HUNDRED - one - meant) <= meant * _ADDED for one in figures):
        return True
    for at, less in enumerate(figures):
        for more in figures[at:]:
            if meant == more * less:
                return True
            if not joins:
                continue
            added = (one * scale for one in (more + less, more - less) for scale in scales)
            if any(abs(one - meant) <= meant * _ADDED for one in added):
                return True
            if less and more and any(abs(one - meant) <= meant * _ROUNDED for one in _shares(less, more)):
                return True
    return False


def _shares(less: Decimal, more: Decimal) -> tuple[Decimal, ...]:
    """How many times the one is the other, the one in percent of the other, and by how many percent they differ."""
    apart = more - less
    return (more / less, *(100 * one for one in (less / more, apart / less, apart / more) if one))


_HUNDRED = Decimal(100)
_ADDED = Decimal("0.002")
"""How far a sum or a difference may be rounded, as a share: $41.0 billion for $40,952 million."""
_ROUNDED = Decimal("0.03")
"""How far a ratio or a percentage may be rounded, as a share."""


def _decimal(digits: str) -> Decimal | None:
    try:
        return Decimal(digits.replace(",", ""))
    except InvalidOperation:
        return None
