"""Finds dates in text and gives them one canonical form."""

import re
from collections.abc import Iterable

from deepresearch_mcp.text.normalise import normalise

_MONTH_NAMES = (
    "january jan januar jänner janvier enero gennaio janeiro januari",
    "february feb februar février fevrier febrero febbraio fevereiro februari",
    "march mar märz maerz mars marzo março maart",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août aout agosto augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre decembre diciembre dicembre dezembro",
)
MONTHS: dict[str, int] = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
"""The number of each month's name or abbreviation, casefolded, in seven languages."""

_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")(?:\b\.?)"
_YEAR = r"(?:1\d|20|21)\d\d"
_VERB = r"(?!(?<=\smay)\s(?:also|be|only|not|never|have|still|then|cause|take|use|need|contain|hold|appear)\b)"
"""What does not stand behind a month: "set to 1 may only be read" has no date."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_PATTERN = re.compile(
    rf"(?<![\d.,-])(?P<iso>(?P<iy>\d{{4}})(?P<is>[-/])(?P<im>\d{{1,2}})(?P=is)(?P<id>\d{{1,2}}))(?![\d%]|[.,/-]\d)"
    rf"|(?<![\d.,/])(?P<num>(?P<na>\d{{1,2}})(?P<ns>[./-])(?P<nb>\d{{1,2}})(?P=ns)(?P<ny>\d{{4}}))(?!\d)"
    rf"|(?<![\w.,])(?P<day>(?P<da>\d{{1,2}})(?:st|nd|rd|th|\.|º|er)?(?:\s?(?:-|to|and)\s?(?P<dz>\d{{1,2}})(?:st|nd|rd|th|\.)?)?"
    rf"\s(?:of\s|de\s)?(?P<dm>{_MONTH}){_VERB}(?:,?\s(?:de\s|del\s)?(?P<dy>{_YEAR})(?!\d))?)"
    rf"|\b(?P<us>(?P<um>{_MONTH})\s(?P<ua>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?(?:-|to|and)\s?(?P<uz>\d{{1,2}})(?:st|nd|rd|th)?)?"
    rf"(?![\d%]|[.,:]\d)(?:,?\s(?P<uy>{_YEAR})(?!\d))?)"
    rf"|\b(?P<month>(?P<mm>{_MONTH}),?\s(?:of\s|de\s|del\s)?(?P<my>{_YEAR})(?!\d))"
    rf"|\b(?P<quarter>(?:q(?P<qn>[1-4])|(?P<qw>first|second|third|fourth|last)\squarter)(?:\s|-)?(?:of\s|in\s)?(?:fy\s?)?(?P<qy>{_YEAR})(?!\d))"
    rf"|(?<![\d.,])(?P<decade>\d{{3}}0)'?s\b"
    rf"|(?<![\d.,:$€£¥₹^])(?P<season>{_YEAR}[-/]\d\d)(?![\d%-]|[.,]\d)"
    rf"|(?<![\d.,:$€£¥₹^])(?P<year>{_YEAR})(?![\d%]|[.,:]\d|'?s\b)"
)


def dates(text: str) -> frozenset[str]:
    """Return the dates of a text: `2024-03-05`, `2024-03`, `2024`, `--03-05` without a year, `2024-Q1`, `1990s`.

    03/05/2024 is read as the American March 5.
    """
    return frozenset(readings[0] for readings, _, _ in found_dates(normalise(text).text))


def found_dates(flat: str) -> list[tuple[tuple[str, ...], int, int]]:
    """Find the dates of a normalised text: all readings of each, the likeliest first, with start and end."""
    return [
        (readings, match.start(), match.end()) for match in _PATTERN.finditer(flat) for readings in _readings(match)
    ]


def months_named(flat: str, found: Iterable[tuple[str, ...]]) -> frozenset[int]:
    """Return the months that a normalised text mentions, by name or in the dates `found` in it."""
    named = {MONTHS[word] for word in re.findall(r"[^\W\d_]+", flat) if word in MONTHS}
    written = (_MONTH_WRITTEN.match(reading) for readings in found for reading in readings)
    return frozenset(named | {int(match.group(1)) for match in written if match})


_MONTH_WRITTEN = re.compile(r"(?:\d{4}|-)-(\d\d)")


def _readings(match: re.Match[str]) -> list[tuple[str, ...]]:
    if match.group("iso"):
        return _iso(match)
    if season := match.group("season"):
        return _season(season)
    if match.group("num"):
        a, b, year = int(match.group("na")), int(match.group("nb")), match.group("ny")
        order = [(b, a)] if match.group("ns") == "." else [(a, b), (b, a)]
        return [read] if (read := tuple(_date(year, month, day) for month, day in order if _valid(month, day))) else []
    if match.group("day"):
        return _days(match.group("dy"), match.group("dm"), match.group("da"), match.group("dz"))
    if match.group("us"):
        return _days(match.group("uy"), match.group("um"), match.group("ua"), match.group("uz"))
    if match.group("month"):
        return [(f"{match.group('my')}-{_number(match.group('mm')):02}",)]
    if match.group("quarter"):
        number = match.group("qn") or _ORDINALS[match.group("qw")]
        return [(f"{match.group('qy')}-Q{number}",)]
    return [(f"{match.group('decade')}s",)] if match.group("decade") else [(match.group("year"),)]


def _iso(match: re.Match[str]) -> list[tuple[str, ...]]:
    month, day = int(match.group("im")), int(match.group("id"))
    return [(_date(match.group("iy"), month, day),)] if _valid(month, day) else []


def _season(written: str) -> list[tuple[str, ...]]:
    """Read 2018-19 as its two years, and 2010-11 as two years or a month."""
    year, last = written[:4], int(written[5:])
    if last == (int(year) + 1) % 100:
        season = [(year,), (f"{int(year) + 1}",)]
        return [(f"{year}-{last:02}", year), season[1]] if last <= 12 and written[4] == "-" else season
    return [(f"{year}-{last:02}",) if 1 <= last <= 12 else (year,)]


def _days(year: str | None, month: str, *days: str | None) -> list[tuple[str, ...]]:
    number = _number(month)
    return [(_date(year, number, int(day)),) for day in days if day and _valid(number, int(day))]


def _number(month: str) -> int:
    return MONTHS[month.rstrip(".")]


def _valid(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _date(year: str | None, month: int, day: int) -> str:
    return f"{year or '-'}-{month:02}-{day:02}"
