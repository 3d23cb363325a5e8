"""How a query's limits are passed to an engine: as words in the query or as parameters."""

import re
from datetime import date, timedelta
from typing import Literal

from deepresearch_mcp.records.request import Filters

MOST_SITES = 6
"""Domains that are put into a query: with more, engines answer worse or not at all, and the stage filters anyway."""

Span = Literal["day", "week", "month", "year"]

# A day more than the name says: engines count hours back from now, limits are whole days.
_SPANS: tuple[tuple[int, Span], ...] = ((0, "day"), (6, "week"), (29, "month"), (364, "year"))


def with_sites(text: str, filters: Filters, *, characters: int = 400, words: int = 50) -> str:
    """Write domain limits as `site:` operators behind the query, which is cut to leave them room.

    More than `MOST_SITES` domains on a side are left out.
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
    """Return the first words that fit, on one line; a word longer than all the room is cut."""
    kept: list[str] = []
    room = characters + 1
    for word in text.split()[:words]:
        room -= len(word) + 1
        if room < 0:
            break
        kept.append(word)
    return " ".join(kept) or text.strip()[:characters]


def language_code(filters: Filters) -> str:
    """Return the two or three letters of the language asked for, "" for none or for what is no language code."""
    match = re.fullmatch(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", filters.language.strip().lower())
    return match.group(1) if match else ""


def country_code(filters: Filters) -> str:
    """Return the country asked for as two small letters, "" for none or for what is no country code."""
    region = filters.region.strip().lower()
    return region if re.fullmatch(r"[a-z]{2}", region) else ""


def since(filters: Filters, today: date) -> Span | None:
    """Return the shortest span back from today that holds every page wanted; None when none does, or no date is given.

    An end of the dates cannot be told this way: newer pages come too.
    """
    if filters.published_after is None:
        return None
    days = (today - filters.published_after).days
    return next((span for longest, span in _SPANS if days <= longest), None)


def shifted(day: date, days: int) -> date:
    """Return the day so many days later, or the first or last day that a date can hold."""
    try:
        return day + timedelta(days)
    except OverflowError:
        return date.max if days > 0 else date.min
