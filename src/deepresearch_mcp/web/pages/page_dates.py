"""The day on which a page was published: declared, in a mail's header, or written at the page's head or foot."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any, cast

from htmldate import find_date

from deepresearch_mcp.web.pages.tree import Node, drop, inner_text

_EARLIEST = date(1990, 1, 1)
_LISTINGS = ("pre", "code", "samp", "kbd")
_ISO = re.compile(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY = rf"(?:\w{{3}},? )?(\d{{1,2}}) ({'|'.join(_MONTHS)})[a-z]* (\d{{4}})"
_MAIL = re.compile(rf"^(?:> ?)?Date:\s*{_DAY}|^(?:> ?)?On {_DAY}\b[^\n]{{0,120}}\bwrote:", re.IGNORECASE | re.MULTILINE)
_MAIL_HEAD = 1_500
"""Characters at the beginning of a page in which the header of a mail is looked for, or what it answers."""
_END = 600
"""Characters of text below the title, or at the end of a page, in which a date is the page's own."""
_NAMED = re.compile(r"date|time|publi|post|updated|modified|byline|stamp|meta\b|entry-|info", re.IGNORECASE)
"""Classes and ids of the elements that hold a page's own date."""
_MOST = 60
"""Characters of an element that holds a date and little else."""
_SPACED = 1_000
"""The same with white space."""


def written_date(tree: Node, latest: date) -> date | None:
    """The day that a page without a declared date gives for itself; it removes listings from the tree.

    A mail's own day counts before any other. htmldate's quick search finds the rest; a day that stands in the midst of
    the text, such as a sample value, is not the page's.
    """
    if mailed := _mailed(tree, latest):
        return mailed
    drop(tree, *_LISTINGS)
    try:
        # The extensive search takes six times as long for a tenth more dates, half of them wrong (mediacloud set).
        text = find_date(cast(Any, tree), original_date=True, extensive_search=False, max_date=latest.isoformat())
    except Exception:  # noqa: BLE001 - it fails in many ways on odd trees; a missing date must not cost the page
        return None
    guessed = iso_date(text or "", latest)
    # htmldate also takes "version 3.2.25" for a date, and "March 2016" for the first of the month.
    return guessed if guessed and _is_its_own(guessed, tree) else None


def iso_date(text: str, latest: date) -> date | None:
    """The day at the beginning of a text, from 1990 until `latest`."""
    match = _ISO.match(text)
    return _valid(match.groups(), latest) if match else None


def _valid(parts: tuple[str, ...], latest: date) -> date | None:
    try:
        found = date(*map(int, parts))
    except ValueError:
        return None
    return found if _EARLIEST <= found <= latest else None


def _mailed(tree: Node, latest: date) -> date | None:
    """The day of a mail: in its header, or in the line that names the mail it answers."""
    body = tree.find(".//body")
    # Each piece counts as a character at least, so these hold the head.
    head = "\n".join(islice((body if body is not None else tree).itertext(), _MAIL_HEAD))[:_MAIL_HEAD]
    match = _MAIL.search("\n".join(line.strip() for line in head.split("\n")))
    if match is None:
        return None
    is_header = match[1] is not None
    if is_header and not re.search(r"^(?:From|Subject|To|Message-ID):", head, re.IGNORECASE | re.MULTILINE):
        return None
    day, month, year = match.groups()[:3] if is_header else match.groups()[3:]
    return _valid((year, str(_MONTHS.index(month.lower()) + 1), day), latest)


def _is_its_own(day: date, tree: Node) -> bool:
    """Whether the page says this day of itself: in an element for dates, in an address, or at its head or foot."""
    pattern = _written(day)
    if any(pattern.search(said) for said in _declared(tree)):
        return True
    body = tree.find(".//body")
    text = "".join(body.itertext() if body is not None else tree.itertext())
    text = re.sub(r"\s+", " ", text)
    title = tree.find(".//h1")
    name = re.sub(r"\s+", " ", inner_text(title)).strip() if title is not None else ""
    begin = max(0, text.find(name)) if name else 0
    for match in pattern.finditer(text):
        if match["words"] and not _is_month_of(day, text[max(0, match.start() - 12) : match.end()]):
            continue
        near = begin <= match.start() <= begin + len(name) + _END or match.end() >= len(text) - _END
        if near or match.start() <= _END:
            return True
    return False


def _declared(tree: Node) -> Iterator[str]:
    """What stands in the head's metadata, in <time> and <abbr>, and in short elements that are named for dates."""
    for element in tree.iter("meta", "link", "time", "abbr"):
        yield " ".join(filter(None, (element.get(key) for key in ("content", "href", "datetime", "title"))))
        if element.tag in {"time", "abbr"}:
            yield inner_text(element)
    for element in tree.iter("span", "div", "p", "li", "td", "em", "i", "small", "b", "strong", "a", "h2", "h3", "h4"):
        named = " ".join(filter(None, (element.get("class"), element.get("id"), element.get("itemprop"))))
        if named and _NAMED.search(named) and (said := _short_text(element)) is not None:
            yield said


def _short_text(element: Node) -> str | None:
    """The text of an element; None if it is long, which is known before the whole of it is read."""
    said = ""
    for piece in element.itertext():
        said = (said + piece).lstrip()
        if len(said.rstrip()) > _MOST or len(said) > _SPACED:
            return None
    return said.rstrip()


def _is_month_of(day: date, said: str) -> bool:
    """Whether the month that is named beside a day in words is the right one; of a foreign language any is."""
    months = {word[:3].lower() for word in re.findall(r"[^\W\d_]{3,}", said)} & set(_MONTHS)
    return not months or _MONTHS[day.month - 1] in months


def _written(day: date) -> re.Pattern[str]:
    """The forms of a day with its four-digit year: "2024-03-05", "5. März 2024"."""
    year, month, number = day.year, f"0?{day.month}", f"0?{day.day}"
    between = r"[^\d<>]{1,3}"
    figures = (
        rf"{year}(?:{month}{number}|{between}{month}{between}{number})",
        rf"(?:{number}{between}{month}|{month}{between}{number}){between}{year}",
    )
    words = (rf"{number}(?:[^\W\d]{{2}})?[^\d<>]{{1,20}}{year}", rf"{year}[^\d<>]{{2,20}}{number}")
    return re.compile(rf"(?<!\d)(?:{'|'.join(figures)}|(?P<words>{'|'.join(words)}))(?!\d)")
