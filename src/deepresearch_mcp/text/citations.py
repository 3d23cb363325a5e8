"""Citation marks in a report, and links that open a page at the quoted words."""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote as percent

from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.normalise import link_marks
from deepresearch_mcp.text.sentences import Span
from deepresearch_mcp.text.tokens import first_fitting

TEXT = ":~:text="
"""Begins the text fragment of an address: what follows are words that a browser looks for."""
_WHOLE = 80
"""In characters.

A longer quote is linked by its first and last words: browsers match both ends and mark the text between.
"""
_EDGE_WORDS = 5


def text_fragment(url: str, quote: str, page: str = "") -> str:
    """Add a text fragment to an address, so that a browser scrolls to the quoted words and marks them.

    An element's fragment (`#sec`) is kept; an older text fragment is replaced. A quote of over 80 characters is given
    by its first and last five words; if the text of the `page` is given, by as few as lead there and as many as it
    takes. An empty quote leaves the address unchanged.
    """
    words = quote.split()
    if not words:
        return url
    first, last = _edges(words, page) if page else (_EDGE_WORDS, _EDGE_WORDS)
    if len(" ".join(words)) > _WHOLE and len(words) > first + last:
        return fragment_between(url, words[:first], words[-last:])
    return fragment_between(url, words, ())


def fragment_between(url: str, first: Sequence[str], last: Sequence[str]) -> str:
    """Add a text fragment for what stands from the first words to the last; without `last`, for the first alone."""
    address, _, fragment = url.partition("#")
    anchor = fragment.partition(":~:")[0]
    return f"{address}#{anchor}{TEXT}{','.join(_encoded(words) for words in (first, last) if words)}"


def link_to_quotes(links: Sequence[str]) -> str:
    """One address for quotes of one page, from the address of each: a browser goes to the first and marks them all.

    Of several quotes each is named by how it begins, and as many as a short address holds. Where the addresses have no
    text fragments, the first one counts if all are alike, else the page.
    """
    [first, *more] = dict.fromkeys(links)
    if not more:
        return first
    address, ends = zip(*(one.partition(TEXT)[::2] for one in (first, *more)), strict=True)
    if not all(ends):
        return first.partition("#")[0]
    begins = list(dict.fromkeys(one.partition(",")[0] for one in ends))
    return f"{address[0]}{TEXT}{'&text='.join(first_fitting(begins, _LONGEST_FRAGMENT, len))}"


_LONGEST_FRAGMENT = 160
"""Characters of the quotes that one address names; in a list of references thirty of them hid what was quoted."""


_FEWEST, _MOST = (4, 3), 12
"""Words at both ends of a quote that its page is searched for, the fewest and the most."""


@lru_cache(maxsize=1)
def _folded(page: str) -> str:
    # The quotes of one page are linked one after the other.
    return " ".join(page.split()).casefold()


def _edges(words: list[str], page: str) -> tuple[int, int]:
    """How many words at each end of a quote lead a browser to it: it takes the first place that both match."""
    page = _folded(page)
    whole = " ".join(words).casefold()
    start = page.find(whole)
    if start < 0:
        return _EDGE_WORDS, _EDGE_WORDS

    def begins(number: int) -> bool:
        return page.find(" ".join(words[:number]).casefold()) == start

    first = next((number for number in range(_FEWEST[0], _MOST) if begins(number)), _EDGE_WORDS)
    after = start + len(" ".join(words[:first]).casefold())

    def ends(number: int) -> bool:
        said = " ".join(words[-number:]).casefold()
        return page.find(said, after) + len(said) == start + len(whole)

    return first, next((number for number in range(_FEWEST[1], _MOST) if ends(number)), _EDGE_WORDS)


def _encoded(words: Sequence[str]) -> str:
    # Hyphen, comma and ampersand separate the parts of a fragment, and `percent` leaves hyphens unescaped.
    return percent(" ".join(words), safe="", errors="replace").replace("-", "%2D")


COMPARE = "cf."
"""Begins the bracket of a sentence that one of our reports tells as its own judgement: `[cf. 3, 4]`."""
THEREFORE = "∴"
"""The same in reports of earlier versions."""
OWN_SIGN = rf"(?:{THEREFORE}|{re.escape(COMPARE)})"
"""A pattern of both."""
NOTE = (
    f"*A sentence without a mark, or with {COMPARE}, is our own assessment: it rests on what is cited around it and "
    "on the sources named.*"
)
"""Stands once in a report, below the first judgement: by this line its judgements are known when it is read again."""
_LETTERS = r"[a-z]{1,2}(?:,[a-z]{1,2})*"
_OF_SOURCE = rf"\d{{1,4}}(?:{_LETTERS})?"
"""A source, or quotes of it by their letters, as our own reports write them: `3`, `3a`, `3a,c`."""
_MARK = re.compile(rf"(?<!\\)\[(?:{OWN_SIGN} ?)?{_OF_SOURCE}(?:\s?[,;]\s?{_OF_SOURCE})*\](?!\(|\[[^\]\d])")
_PARTS = re.compile(rf"(\d{{1,4}})({_LETTERS})")
_BRACKET = re.compile(r"\[[^\[\]\n]{1,200}\]\Z")
_DEFINITION = re.compile(r"(?m)^[ \t]{0,3}\[\d{1,4}\]:")
_CODE = re.compile(r"`[^`\n]+`")


def marks(text: str) -> list[tuple[int, Span]]:
    """Find the citation marks `[3]`, `[3a,c]`, `[1, 2]` and `[1][2]` outside code, links and link definitions.

    Return one pair for each number: the number, and the span of its bracket.
    """
    shut = _shut(text)
    found: list[tuple[int, Span]] = []
    at = 0
    for match in _MARK.finditer(text):
        span = Span(*match.span())
        while at < len(shut) and shut[at].end <= span.start:
            at += 1
        if (at < len(shut) and shut[at].start <= span.start) or _labels(text, span, found):
            continue
        found.extend((int(number), span) for number in re.findall(r"\d+", match.group()))
    return found


def named_quotes(text: str) -> frozenset[str]:
    """Return the quotes that the marks of a text name by letter: `3a` and `3c` for `[1, 3a,c]`."""
    spans = dict.fromkeys(span for _, span in marks(text))
    sources = (one for start, end in spans for one in _PARTS.findall(text[start:end]))
    return frozenset(f"{number}{letter}" for number, letters in sources for letter in letters.split(","))


def _shut(text: str) -> list[Span]:
    """Return the spans in which marks do not count, in order and without overlaps."""
    spans = [Span(block.start, block.end) for block in blocks(text) if block.kind == "code"]
    spans += [Span(*match.span()) for pattern in (_CODE, _DEFINITION) for match in pattern.finditer(text)]
    opened: list[int] = []
    for start, end in sorted(link_marks(text).items()) if "](" in text else ():
        if text[start] != "]":
            opened.append(start)
        else:
            spans.append(Span(opened.pop(), end))
    apart: list[Span] = []
    for span in sorted(spans):
        if apart and span.start < apart[-1].end:
            apart[-1] = Span(apart[-1].start, max(span.end, apart[-1].end))
        else:
            apart.append(span)
    return apart


def _labels(text: str, span: Span, found: list[tuple[int, Span]]) -> bool:
    """Tell the label of a link, `[words][1]`, from the second of two marks, `[1][2]`."""
    if text[span.start - 1 : span.start] != "]" or (found and found[-1][1].end == span.start):
        return False
    return bool(_BRACKET.search(text[max(0, span.start - 202) : span.start]))


def strip_marks(text: str) -> str:
    """Return the text without its citation marks and the blanks before them."""
    kept: list[str] = []
    at = 0
    for start, end in dict.fromkeys(span for _, span in marks(text)):
        kept.append(text[at:start].rstrip(" \t"))
        at = end
    return "".join([*kept, text[at:]])
