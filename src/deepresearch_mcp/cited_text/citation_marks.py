"""Finds citation marks in all common forms, and the addresses that they lead to."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deepresearch_mcp.cited_text.masked_text import CitationMark, MaskedText, ReferenceIndex
from deepresearch_mcp.cited_text.references import Reference
from deepresearch_mcp.text.addresses import addresses
from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.citations import OWN_SIGN, THEREFORE
from deepresearch_mcp.text.normalise import link_marks
from deepresearch_mcp.text.sentences import Span
from deepresearch_mcp.text.urls import normalise_url


class Marked(NamedTuple):
    """The marks of a text, and the text without them."""

    marks: tuple[CitationMark, ...]
    """In order of their position."""
    plain: str
    """The text at its full length, with blanks for marks, addresses, link syntax, code blocks and excluded spans."""


def marked(text: str, references: Sequence[Reference], shut: Sequence[Span]) -> Marked:
    """Find all marks outside code and outside the spans in `shut`; offsets count in `text`.

    Superscript numbers and escaped brackets count only if the text has references and no plain bracketed numbers,
    because a text uses one style and `m²` is not a citation. Years in brackets, ranges of years, and intervals from 0
    do not count, unless a reference has that number.
    """
    canvas = MaskedText(text)
    for span in _unread(text, shut):
        canvas.blank(*span)
    for match in _CODE.finditer(canvas.text):
        canvas.hide(*match.span())
    book = ReferenceIndex(references)
    found = [*_links(canvas, book), *_anchors(canvas, book), *_bare(canvas)]
    numbers = list(_numbers(canvas, book))
    if not numbers and references:
        numbers = [*_escaped(canvas, book), *_raised(canvas, book)]
    found += [*numbers, *_authors(canvas)]
    found.sort(key=lambda mark: (mark.start, mark.end))
    return Marked(tuple(found), canvas.bared())


_CODE = re.compile(r"`[^`\n]{1,500}`")


def _unread(text: str, shut: Sequence[Span]) -> Iterator[Span]:
    yield from shut
    for block in blocks(text):
        if block.kind == "code":
            yield Span(block.start, block.end)
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at)
        end = len(text) if end < 0 else end + 3
        yield Span(at, end)
        at = text.find("<!--", end)


_READ = 8_200
"""Most characters examined of a link's words; more than an address may have. The limit is for nested links."""
_OWN_NUMBER = re.compile(r"\\?\[?\W{0,3}(\d{1,4})\W{0,3}\\?\]?")


def _links(canvas: MaskedText, book: ReferenceIndex) -> Iterator[CitationMark]:
    """Find `[words](address)` and `[words][label]`; images are not citations."""
    text = canvas.text
    ends = link_marks(text) if "](" in text else {}
    opened: list[int] = []
    for start, end in sorted(ends.items()):
        if text[start] != "]":
            opened.append(start)
            continue
        first = opened.pop()
        url = _destination(text[start + 2 : end - 1])
        words = text[ends[first] : min(start, ends[first] + _READ)]
        if text[first] == "!":
            canvas.blank(first, end)
        elif number := _OWN_NUMBER.fullmatch(words.strip()):
            yield _numbered_link(book, first, end, number[1], url)
            canvas.blank(first, end)
        elif normalise_url(url):
            yield CitationMark("link", first, end, url, url)
            _unlink(canvas, text, Span(first, end), Span(ends[first], start))
        else:
            canvas.blank(first, ends[first])
            canvas.blank(start, end)
    for match in _LABELLED.finditer(text):
        label = match["label"].casefold()
        if label in book:
            yield book.mark("number" if label.isdigit() else "link", match.start(), match.end(), label)
            canvas.blank(match.start(), match.start("words"))
            canvas.blank(match.end("words"), match.end())


def _destination(written: str) -> str:
    """The address in a link's parentheses, without angle brackets and title."""
    return written.strip().removeprefix("<").partition(">")[0].partition(" ")[0].strip()


_LABELLED = re.compile(
    r"(?<![\\\]!])\[(?!\d{1,4}[a-z]{0,2}(?:,[a-z]{1,2})*\])"
    r"(?P<words>(?=[^\[\]\n]*?[^\W\d])[^\[\]\n]*+)\]\[(?P<label>[^\[\]\n]{1,100})\]"
)


def _numbered_link(book: ReferenceIndex, start: int, end: int, number: str, url: str) -> CitationMark:
    """The mark for `[3](address)`; `[3](#ref-3)` leads to its entry in the list."""
    if normalise_url(url):
        return CitationMark("number", start, end, str(int(number)), url, book.find(str(int(number)), start))
    return book.mark("number", start, end, str(int(number)))


_SHUT_IN = re.compile(r"[(（]\s*\Z")
_SAYS = re.compile(r"[^\W_]")
_SHUT_OUT = re.compile(r"\s*[)）]")


def _unlink(canvas: MaskedText, text: str, whole: Span, words: Span) -> None:
    """Mask a link: all of it if it is only a citation, else only its syntax, since its words belong to the sentence."""
    shown = text[words.start : min(words.end, words.start + _READ)]
    alone = bool(_SHUT_IN.search(text, max(0, whole.start - 3), whole.start)) and bool(_SHUT_OUT.match(text, whole.end))
    if alone or not _SAYS.search(shown) or normalise_url(shown) or shown.startswith("www."):
        canvas.blank(*whole)
    else:
        canvas.blank(whole.start, words.start)
        canvas.blank(words.end, whole.end)


_ANCHOR = re.compile(
    r"<a\b[^<>]{0,300}?\bhref=[\"']?(?P<url>[^\"'\s<>]{1,2000}+)[\"']?[^<>]{0,300}+>(?P<words>.{0,300}?)</a>",
    re.IGNORECASE,
)
_SUP = re.compile(
    r"<sup\b[^<>]{0,100}>[\s\[(]{0,3}(?P<inner>\d{1,4}(?:[\s,–-]{1,2}\d{1,4}){0,20})[\s\])]{0,3}</sup>", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|cite|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|li|mark|ol|p|pre|q|s|small|"
    r"span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)\b[^<>]{0,300}>",
    re.IGNORECASE,
)


def _anchors(canvas: MaskedText, book: ReferenceIndex) -> Iterator[CitationMark]:
    text = canvas.text
    if "<" not in text:
        return
    for match in _ANCHOR.finditer(text):
        url = match["url"].replace("&amp;", "&")
        words = _TAG.sub("", match["words"])
        if number := _OWN_NUMBER.fullmatch(words.strip()):
            yield _numbered_link(book, match.start(), match.end(), number[1], url)
            canvas.blank(*match.span())
        elif normalise_url(url):
            yield CitationMark("link", match.start(), match.end(), url, url)
            _unlink(canvas, text, Span(*match.span()), Span(*match.span("words")))
    for match in _SUP.finditer(canvas.text):
        if any(key in book for key in _expanded(match["inner"])) or not match["inner"].isdigit():
            for key in _expanded(match["inner"]):
                yield book.mark("number", match.start(), match.end(), key)
            canvas.blank(*match.span())
    for match in _TAG.finditer(canvas.text):
        canvas.blank(*match.span())


def _bare(canvas: MaskedText) -> Iterator[CitationMark]:
    for found in list(addresses(canvas.text)):
        yield CitationMark("address", found.start, found.end, found.url, found.url)
        canvas.blank(found.start, found.end)


_PART = r"\d{1,4}(?:[a-z]{1,2}(?:,[a-z]{1,2})*+|\s?[-–—]\s?\d{1,4})?"
_GROUP = rf"{_PART}(?:\s?[,;，、；]\s?{_PART}){{0,60}}"
_BRACKETS = re.compile(
    rf"(?<!\\)\[(?:\^(?P<note>[^\]\s\[]{{1,60}})"
    rf"|(?:(?:[Rr]ef(?:erence)?s?|[Ss]ources?|来源|文献)[.:]?\s?|{OWN_SIGN} ?)?(?P<list>{_GROUP})"
    r"(?:,\s?(?:pp?\.|S\.|§|ch\.|第)\s?[\d–-]{1,12}页?)?)\]"
    rf"|【(?P<wide>{_GROUP.replace(' ', '')}|\d{{1,4}}(?::\d{{1,4}})?)(?P<dagger>†[^】\n]{{0,80}})?】"
)


_BARE_JUDGEMENT = re.compile(rf"(?<!\\)\[{THEREFORE}\]")


def _numbers(canvas: MaskedText, book: ReferenceIndex) -> Iterator[CitationMark]:
    """Find `[3]`, `[1, 4-6]`, `[3a,c]`, `[cf. 3]`, `[∴ 3a]`, `[^note]`, `【3】` and `【3†source】`.

    `[∴]`, which cites nothing, is blanked.
    """
    for match in _BARE_JUDGEMENT.finditer(canvas.text):
        canvas.blank(*match.span())
    for match in _BRACKETS.finditer(canvas.text):
        if note := match["note"]:
            yield book.mark("note", match.start(), match.end(), f"^{note}")
            canvas.blank(*match.span())
            continue
        wide = match["wide"]
        keys = [wide] if wide and ":" in wide else _expanded(wide or match["list"])
        lettered = _LETTERED.search(wide or match["list"])
        if lettered and not any(key in book for key in keys):
            continue  # An index, as in `row[3a]`.
        if not match["dagger"] and not _is_mark(keys, wide or match["list"], book):
            continue
        for own in dict.fromkeys(own for key in keys for own in book.named(key)):
            yield book.mark("number", match.start(), match.end(), own)
        canvas.blank(*match.span())


_LETTERED = re.compile(r"(\d{1,4})([a-z]{1,2}(?:,[a-z]{1,2})*)(?![a-z\d])")
"""Quotes of one source, as our own reports name them."""
_MOST_OF_RANGE = 200
"""Longest range of numbers that is expanded."""
_GREAT = 1000
"""Numbers of at least this size are years or amounts, unless a reference has them."""


def _expanded(group: str) -> list[str]:
    """Return the keys of `1, 4-6, 3a,c`, ranges written out; one that runs backwards stays as it is written."""
    keys: list[str] = []
    for lettered in _LETTERED.finditer(group):
        keys += (f"{int(lettered[1])}{letter}" for letter in lettered[2].split(","))
    for part in re.split(r"\s?[,;，、；]\s?", _LETTERED.sub("", group)):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1] < ends[0] + _MOST_OF_RANGE:
            keys += (str(number) for number in range(ends[0], ends[1] + 1))
        elif len(ends) == 2:
            keys.append("-".join(map(str, ends)))
        else:
            keys += (str(number) for number in ends)
    return list(dict.fromkeys(keys))


def _is_mark(keys: Sequence[str], written: str, book: ReferenceIndex) -> bool:
    """Whether bracketed numbers are a citation, and not an interval, a year or a range of years."""
    numbers = [int(number) for number in re.findall(r"\d+", written)]
    if 0 in numbers and "0" not in book:
        return False
    return any(key in book for key in keys) or all(number < _GREAT for number in numbers)


_ESCAPED = re.compile(rf"\\\[({_GROUP})\\\]")
_SUPERSCRIPT = re.compile(
    r"(?:(?<=[^\W\d_]{3})|(?<=[.,;:!?)\]\"'”’»。，；：！？）」』]))(?P<list>[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}"
    r"(?:[,，˒ ⁻–-]{1,2}[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}){0,20})"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒", "0123456789-,")


def _escaped(canvas: MaskedText, book: ReferenceIndex) -> Iterator[CitationMark]:
    for match in _ESCAPED.finditer(canvas.text):
        yield from _known(canvas, book, match, _expanded(match[1]))


def _raised(canvas: MaskedText, book: ReferenceIndex) -> Iterator[CitationMark]:
    for match in _SUPERSCRIPT.finditer(canvas.text):
        yield from _known(canvas, book, match, _expanded(match["list"].translate(_RAISED).replace(" ", ",")))


def _known(
    canvas: MaskedText, book: ReferenceIndex, match: re.Match[str], keys: Sequence[str]
) -> Iterator[CitationMark]:
    if any(key in book for key in keys):
        for key in keys:
            yield book.mark("number", match.start(), match.end(), key)
        canvas.blank(*match.span())


_NAME = r"[^\W\d_a-z][\w'’-]{1,30}"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_OTHERS = rf"(?: et al\.?|(?:,? (?:and|&|und|et|y) {_NAME}){{1,2}}|(?: {_NAME}){{0,3}})"
_WORK = rf"{_NAME}{_OTHERS},? {_YEAR}(?:, pp?\. ?[\d–-]{{1,9}})?"
_AUTHORS = re.compile(
    rf"\((?:see |cf\. |e\.g\.,? )?(?P<inside>{_WORK}(?:; {_WORK}){{0,8}})\)"
    rf"|(?P<outside>{_NAME}(?: et al\.?| (?:and|&) {_NAME}) \({_YEAR}\))"
)


def _authors(canvas: MaskedText) -> Iterator[CitationMark]:
    """Find `(Smith et al., 2020)` and `Smith and Jones (2020)`, which have no target without a list of works."""
    for match in _AUTHORS.finditer(canvas.text):
        yield CitationMark("author", match.start(), match.end(), match["inside"] or match["outside"])
        if match["inside"]:
            canvas.blank(*match.span())
