"""Converts a query's filters to search operators and parameters of engines."""

import re
from datetime import date, timedelta
from typing import Literal

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.text.urls import in_domains

MOST_SITES = 6
"""Most domains put into a query: with more, engines answer worse or not at all. The stage filters hits anyway."""

Span = Literal["day", "week", "month", "year"]

# Days that each span holds completely: engines count hours back from now, while our limits are whole days.
_SPANS: tuple[tuple[int, Span], ...] = ((0, "day"), (6, "week"), (29, "month"), (364, "year"))


def with_sites(text: str, filters: Filters, *, characters: int = 400, words: int = 50) -> str:
    """Append domain filters to the query as `site:` operators; the query is cut to make room for them.

    If more than `MOST_SITES` domains are included, or excluded, that list is left out.
    """
    parts: list[str] = []
    wanted, unwanted = filters.include_domains, filters.exclude_domains
    if 0 < len(wanted) <= MOST_SITES:
        sites = " OR ".join(f"site:{domain}" for domain in wanted)
        parts.append(f"({sites})" if len(wanted) > 1 else sites)
    if len(unwanted) <= MOST_SITES:
        parts.extend(f"-site:{domain}" for domain in unwanted)
    tail = " ".join(parts)
    used = len(tail) + 1 if tail else 0
    return f"{first_words(text, max(20, characters - used), max(4, words - len(tail.split())))} {tail}".strip()


def first_words(text: str, characters: int, words: int = 1_000) -> str:
    """Return the first words that fit, on one line; a first word that does not fit is cut."""
    kept: list[str] = []
    room = characters + 1
    for word in text.split()[:words]:
        room -= len(word) + 1
        if room < 0:
            break
        kept.append(word)
    return " ".join(kept) or text.strip()[:characters]


def key_terms(text: str, most: int, characters: int) -> str:
    """Return the most telling words of a query, for services that want every word of it on a page.

    At most `most` terms, phrases that the query quotes counted as one; the query itself if it has none.
    """
    return first_words(" ".join(keywords(text, most)) or text, characters)


def language_code(filters: Filters) -> str:
    """Return the two- or three-letter code of the requested language; "" if there is none or it is invalid."""
    match = re.fullmatch(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", filters.language.strip().lower())
    return match.group(1) if match else ""


def country_code(filters: Filters) -> str:
    """Return the requested country as two lower-case letters; "" if there is none or it is invalid."""
    region = filters.region.strip().lower()
    return region if re.fullmatch(r"[a-z]{2}", region) else ""


def since(filters: Filters, today: date) -> Span | None:
    """Return the shortest span back from today that reaches `published_after`; None if it is unset or too long ago.

    A span cannot express `published_before`: newer pages are found as well.
    """
    if filters.published_after is None:
        return None
    days = (today - filters.published_after).days
    return next((span for longest, span in _SPANS if days <= longest), None)


FIRST_DAY = date(1990, 1, 1)
"""Begins a range of dates that has only an end: no web page is older."""


def day_range(filters: Filters, today: date) -> tuple[date, date] | None:
    """Return the first and the last requested day, for engines that need both; None without date limits."""
    after, before = filters.published_after, filters.published_before
    return (after or FIRST_DAY, before or today) if after or before else None


def days_outside(filters: Filters) -> tuple[date | None, date | None]:
    """Return the day before the first and the day after the last requested one, for engines that exclude both."""
    after, before = filters.published_after, filters.published_before
    return (shifted(after, -1) if after else None), (shifted(before, 1) if before else None)


def google_tbs(filters: Filters, today: date) -> str:
    """Return Google's `tbs` parameter for a range of days; "" without date limits."""
    days = day_range(filters, today)
    return f"cdr:1,cd_min:{days[0]:%m/%d/%Y},cd_max:{days[1]:%m/%d/%Y}" if days else ""


def domain_list(domains: tuple[str, ...], most: int) -> list[str]:
    """Return the domains as a list of at most `most`; longer ones are left out, because the stage filters anyway."""
    return list(domains) if len(domains) <= most else []


def leaves_out(address: str, filters: Filters) -> bool:
    """Return whether the domain filters exclude the one site whose pages a data source returns."""
    included, excluded = filters.include_domains, filters.exclude_domains
    return bool(included and not in_domains(address, included)) or in_domains(address, excluded)


def shifted(day: date, days: int) -> date:
    """Return the day `days` later, limited to the range of `date`."""
    try:
        return day + timedelta(days)
    except OverflowError:
        return date.max if days > 0 else date.min


def unix_time(day: date, *, end: bool = False) -> int:
    """Return the seconds of Unix time at which a day begins in UTC, or of its last second."""
    return (day.toordinal() - date(1970, 1, 1).toordinal() + end) * 86_400 - end
