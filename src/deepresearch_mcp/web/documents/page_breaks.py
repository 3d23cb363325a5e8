"""Joins the pages of a printed document and keeps sentences that cross a page break whole."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deepresearch_mcp.text.wrapping import Line, goes_on

_EDGE = 4
"""Lines at the head and at the foot of a page that may be its number or running titles."""
_OFTEN = 3
"""Pages on which a line must recur to be a running title, or a number must count up to be a page number."""
_FIGURE = re.compile(r"\d{1,6}")
_MOST_FIGURES = 6
_LETTER = re.compile(r"[^\W\d_]")
_BESIDES_LETTERS = re.compile(r"[\W_]+")
_CLOSED = re.compile(r"[.!?:;…。！？]['\"”’»)\]]*$")


def joined_pages(pages: Sequence[str]) -> str:
    """Join the texts of pages, without empty ones.

    A blank line separates two pages. Where a page continues a sentence of the page before, a line break joins them
    and the page number and running titles between the halves are dropped. No other line is dropped.
    """
    split = [_Page(number, page.split("\n")) for number, page in enumerate(pages) if page]
    if not split:
        return ""
    furniture = _Furniture(split)
    parts: list[str] = []
    head = 0
    for page, following in zip(split, [*split[1:], _Page(0, [])], strict=True):
        last, first = furniture.foot(page), furniture.head(following)
        if head < last and first < len(following.lines) and _runs_on(page.lines[last - 1], following.lines[first]):
            parts += ("\n".join(page.lines[head:last]), "\n")
            head = first
        else:
            parts += ("\n".join(page.lines[head:]), "\n\n")
            head = 0
    return "".join(parts[:-1])


class _Page(NamedTuple):
    number: int
    lines: Sequence[str]


class _Furniture:
    """Page numbers and running titles of a document: lines that recur at the edges of its pages.

    A number that differs from page to page without counting the pages belongs to the text.
    """

    def __init__(self, pages: Iterable[_Page]) -> None:
        self._count: Counter[str] = Counter()
        for page in pages:
            edges = (page.lines[:_EDGE], page.lines[-_EDGE:])
            self._count.update({form for lines in edges for line in lines for form in _forms(line, page.number)})

    def foot(self, page: _Page) -> int:
        """Return the number of lines above the foot of a page."""
        return len(page.lines) - self._outside(page.number, reversed(page.lines[-_EDGE:]))

    def head(self, page: _Page) -> int:
        """Return the number of lines in the head of a page."""
        return self._outside(page.number, page.lines[:_EDGE])

    def _outside(self, number: int, lines: Iterable[str]) -> int:
        """Count running titles and at most one page number, from the outside in."""
        found = 0
        numbered = False
        for line in lines:
            bare = not _LETTER.search(line)
            if bare and _FIGURE.search(line):
                if numbered:
                    break
                numbered = True
            elif bare:
                found += 1
                continue
            if not any(self._count[form] >= _OFTEN for form in _forms(line, number)):
                break
            found += 1
        return found


def _forms(line: str, number: int) -> Iterator[str]:
    """Yield the forms in which a line would recur on other pages if it were a running title or a page number.

    They are its words and numbers as they are (if it has letters), and with each number in turn as "page + offset".
    """
    figures = [int(found) for found in _FIGURE.findall(line)]
    words = _BESIDES_LETTERS.sub(" ", _FIGURE.sub(" # ", line)).strip()
    if len(figures) > _MOST_FIGURES or not (words or figures):
        return
    if _LETTER.search(line):
        yield f"{words} {figures}"
    for at, figure in enumerate(figures):
        yield f"{words} {[*figures[:at], f'page+{figure - number}', *figures[at + 1 :]]}"


def _runs_on(last: str, first: str) -> bool:
    """Return whether a page begins within a sentence, without knowing the line width."""
    former, latter = last.strip(), first.strip()
    if not former or not latter or _CLOSED.search(former):
        return False
    return goes_on(Line(former, len(former)), Line(latter, len(latter)), 0, opens=False)
