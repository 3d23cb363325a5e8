"""What the tag of a passage carries of a claim: the page's date, its version, a count in a heading, a module's name.

A reader sees them in the tag and not in the words that it quotes. A number of the matter itself is never among them.
"""

import re
from collections.abc import Iterator

from deepresearch_mcp.records.evidence import Quote
from deepresearch_mcp.records.sources import Document

_PAGE = r"(?:page|docs|document(?:ation)?|manual|article|post|report|study|paper|notes?|guide|site|source)s?"
_SAYING = r"(?:of|from|dated|as of|updated|published|changed|last updated|last changed)"
_AS_OF = r"\b(?:as of|as at|dated|last (?:updated|changed)(?: on)?)\s"
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_VERSION = re.compile(r"\bv?(\d{1,3}(?:\.\d{1,3}){1,2})(?![\w.])")
_NAMED = re.compile(r"([A-Za-z][A-Za-z+#]{2,30})(?:['’]s)?[ -](?:version )?\d")
_DOTTED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,8}")
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SPELT = dict(enumerate(_WORDS, 2))
_ANY = "|".join(_WORDS)
_COUNTED = re.compile(rf"(?<![\w.,-])(?:(\d{{1,3}})-|({_ANY})[ -])([a-z]{{3,}})")
"""A count in a heading. Before a space only in words: "3 Tokenizers" may be the third chapter."""
_REFERRING = re.compile(rf"\b(?:the|these|those|all|of|between) (?:{_ANY})(?=\s*(?:[.,;:)]|$))", re.I)
"""A number as a pronoun: "may differ between the two"."""
_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S", re.MULTILINE)
_ADDRESS = re.compile(r"https?://[^\s/]+(/\S*)")


def without_tagged(claim: str, quote: Quote, document: Document) -> str:
    """The claim without the dates, counts and names that the tag of its passage carries; the rest stays as it was."""
    above = f"{document.title}\n{quote.heading}"
    for pattern in (*_dates(quote, document), *_counts(above), *_names(claim, above), *_items(quote)):
        claim = pattern.sub(" ", claim)
    return _REFERRING.sub(" ", claim)


def versions_of_address(claim: str, document: Document) -> list[str]:
    """Titles that the address gives: for "/django/3.2/" or "django.example/3.2/" the title "django version 3.2"."""
    path = _ADDRESS.match(document.url)
    found = _VERSION.findall(path[1].replace("/", " ").replace("_", " ")) if path else []
    names = {name for name in _NAMED.findall(claim) if name.casefold() in document.url.casefold()}
    return [f"{name} version {version}" for name in sorted(names) for version in found]


def _dates(quote: Quote, document: Document) -> Iterator[re.Pattern[str]]:
    day = quote.published or document.published
    if day is None:
        return
    month = _MONTHS[day.month - 1]
    short = rf"{month[:3]}(?:{month[3:]})?\.?"
    whole = rf"(?:{day.isoformat()}|0?{day.day} {short} {day.year}|{short} {day.day},? {day.year})"
    part = rf"(?:{whole}|{short} {day.year}|{day.year}-{day.month:02}|{day.year})(?![\w-]|\.\d)"
    yield re.compile(rf"\b{_PAGE}\b(?:,? {_SAYING})?(?: on)?,? ?\(?{whole}\)?", re.IGNORECASE)
    yield re.compile(rf"{_AS_OF}{part}", re.IGNORECASE)


def _counts(above: str) -> Iterator[re.Pattern[str]]:
    """A count of something in a heading, with the same word behind it in the claim: "the 12-step procedure"."""
    numbers = {word: str(number) for number, word in _SPELT.items()}
    for digits, spelt, counted in sorted(set(_COUNTED.findall(above.casefold()))):
        number = digits or numbers[spelt]
        said = "|".join(filter(None, (number, _SPELT.get(int(number)))))
        yield re.compile(rf"(?<![\w.,-])(?:{said})(?=[ -]{counted}\b)", re.IGNORECASE)


def _names(claim: str, above: str) -> Iterator[re.Pattern[str]]:
    """The name of a module that the page is about, which looks like an address."""
    for name in sorted(set(_DOTTED.findall(claim)) & set(_DOTTED.findall(above)), key=len, reverse=True):
        yield re.compile(rf"(?<![\w./:@]){re.escape(name)}(?![\w/:@]|\.\w)")


def _items(quote: Quote) -> Iterator[re.Pattern[str]]:
    """The number of the entries that the quote lists, in words."""
    number = len(_ITEM.findall(quote.text))
    if spelt := _SPELT.get(number):
        yield re.compile(
            rf"\b{spelt}\b(?= [a-z-]{{4,}})(?! (?:hundred|thousand|million|billion|per|times|years|months|"
            r"weeks|days|hours|minutes|seconds|percent))",
            re.IGNORECASE,
        )
