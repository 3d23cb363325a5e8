"""Which line breaks were made by wrapping a text at some width, and which its author meant."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from deepresearch_mcp.text.stopwords import word_set

_REACH = 3
"""Lines before and behind that tell how wide a text is set."""
NARROW = 40
"""Columns. In lines shorter than this a capital opens an entry of a menu or a list more often than it continues one."""
_FULL = 0.9
"""Share of the width from which on the first line of a sentence counts as full; a heading may stand there."""
_RUNNING = 0.75
"""The same within a sentence: letters of a printed page differ in width, so its lines differ in length."""
_TITLED = 0.9
"""Share of the longer words of a line that are capitalised in a title."""


_OUTLIER = 1.3
"""A line so many times as wide as the next narrower one was not set to the same width."""


class Line(NamedTuple):
    """One line as the author set it."""

    text: str
    """Without the white space around it, and without the marks of a list or a quotation."""
    width: int
    """Columns from the margin to the last character; 0 for a blank line and for one that is no running text."""


def width_around(lines: Sequence[Line], at: int) -> int:
    """Return the width to which the text around a line is set: that of its widest neighbour, or its own.

    One line that is far wider than all others tells nothing, unless it is the next one.
    """
    own = lines[at].width
    ahead = _near(lines, at, 1)
    others = sorted((*_near(lines, at, -1), *ahead[1:]))
    if len(others) > 1 and others[-1] > _OUTLIER * max(others[-2], own):
        others.pop()
    return max((own, *ahead[:1], *others[-1:]))


def _near(lines: Sequence[Line], at: int, step: int) -> list[int]:
    """Return the widths of the next lines of the same paragraph in one direction, the nearest first."""
    found: list[int] = []
    near = at + step
    while 0 <= near < len(lines) and len(found) < _REACH and lines[near].width:
        found.append(lines[near].width)
        near += step
    return found


def goes_on(line: Line, following: Line, width: int, *, opens: bool) -> bool:
    """Tell whether a break between two lines was made by wrapping.

    A text that is wrapped breaks where the next word would not have fitted into `width`. Before a lower case letter and
    behind a word that leaves its phrase open no width is asked for. Rows of a table never go on. `opens` says
    that a sentence begins with the first of the two lines: it may be a heading, and a heading ends with its line.
    """
    said, more = line.text, following.text
    if is_row(said) or (is_row(more) and (said.endswith(":") or not _starts_small(more))):
        return False
    room = width - line.width - 1 - (1 if _is_caseless(more) else len(more.partition(" ")[0]))
    short = following.width < width / 2
    if said.endswith((":", "：")) and short and (room >= 0 or is_title(more)):
        # It leads to a table or a list.
        return False
    if _stays_open(said):
        return True
    if _starts_small(more):
        # A heading or the running title of a page may stand before any line.
        return not (opens and line.width < width / 2 and is_title(said))
    if _FURNITURE.fullmatch(more) or _SUM.match(more):
        # The number of a page, or a cell.
        return False
    if opens and is_title(said) and (room >= 0 or short or is_title(more)):
        return False
    narrow = NARROW // 2 if _is_caseless(more) else NARROW
    return width >= narrow and room < width * (1 - (_FULL if opens else _RUNNING))


def is_full(lines: Sequence[Line], at: int, more: int, *, witnessed: bool) -> bool:
    """Tell whether a line ends exactly where a word of `more` characters would not have fitted any more.

    `witnessed` asks for another line that is about as wide: alone, any line is as wide as it is.
    """
    others = (*_near(lines, at, -1), *_near(lines, at, 1))
    full = lines[at].width + 1 + more > width_around(lines, at)
    return full and (not witnessed or any(one >= _FULL * lines[at].width for one in others))


def is_row(text: str) -> bool:
    """Tell whether a line stands in columns: figures at its end, tabs, or wide gaps between its cells."""
    if text[-1:] in _CELL_ENDS and _figures(text) > 1:
        return True
    return ("   " in text or "\t" in text) and (bool(_WIDE_GAP.search(text)) or len(_GAP.findall(text)) > 1)


def is_title(text: str) -> bool:
    """Tell whether a line is set as a title: most of its longer words are capitalised, and no mark closes it."""
    words = [word for word in _WORD.findall(text) if len(word) >= _LONG_WORD and word not in _SMALL_IN_TITLES]
    if not words or text.endswith((",", ";")) or CLOSED.search(text):
        return False
    return sum(not word[0].islower() for word in words) >= _TITLED * len(words)


_LONG_WORD = 4
"""Letters; shorter words are small in most titles."""
_SMALL_IN_TITLES = word_set("with from into onto upon over under that between about through against than")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CELL = re.compile(r"[$€£¥(+−-]{0,3}\d[\d.,]*+(?<![.,])[)%]{0,2}|—|\(—\)")
_CELL_ENDS = frozenset("0123456789)%—")
_UNITS = frozenset("$€£¥%")
_TAIL = 160
"""Characters at the end of a line in which figures are looked for."""
_GAP = re.compile(r"\S {3,}(?=\S)")
_WIDE_GAP = re.compile(r"\S(?:\t+| {4,})(?=\S)")
_SUM = re.compile(r"\([\d.,]{3,}\) [^\W\d_]")
"""A figure of an account before what it stands for."""
_FURNITURE = re.compile(r"[\W_]*+\d[\d\W_]*+(?<![.!?;:)\]])|[—–-]+")
CLOSED = re.compile(r"[.!?…。！？।]['\"”’»)\]*_]*$")
_SMALL = re.compile(r"[\"'“‘«‹(\[*_`]*([^\W\d_]+)")
_OPEN = re.compile(r"(?:[(\[{“‘«/&+=]|\s[–—-]|(?<=\w)[—-])$|(?:^|\s)([^\W\d_]+)$")


def _figures(text: str) -> int:
    """Count the figures at the end of a line, as in the accounts that a PDF holds; a dash opens none of them."""
    cells: list[str] = []
    for word in reversed(text[-_TAIL:].split()):
        if word not in _UNITS:
            if not _CELL.fullmatch(word):
                break
            cells.append(word)
    # "A fee — $100" is a sentence.
    return 0 if cells[2:] == [] and cells[-1:] == ["—"] else len(cells)


def _starts_small(text: str) -> bool:
    """Tell whether a line opens with a small letter; "iPhone" opens as a capital would."""
    match = _SMALL.match(text)
    return bool(match and match[1][0].islower() and (match[1].islower() or not match[1][1:2].isupper()))


def _is_caseless(text: str) -> bool:
    """Tell whether a line opens in a script without capitals."""
    match = _SMALL.match(text)
    return bool(match and match[1][0].lower() == match[1][0].upper())


def _stays_open(text: str) -> bool:
    """Tell whether a line of several words ends with one that needs another: "at an interval of"."""
    match = _OPEN.search(text)
    if match is None:
        return False
    return " " in text and (match[1] is None or match[1] in _LEADING_WORDS)


_LEADING_WORDS = word_set(
    "a an the of and or nor for from with by at into onto upon than that which who whose was were is are has have had "
    "be been being its their our his as between under about during through against within without per via versus "
    "der die das den dem des ein eine einen einem einer und oder mit von vom zur zum für durch bei "
    "le la les du de et ou une un aux dans pour par sur avec el los las del y o con por para en una "
    "il lo gli della delle di e da nel per una os das dos ao à het een van voor met en"
)
"""Words that no sentence, entry or title ends with; those that follow a verb ("log in") are not among them."""
