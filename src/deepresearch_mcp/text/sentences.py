"""Finds sentences in running text, Markdown and extracted pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from deepresearch_mcp.text.stopwords import word_set
from deepresearch_mcp.text.wrapping import CLOSED, NARROW, Line, goes_on, is_full, is_row, is_title, width_around

SHORT = 20_000
"""In characters; a text of this length is always processed quickly."""


class Span(NamedTuple):
    """A range of a text in character offsets, `end` exclusive."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Cut a text into sentences, in order, without surrounding white space and list, heading and quote marks.

    A sentence never crosses a blank line, a list item, a heading, a table row or a line of a code block. A line break
    made by wrapping does not end a sentence, at any width (see `wrapping`), nor does an ellipsis set apart by a space.
    A sentence may hold line breaks: fold them for display. Headings, table rows and lines of code are returned whole.
    Citation marks such as `[3]` after the full stop belong to the sentence before them. The time is linear in the
    length of any text.
    """
    found: list[Span] = []
    for block, whole in _blocks(text):
        found.extend(_trimmed(text, *block) if whole else _split(text, block))
    return found


_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r"[ \t]{0,12}(?:`{3,}+(?![^\n]*`)|~~~)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-{3,}|\*{3,}|_{3,})[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦▪–:][ \t]+|(?:\d{1,3}[.)]|\((?:\d{1,2}|[a-zA-Z])\)|[a-zA-Z][.)])[ \t]+(?=\S))")
"""The mark of a list. "(886)" at the start of a row is not one: accounts write losses that way."""
_LETTERED = re.compile(r"[ \t]*[a-zA-Z]\.")
_QUOTED = re.compile(r"[ \t]{0,3}(?:>[ \t]?)++")
_TABLE = re.compile(r"[ \t]*\|.*\|[ \t]*$|[^|\n]++\|[^|\n]++\|")
_ONE_OF_MANY = re.compile(r"[-–:+*]|\(?\w{1,3}[.)]")
"""Marks that may also begin a wrapped line: a dash between words, or a number that ends a sentence."""


class _Row(NamedTuple):
    """One line of a text and its marks."""

    start: int
    end: int
    """The end, line break included."""
    skip: int
    """The length of the marks that open the line."""
    kind: str
    """`prose`, `whole` for a line that is a sentence by itself, `rule` for a line that is none; "" for a blank line."""
    mark: str
    """The mark of a list, with numbers as `0`; "" for none."""
    line: Line


def _blocks(text: str) -> Iterator[tuple[Span, bool]]:
    """Yield the ranges that no sentence may cross, and whether each is one sentence."""
    rows = list(_rows(text))
    lines = [row.line for row in rows]
    often = _often(rows)
    start = -1
    listed_item = False

    def joined(at: int) -> bool:
        row, before = rows[at], rows[at - 1]
        if row.kind != "prose":
            return False
        if row.skip:
            return not listed_item and not often[at] and _by_chance(text, rows, lines, at)
        opens = before.start + before.skip <= start or CLOSED.search(lines[at - 2].text) is not None
        width = width_around(lines, at - 1)
        if at == 1 and before.line.width >= NARROW and not is_title(before.line.text):
            # A passage may begin within a line, whose full width is then unknown.
            width = before.line.width
        return goes_on(before.line, row.line, width, opens=opens)

    for at, row in enumerate(rows):
        if start >= 0 and not joined(at):
            yield Span(start, rows[at - 1].end), False
            start = -1
        if row.kind == "whole":
            yield Span(row.start + row.skip, row.end), True
        elif row.kind == "prose" and start < 0:
            start = row.start + row.skip
            listed_item = bool(row.mark)
    if start >= 0:
        yield Span(start, rows[-1].end), False


def _rows(text: str) -> Iterator[_Row]:
    fenced = False
    for match in _LINE.finditer(text):
        line = match.group()
        if not line:
            break
        fence = bool(_FENCE.match(line))
        ruled = bool(_UNDERLINE.match(line))
        alone = fenced or fence or ruled or bool(_HEADING.match(line) or _TABLE.match(line))
        kind = "rule" if fence or (ruled and not fenced) else "whole" if alone else "prose" if line.strip() else ""
        skip = _lead(line, fenced)
        mark = line[:skip].strip() if kind == "prose" else ""
        said = line[skip:].strip()
        width = len(line.rstrip()) if kind == "prose" and not is_row(said) else 0
        yield _Row(match.start(), match.end(), skip, kind, _NUMBER.sub("0", mark) if mark else "", Line(said, width))
        if fence:
            fenced = not fenced


_NUMBER = re.compile(r"\w+")
_LEADS = re.compile(rf"[:：;]$|{CLOSED.pattern}")
"""The end of the line before a list item, the first one or a later one."""


def _often(rows: Sequence[_Row]) -> list[bool]:
    """Return for each line whether its mark also begins another line of the same paragraph."""
    told: list[bool] = []
    for kind, group in groupby(rows, key=lambda row: row.kind == "prose"):
        own = list(group)
        count = Counter(row.mark for row in own)
        told += [kind and count[row.mark] > 1 for row in own]
    return told


def _by_chance(text: str, rows: Sequence[_Row], lines: Sequence[Line], at: int) -> bool:
    """Return whether an apparent list mark begins its line only by chance of wrapping."""
    row, before = rows[at], rows[at - 1].line
    mark = text[row.start : row.start + row.skip].strip()
    if not _ONE_OF_MANY.fullmatch(mark) or not before.text or _LEADS.search(before.text):
        return False
    number = mark.strip("(.)")
    # A number other than 1 rarely begins a list, and a dash before a lower-case letter is rarely a list mark.
    sure = (number.isdigit() and number != "1") or (mark == "–" and row.line.text[:1].islower())
    return is_full(lines, at - 1, len(mark), witnessed=not sure)


def _lead(line: str, fenced: bool) -> int:
    """Return the length of the marks that open a line; 0 for a continuation line."""
    if fenced:
        return 0
    quoted = _QUOTED.match(line)
    at = quoted.end() if quoted else 0
    mark = _HEADING.match(line, at) or _ITEM.match(line, at)
    if mark is None or (_LETTERED.match(line, at) and not line[at:].lstrip()[:1].islower()):
        # "J. Smith" begins a line with a name, not with an item of a lettered list.
        return at
    return mark.end()


_STOP = re.compile(
    r"(?P<wide>[。！？｡．।॥]+[\"'”’»」』）)\]]*)"
    r"|(?<![.!?…؟۔‼⁇⁈⁉])(?P<stop>\.(?: \.)++|[.!?…؟۔‼⁇⁈⁉]++)(?P<close>[\"'”’»›)\]}*_`]*+)"
    r"(?P<marks>(?:\[\d{1,4}[a-z]{0,2}(?:[,–-] ?(?:\d{1,4}[a-z]{0,2}|[a-z]{1,2}))*\])*)(?=\s|$)"
)
_OMISSION = re.compile(r"\.{2,}|…+|\.(?: \.)+")
_APART = frozenset(" \t\n\u00a0\u202f\"'`“‘«([{")
_NEXT = re.compile(r"[\s\"'“‘«‹(\[{*_`¿¡]*(\w+(?:['’]\w+)?)?")
_BEFORE = re.compile(r"[^\s(\[{\"'“‘«—–/]*$")


def _split(text: str, block: Span) -> Iterator[Span]:
    start = block.start
    for match in _STOP.finditer(text, block.start, block.end):
        if match.end() < block.end and match.group("wide") is None and not _ends(text, match, block):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, block.end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the range without surrounding white space; nothing if it is blank."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left:
        yield Span(start + left, start + right)


# These precede a name or a number and never end a sentence.
_TITLES = word_set(
    "dr mr mrs ms mx prof gen col capt lt sgt maj cmdr adm sen rep gov pres hon rev fr sr st mt messrs mme "
    "mlle vs v cf viz e.g i.e eg ie approx ca resp incl ed eds trans transl z.b u.a d.h bzw vgl hr frau hrn nr "
    "bspw sog dipl ing p.ej sra ud uds art arts av"
)
# These are abbreviations only before a number.
_NUMBERED = word_set(
    "no nos fig figs eq eqs sec secs ch chap vol vols p pp para ref refs tab app n° nº ver v op jan feb mar "
    "apr jun jul aug sep sept oct nov dec abb kap bd s"
)
# These may also end a sentence: they do if a usual opening word follows.
_EITHER = word_set(
    "etc inc ltd corp co llc plc bros jr sr al est dept univ ave blvd rd assn usw ff a.m p.m am pm ph.d m.d "
    "b.a m.a d.c u.s u.k u.n e.u u.s.a s.a min max avg"
)
_OPENERS = word_set(
    "the a an this that these those it its he she they we i you his her their our my there here in on at by "
    "for from with as if when while after before since because although though however but and or so yet "
    "moreover furthermore meanwhile nevertheless therefore thus instead also another both each many most some "
    "such what who why how where to during until despite according not no"
)
_MONTHS = word_set(
    "januar februar märz april mai juni juli august september oktober november dezember jänner jahrhundert "
    "januari februari maart mei augustus"
)


def _ends(text: str, match: re.Match[str], block: Span) -> bool:
    """Return whether a stop ends its sentence."""
    following = _NEXT.match(text, match.end(), min(block.end, match.end() + 80))
    word = (following.group(1) or "") if following else ""
    stop = match.group("stop")
    if _OMISSION.fullmatch(stop) and (match.start() == block.start or text[match.start() - 1] in _APART):
        # An ellipsis set apart replaces omitted words, as in "SELECT ... FOR UPDATE"; one that ends a sentence is
        # written "Wait...".
        return False
    if word[:1].islower():
        # "Really?" he asked; "… and so on"; e.g. this. After a bare ! or ? a new sentence may begin in lower case.
        return stop[-1] in "!?؟" and not match.group("close") and "…" not in stop and ".." not in stop
    if stop != "." or match.group("close"):
        return True
    before = _BEFORE.search(text, max(block.start, match.start() - 24), match.start())
    return not _is_abbreviation(before.group() if before else "", word)


def _is_abbreviation(before: str, word: str) -> bool:
    token = before.casefold()
    if token in _TITLES:
        return True
    if token in _NUMBERED:
        return word[:1].isdigit() or (before == "No" and not word)
    if token.isdigit() and len(token) <= 2:
        return word.casefold() in _MONTHS
    initial = len(before) == 1 and before.isalpha() and before.isupper()
    dotted = len(token) <= 8 and "." in token and all(len(part) <= 1 for part in token.split("."))
    if initial or dotted or token in _EITHER:
        return word.casefold() not in _OPENERS
    return False
