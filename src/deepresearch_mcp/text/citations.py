"""Citation marks in a report, and links that open a page at the quoted words."""

import re
from urllib.parse import quote as percent

from deepresearch_mcp.text.sentences import Span

_WHOLE = 80
"""A longer quote is linked by its first and last words: browsers match both ends and mark what is between."""
_EDGE_WORDS = 5


def text_fragment(url: str, quote: str) -> str:
    """Add a text fragment to an address, so that a browser scrolls to the quoted words and marks them.

    An element's fragment (`#sec`) is kept before it, an older text fragment is replaced. A quote of over 80
    characters is given by its first and last five words. An empty quote leaves the address as it is.
    """
    words = quote.split()
    if not words:
        return url
    address, _, fragment = url.partition("#")
    anchor = fragment.partition(":~:")[0]
    whole = " ".join(words)
    if len(whole) > _WHOLE and len(words) > 2 * _EDGE_WORDS:
        ends = f"{_encoded(words[:_EDGE_WORDS])},{_encoded(words[-_EDGE_WORDS:])}"
    else:
        ends = _encoded(words)
    return f"{address}#{anchor}:~:text={ends}"


def _encoded(words: list[str]) -> str:
    # The hyphen, comma and ampersand part the terms of a fragment; `percent` leaves the hyphen as it is.
    return percent(" ".join(words), safe="", errors="replace").replace("-", "%2D")


_MARK = re.compile(r"\[\d{1,4}(?:\s?[,;]\s?\d{1,4})*\](?!\(|:|\[[^\]\d])")
_CODE = re.compile(r"(?ms)^[ \t]{0,3}(```|~~~).*?(?:^[ \t]{0,3}\1[^\n]*$|\Z)|`[^`\n]+`")


def marks(text: str) -> list[tuple[int, Span]]:
    """Find the citation marks `[3]`, `[1, 2]` and `[1][2]` outside code and links.

    One pair for each number: the number, and the span of the bracket it stands in.
    """
    code = [match.span() for match in _CODE.finditer(text)]
    found: list[tuple[int, Span]] = []
    at = 0
    for match in _MARK.finditer(text):
        while at < len(code) and code[at][1] <= match.start():
            at += 1
        if at < len(code) and code[at][0] <= match.start():
            continue
        span = Span(*match.span())
        found.extend((int(number), span) for number in re.findall(r"\d+", match.group()))
    return found


def strip_marks(text: str) -> str:
    """Return the text without its citation marks and the blanks before them."""
    kept: list[str] = []
    at = 0
    for start, end in dict.fromkeys(span for _, span in marks(text)):
        kept.append(text[at:start].rstrip(" \t") if start > at else "")
        at = end
    return "".join([*kept, text[at:]])
