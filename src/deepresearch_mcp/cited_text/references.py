"""Finds the references of a cited text: numbered sources, footnotes and link definitions, with their positions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from deepresearch_mcp.cited_text.list_titles import PLAIN, announced, heading_level
from deepresearch_mcp.cited_text.own_quotes import is_own_quote, own_quotes
from deepresearch_mcp.text.addresses import first_address, without_addresses
from deepresearch_mcp.text.sentences import Span


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a reference list, a footnote or a link definition."""

    key: str
    """The key that marks use: `3`, `^note`, or a link label in lower case; "" for an entry without a number."""
    url: str
    """Its address; "" if the entry has none."""
    title: str
    """The words of the entry, without number and address."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Listing:
    """The references of a text."""

    references: tuple[Reference, ...]
    shut: tuple[Span, ...]
    """Spans of reference lists and definitions, which are not part of the prose; in order and without overlap."""


def listing(text: str) -> Listing:
    """Find every reference list, footnote and link definition. Takes time linear in the length of the text.

    These count as lists: entries under a heading such as References, Sources, Quellen or 参考文献; without a heading,
    lines that begin with `[3]` and contain an address, with the lines that continue them; if nothing else is found,
    the numbered items at the end of the text, if each contains an address. Entries of a list without numbers are
    numbered in order.
    """
    lines = list(_lines(text))
    found: list[_Entry] = []
    shut: list[Span] = []
    taken = [False] * len(lines)
    for first, last in _sections(lines):
        entries = _entries(lines[first:last], every=True)
        if not entries:
            continue
        found += entries
        shut.append(Span(lines[first].start, lines[last - 1].end))
        taken[first:last] = [True] * (last - first)
    for run in _runs(lines, taken):
        entries = _entries(run, every=False)
        found += entries
        shut += [Span(one.start, one.end) for one in entries]
    if not found:
        found, shut = _tail(lines)
    found.sort(key=lambda entry: entry.start)
    return Listing(tuple(_numbered(found)), tuple(sorted(shut)))


class _Line(NamedTuple):
    start: int
    end: int  # Excludes the line break.
    body: str


@dataclass(slots=True)
class _Entry:
    key: str
    start: int
    end: int
    lines: list[str]
    """Its lines; the first without the number."""
    counted: bool = field(default=True)
    """Whether it has its own number, note name or label."""

    @property
    def body(self) -> str:
        """The whole entry without its number."""
        return "\n".join(self.lines)


_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines, with an empty `body` for lines of code blocks."""
    fenced = False
    for match in re.finditer(r"[^\n]*\n|[^\n]+", text):
        body = match.group().rstrip()
        fence = bool(_FENCE.match(body))
        stop = match.end() - match.group().endswith("\n")
        yield _Line(match.start(), stop, "" if fenced or fence else body)
        fenced ^= fence


_NUMBER = r"\d{1,4}"
_START = re.compile(
    r"[ \t>]{0,12}(?:[-*+•][ \t]+)?(?:<(?:li|p|div)\b[^<>]{0,200}>\s?)?(?:<a\b[^<>]{0,200}></a>\s?)?(?:\*\*|__|<sup>)?"
    r"(?:"
    r"\[\^(?P<note>[^\]\s]{1,60})\]:"
    rf"|(?P<linked>\[{_NUMBER}\](?=\())"
    rf"|\[?\\?\[(?P<bracket>{_NUMBER})\\?\](?:(?=\()|\]|)[:：.]?"
    rf"|【(?P<wide>{_NUMBER})(?:†[^】\n]{{0,80}})?】[:：]?"
    rf"|\((?P<round>{_NUMBER})\)(?=\s)"
    rf"|(?P<dotted>{_NUMBER})(?:[.)](?=\s)|[、．])"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})"
    rf"|(?P<sup>(?<=<sup>){_NUMBER}(?=</sup>))"
    r")(?:\*\*|__|</sup>)?[ \t:：]*"
)
_LABEL = re.compile(r"[ \t]{0,3}\[(?P<label>[^\[\]\n]{1,200})\]:[ \t]*<?(?P<url>https?://[^\s<>]{1,2000})")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_FIRM = ("note", "bracket", "wide")
"""Forms that mark a reference wherever they begin a line with an address. A `3.` may be an item of any list."""


class _Mark(NamedTuple):
    key: str
    firm: bool
    rest: str


def _start(body: str) -> _Mark | None:
    """Parse the beginning of an entry; None if the line does not begin one."""
    if label := _LABEL.match(body):
        name = label["label"]
        key = name if name.isdigit() else f"^{name[1:]}" if name.startswith("^") else name.casefold()
        return _Mark(key, firm=True, rest=body[label.start("url") :])
    match = _START.match(body)
    if match is None:
        return None
    kind = match.lastgroup or ""
    if kind == "linked":
        # `[3](https://…)`: the link itself is the entry.
        return _Mark(match["linked"][1:-1], firm=False, rest=body[match.end("linked") :])
    key = match[kind].translate(_RAISED)
    key = f"^{key}" if kind == "note" else str(int(key))
    return _Mark(key, firm=kind in _FIRM, rest=body[match.end() :])


def _sections(lines: list[_Line]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line (exclusive) of each section whose heading announces references.

    A heading of a lower level inside opens a group of references if entries follow it; otherwise it ends the section.
    """
    bodies = [line.body for line in lines] + [""]
    levels = [
        announced(body, bodies[at + 1], opens=_opens_group(lines, at)) if body else 0
        for at, body in enumerate(bodies[:-1])
    ]
    at = 0
    while at < len(lines):
        if levels[at]:
            end = _section_end(lines, at, levels)
            yield at, end
            at = end
        else:
            at += 1


def _section_end(lines: list[_Line], first: int, levels: list[int]) -> int:
    level = levels[first]
    begun = False
    for at in range(first + 1, len(lines)):
        body = lines[at].body
        if 0 < levels[at] <= level:
            return at
        inner = 0 if levels[at] else heading_level(body)
        if inner and (inner <= level or not _opens_group(lines, at)):
            return at
        if level == PLAIN and begun and body and not lines[at - 1].body and not inner and not _is_entry(body):
            # Without a real heading the section ends with its list, not with the chapter.
            return at
        begun = begun or bool(body)
    return len(lines)


def _is_entry(body: str) -> bool:
    return _start(body) is not None or bool(first_address(body))


def _opens_group(lines: list[_Line], at: int) -> bool:
    following = next((line.body for line in lines[at + 1 : at + 4] if line.body), "")
    return bool(following) and _is_entry(following)


def _entries(lines: Iterable[_Line], *, every: bool) -> list[_Entry]:
    """Parse entries. With `every`, lines with an address but without a number are entries too.

    The lines after an entry belong to it up to the next blank line; so does a later line with its first address.
    """
    found: list[_Entry] = []
    blank = led = False
    for line in lines:
        if not line.body:
            blank = True
            continue
        mark, address = _start(line.body), first_address(line.body)
        if mark:
            found.append(_Entry(mark.key, line.start, line.end, [mark.rest]))
            led = bool(first_address(mark.rest))
        elif address and every and (not found or (led and not (found[-1].counted and is_own_quote(line.body)))):
            found.append(_Entry("", line.start, line.end, [line.body], counted=False))
            led = True
        elif found and (not blank or (address and not led)) and not heading_level(line.body):
            found[-1].end = line.end
            found[-1].lines.append(line.body)
            led = led or bool(address)
        else:
            continue  # What follows a line that is no part of the entry is none either.
        blank = False
    # Links after a numbered list, or notes before it, are not entries of it.
    return [entry for entry in found if entry.counted] or found


def _runs(lines: list[_Line], taken: list[bool]) -> Iterator[list[_Line]]:
    """Yield runs of lines outside announced lists that form entries: `[3]` or a label, with an address or in order."""
    run: list[_Line] = []
    marks: list[_Mark] = []
    for index, line in enumerate(lines):
        mark = None if taken[index] or not line.body else _start(line.body)
        if mark and mark.firm and not _INNER.search(mark.rest):
            run.append(line)
            marks.append(mark)
        elif run and line.body and not taken[index] and line.start - run[-1].end == 1 and _goes_on(line.body):
            run.append(line)
        elif line.body or taken[index]:
            yield from _accepted(run, marks)
            run, marks = [], []
    yield from _accepted(run, marks)


_INNER = re.compile(r"(?<!\()\[\d{1,3}\](?!\()")


def _goes_on(body: str) -> bool:
    return body[0] in " \t" or first_address(body) == body.strip(" <>")


def _accepted(run: list[_Line], marks: list[_Mark]) -> Iterator[list[_Line]]:
    if not run:
        return
    numbers = [int(mark.key) for mark in marks if mark.key.isdigit()]
    rises = len(numbers) > 1 and all(one < other for one, other in pairwise(numbers))
    if rises and first_address("\n".join(line.body for line in run)):
        yield run
        return
    groups: list[list[_Line]] = []
    for line in run:
        if _start(line.body):
            groups.append([line])
        else:
            groups[-1].append(line)
    for group, mark in zip(groups, marks, strict=True):
        if mark.key.startswith("^") or any(first_address(line.body) for line in group):
            yield group


_ITEM = re.compile(rf"[ \t]{{0,3}}({_NUMBER})[.)][ \t]+")


def _tail(lines: list[_Line]) -> tuple[list[_Entry], list[Span]]:
    """Parse the numbered items at the end of a text without a reference list, if each contains an address."""
    found: list[_Entry] = []
    for line in reversed(lines):
        if not line.body:
            continue
        match = _ITEM.match(line.body)
        if match is None or not first_address(line.body) or _INNER.search(line.body):
            break
        found.append(_Entry(str(int(match[1])), line.start, line.end, [line.body[match.end() :]]))
    found.reverse()
    rises = [entry.key for entry in found] == [str(number) for number in range(1, len(found) + 1)]
    if len(found) < 2 or not rises:
        return [], []
    return found, [Span(found[0].start, found[-1].end)]


def _numbered(found: list[_Entry]) -> Iterator[Reference]:
    """Yield the entries as references; if none has a number, number them in order."""
    counted = any(entry.counted for entry in found)
    for number, entry in enumerate(found, 1):
        key = entry.key if counted else str(number)
        plain = Reference(key, first_address(entry.body), _title(entry.body), entry.start, entry.end)
        own = replace(plain, title=_title(entry.lines[0]), url=first_address(entry.lines[0]))
        quotes = own_quotes(entry.key, own.url, entry.lines[1:], entry.lines[0])
        yield from [replace(own, key=f"{key}{part}", url=url) for part, url in quotes] or [plain]


_QUIET = ' \t\n-–—:：,.;·|*_"“”<>()[]↗'


def _title(body: str) -> str:
    return " ".join(without_addresses(body).split()).strip(_QUIET)[:300]
