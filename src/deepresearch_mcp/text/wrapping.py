"""Tells line breaks that wrapping made from those that the author meant."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from deepresearch_mcp.text.stopwords import word_set

_REACH = 3
"""Lines before and after that are used to find the width of a text."""
NARROW = 40
"""In columns. In shorter lines, a capital begins an entry of a menu or list more often than it continues one."""
_FULL = 0.9
"""Share of the width from which the first line of a sentence is full; a heading may stand there."""
_RUNNING = 0.75
"""The same within a sentence: printed letters differ in width, so printed lines differ in length."""
_TITLED = 0.9
"""Share of capitalised words among the longer words of a title."""


_OUTLIER = 1.3
"""A line wider than the next narrower one by this factor was not set to the same width."""


class Line(NamedTuple):
    """One line of a text and its width."""

    text: str
    """The text without surrounding white space and without list or quotation marks."""
    width: int
    """Columns from the margin to the last character; 0 for a blank line and a line that is not running text."""


def width_around(lines: Sequence[Line], at: int) -> int:
    """Return the width to which the text around a line is set: the width of its widest neighbour, or its own.

    A single line that is far wider than all others is ignored, unless it is the next one.
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
    """Return whether wrapping made the break between two lines.

    Wrapping breaks a line where the next word would not fit into `width`. The width does not matter before a lower-case
    letter or after a word that leaves its phrase open. Table rows never continue. `opens` says that a sentence begins
    with the first line: that line may be a heading, and a heading ends with its line.
    """
    said, more = line.text, following.text
    if is_row(said) or (is_row(more) and (said.endswith(":") or not _starts_small(more))):
        return False
    room = width - line.width - 1 - (1 if _is_caseless(more) else len(more.partition(" ")[0]))
    short = following.width < width / 2
    if said.endswith((":", "：")) and short and (room >= 0 or is_title(more)):
        # The line introduces a table or a list.
        return False
    if _stays_open(said):
        return True
    if _starts_small(more):
        # A heading, or a page's running title, may precede any line.
        return not (opens and line.width < width / 2 and is_title(said))
    if _FURNITURE.fullmatch(more) or _SUM.match(more):
        # A page number, or a cell.
        return False
    if opens and is_title(said) and (room >= 0 or short or is_title(more)):
        return False
    narrow = NARROW // 2 if _is_caseless(more) else NARROW
    return width >= narrow and room < width * (1 - (_FULL if opens else _RUNNING))


def is_full(lines: Sequence[Line], at: int, more: int, *, witnessed: bool) -> bool:
    """Return whether a line ends exactly where a word of `more` characters no longer fits.

    `witnessed` requires another line of about the same width: alone, any line defines its own width.
    """
    others = (*_near(lines, at, -1), *_near(lines, at, 1))
    full = lines[at].width + 1 + more > width_around(lines, at)
    return full and (not witnessed or any(one >= _FULL * lines[at].width for one in others))


def is_row(text: str) -> bool:
    """Return whether a line is in columns: figures at its end, tabs, or wide gaps between cells."""
    if text[-1:] in _CELL_ENDS and _figures(text) > 1:
        return True
    return ("   " in text or "\t" in text) and (bool(_WIDE_GAP.search(text)) or len(_GAP.findall(text)) > 1)


def is_title(text: str) -> bool:
    """Return whether a line is set as a title: its longer words are mostly capitalised, and no punctuation ends it."""
    words = [word for word in _WORD.findall(text) if len(word) >= _LONG_WORD and word not in _SMALL_IN_TITLES]
    if not words or text.endswith((",", ";")) or CLOSED.search(text):
        return False
    return sum(not word[0].islower() for word in words) >= _TITLED * len(words)


_LONG_WORD = 4
"""In letters; shorter words are in lower case in most titles."""
_SMALL_IN_TITLES = word_set("with from into onto upon over under that between about through against than")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CELL = re.compile(r"[$€£¥(+−-]{0,3}\d[\d.,]*+(?<![.,])[)%]{0,2}|—|\(—\)")
_CELL_ENDS = frozenset("0123456789)%—")
_UNITS = frozenset("$€£¥%")
_TAIL = 160
"""Characters at the end of a line that are searched for figures."""
_GAP = re.compile(r"\S {3,}(?=\S)")
_WIDE_GAP = re.compile(r"\S(?:\t+| {4,})(?=\S)")
_SUM = re.compile(r"\([\d.,]{3,}\) [^\W\d_]")
"""A figure of an account before its label."""
_FURNITURE = re.compile(r"[\W_]*+\d[\d\W_]*+(?<![.!?;:)\]])|[—–-]+")
CLOSED = re.compile(r"[.!?…。！？।]['\"”’»)\]*_]*$")
_SMALL = re.compile(r"[\"'“‘«‹(\[*_`]*([^\W\d_]+)")
_OPEN = re.compile(r"(?:[(\[{“‘«/&+=]|\s[–—-]|(?<=\w)[—-])$|(?:^|\s)([^\W\d_]+)$")


def _figures(text: str) -> int:
    """Count the figures at the end of a line, as in accounts from a PDF; a dash does not begin them."""
    cells: list[str] = []
    for word in reversed(text[-_TAIL:].split()):
        if word not in _UNITS:
            if not _CELL.fullmatch(word):
                break
            cells.append(word)
    # "A fee — $100" is a sentence.
    return 0 if cells[2:] == [] and cells[-1:] == ["—"] else len(cells)


def _starts_small(text: str) -> bool:
    """Return whether a line begins in lower case; "iPhone" counts as a capital."""
    match = _SMALL.match(text)
    return bool(match and match[1][0].islower() and (match[1].islower() or not match[1][1:2].isupper()))


def _is_caseless(text: str) -> bool:
    """Return whether a line begins in a script without capitals."""
    match = _SMALL.match(text)
    return bool(match and match[1][0].lower() == match[1][0].upper())


def _stays_open(text: str) -> bool:
    """Return whether a line of several words ends with one that needs another: "at an interval of"."""
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
"""Words that end no sentence, entry or title; words that can follow a verb ("log in") are excluded."""
