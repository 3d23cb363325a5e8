"""What the tag of a passage carries of a claim: the page's date, a version, a count in a heading, a module's name.

A reader sees them in the tag and not in the words that it quotes. A number of the matter itself is never among them.
"""

import re
from collections.abc import Iterator
from datetime import date

from deepresearch_mcp.records.evidence import Quote
from deepresearch_mcp.records.sources import Document

_PAGE = (
    r"(?:page|docs|document(?:ation)?|manual|article|post|report|study|paper|notes?|guide|site|source|message|mail|"
    r"how-to|changelog|tutorial|checklist|blog)s?"
)
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
_REFERRING = re.compile(
    rf"\b(?:the|these|those|all|of|between) (?:{_ANY})(?=\s*(?:[.,;:)]|$))"
    rf"|\b(?:between the|(?:the|only|of) (?:first|last|other)) (?:{_ANY})\b(?! [a-z-]*(?:s|es)\b)",
    re.I,
)
"""A number as a pronoun: "may differ between the two", "the first two are usable"."""
_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S", re.MULTILINE)
_ADDRESS = re.compile(r"https?://[^\s/]+(/\S*)")
_DIGITS = r"\d{1,4}(?:\.\d{1,4}){0,3}"
_ENDS = r"(?![\w%]|[.,]\d)"
_STAGES = frozenset({"alpha", "beta", "rc", "preview", "milestone"})
_NUMBERED = re.compile(rf"\b([A-Za-z][A-Za-z+#]*)(?: (?:release|version))? v?({_DIGITS}){_ENDS}", re.IGNORECASE)
"""A number behind a word: "Python 3.8", "PEP 654", "alpha 1"."""
_ALONE = re.compile(
    r"(?:^|[›»>] |\b(?:release|version) )v?(\d{1,4}(?:\.\d{1,4}){1,3})(?= [›»>—–]| on\b|$)",
    re.IGNORECASE | re.MULTILINE,
)
"""A version that is a heading of its own, or stands behind "Release": it belongs to what the page is about."""
_SUBJECT = re.compile(r"\b[A-Z][A-Za-z+#]{2,}")
_LONGEST = 400
"""Characters that are looked at of a title, from its start, and of headings, from their end: a page sets no bound."""
_BRACKETS = re.compile(r"\([^()]{1,80}\)")


def without_tagged(claim: str, quote: Quote, document: Document) -> str:
    """The claim without the dates, versions, counts and names that the tag of its passage carries."""
    above = f"{document.title[:_LONGEST]}\n{quote.heading[-_LONGEST:]}"
    bracketed = _bracketed(quote, document, above)
    claim = _BRACKETS.sub(lambda found: bracketed.sub(" ", found.group()), claim) if bracketed else claim
    for pattern in (
        *_dates(quote, document),
        *_versions(above),
        *_counts(above),
        *_names(claim, above),
        *_items(quote),
    ):
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
    whole, part = _whole(day), _part(day)
    yield re.compile(rf"\b{_PAGE}\b(?:,? {_SAYING})?(?: on)?,? ?\(?{whole}\)?", re.IGNORECASE)
    yield re.compile(rf"{_AS_OF}{part}", re.IGNORECASE)
    # "A how-to of 2007", "the 2007 Git how-to"
    yield re.compile(rf"\b{_PAGE} (?:of|from|dated) {part}", re.IGNORECASE)
    yield re.compile(rf"\b(?i:a|an|the|this|its) {day.year}(?= (?:[A-Z][\w-]* ){{0,2}}(?i:{_PAGE})\b)")


def _whole(day: date) -> str:
    short = _short(day)
    return rf"(?:{day.isoformat()}|0?{day.day} {short} {day.year}|{short} {day.day},? {day.year})"


def _part(day: date) -> str:
    return rf"(?:{_whole(day)}|{_short(day)} {day.year}|{day.year}-{day.month:02}|{day.year})(?![\w-]|\.\d)"


def _short(day: date) -> str:
    month = _MONTHS[day.month - 1]
    return rf"{month[:3]}(?:{month[3:]})?\.?"


def _bracketed(quote: Quote, document: Document, above: str) -> re.Pattern[str] | None:
    """What may stand in brackets, where a claim names its page or version: "(15)", "(changelog of 3.8.0 alpha 1)"."""
    day = quote.published or document.published
    found = [_part(day)] if day else []
    named = _NUMBERED.findall(above)
    for digits in dict.fromkeys((*(digits for _, digits in named), *_ALONE.findall(above))):
        whole = rf"(?<![\w.]){_dotted(digits)}{_ENDS}"
        found += [whole] if "." in digits else []
    # The first number of a version stands for it only beside what it is the version of.
    majors = {digits.partition(".")[0] for word, digits in named if "." in digits and word[0].isupper()}
    beside = rf"(?:version |release |v|[A-Z]\w+ |(?i:{_PAGE}) )"
    found += [rf"(?<=\(){beside}?{major}(?=\))" for major in sorted(majors)]
    found += [rf"\b{word} {digits}{_ENDS}" for word, digits in named if word.casefold() in _STAGES]
    return re.compile("|".join(found)) if found else None


def _dotted(digits: str) -> str:
    """A version or the line that it belongs to: 3.2.25 is told as 3.2 too."""
    first, *rest = digits.split(".")
    pattern = "".join(rf"(?:\.{one}" for one in rest[1:]) + ")?" * len(rest[1:])
    return rf"{first}\.{rest[0]}{pattern}" if rest else first


def _versions(above: str) -> Iterator[re.Pattern[str]]:
    """A version or number behind the word that it has in a title or heading: "Python 3.8", "PEP 654", "alpha 1"."""
    found = {
        (word, digits)
        for word, digits in _NUMBERED.findall(above)
        if "." in digits or word.casefold() in _STAGES or (len(word) > 1 and word.isupper())
    }
    subjects = set(_SUBJECT.findall(above))
    found |= {(word, digits) for digits in _ALONE.findall(above) for word in subjects}
    for word, digits in sorted(found):
        yield re.compile(
            rf"\b{re.escape(word)}(?:['’]s?)?[ -](?:version |release )?{re.escape(digits)}{_ENDS}", re.IGNORECASE
        )


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
