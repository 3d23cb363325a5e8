"""The pages of a printed document joined to one text: a sentence that runs over the end of a page is kept whole."""

import re
from collections import Counter
from collections.abc import Sequence

from deepresearch_mcp.text.wrapping import Line, goes_on

_EDGE = 4
"""Lines at the head and at the foot of a page among which its number and its running titles stand."""
_OFTEN = 3
"""On so many pages a line stands that is a running title."""
_BESIDES_LETTERS = re.compile(r"[\W\d_]+")
_CLOSED = re.compile(r"[.!?:;…。！？]['\"”’»)\]]*$")


def joined_pages(pages: Sequence[str]) -> str:
    """Join the texts of pages, empty ones left out.

    A blank line stands between two pages, but where the latter goes on with a sentence of the former: there a line
    break stands, and the page's number and running titles between the two halves are left out.
    """
    split = [page.split("\n") for page in pages if page]
    if not split:
        return ""
    often = _often(split)
    parts: list[str] = []
    head = 0
    for lines, following in zip(split, [*split[1:], []], strict=True):
        last, first = _foot(lines, often), _head(following, often)
        if head < last and first < len(following) and _runs_on(lines[last - 1], following[first]):
            parts += ("\n".join(lines[head:last]), "\n")
            head = first
        else:
            parts += ("\n".join(lines[head:]), "\n\n")
            head = 0
    return "".join(parts[:-1])


def _often(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    count: Counter[str] = Counter()
    for lines in pages:
        count.update({_bare(line) for line in (*lines[:_EDGE], *lines[-_EDGE:])})
    return frozenset(line for line, pages_with in count.items() if pages_with >= _OFTEN)


def _bare(line: str) -> str:
    """Return the line without figures, which count the pages."""
    return _BESIDES_LETTERS.sub(" ", line).strip()


def _is_furniture(line: str, often: frozenset[str]) -> bool:
    bare = _bare(line)
    return not bare or bare in often


def _foot(lines: Sequence[str], often: frozenset[str]) -> int:
    """Count the lines down to the foot of a page."""
    end = len(lines)
    while end > max(0, len(lines) - _EDGE) and _is_furniture(lines[end - 1], often):
        end -= 1
    return end


def _head(lines: Sequence[str], often: frozenset[str]) -> int:
    """Count the lines of the head of a page."""
    at = 0
    while at < min(_EDGE, len(lines)) and _is_furniture(lines[at], often):
        at += 1
    return at


def _runs_on(last: str, first: str) -> bool:
    """Tell whether a page begins within a sentence; nothing is known of how wide it is set."""
    former, latter = last.strip(), first.strip()
    if not former or not latter or _CLOSED.search(former):
        return False
    return goes_on(Line(former, len(former)), Line(latter, len(latter)), 0, opens=False)
