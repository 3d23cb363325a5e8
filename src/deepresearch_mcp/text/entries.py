"""Finds the entries of definition lists, such as API references: a term or signature with its explanation.

The page reader writes a definition list as `* term` above `: explanation`, with deeper lines indented by two columns.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

TERM = "* "
SAID = ": "
"""Marks of a term's line, and of the first line of its explanation."""
_TITLE = 120
"""In characters. A longer title is cut to the first term, and a signature to its name without parameters."""
_LINE = re.compile(r"( *)(\* |: |(?:```(?![^\n]*[^`\n]`)|~~~))?([^\n]*)\n?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A part of a text: the lines of its terms and everything under them, inner entries included."""

    start: int
    end: int
    title: str
    """Its terms on one line."""
    above: "Entry | None"
    """The entry that contains it; None at the top level."""


def entries(text: str) -> list[Entry]:
    """Find the entries in order, each before its inner ones; a term without an explanation is not an entry."""
    rows: list[tuple[int, list[str], int | None]] = []
    ends: list[int] = []
    opened: list[tuple[int, int]] = []
    """Indent and number of the entries that the line may still belong to."""
    terms: list[tuple[int, str]] = []
    at = -1
    """The indent of `terms`."""
    fenced = False
    for match in _LINE.finditer(text):
        indent, mark, rest = len(match[1]), match[2] or "", match[3]
        if not (mark or rest):
            terms = []
            continue
        said = mark == SAID and not fenced
        while not fenced and opened and opened[-1][0] >= indent + said:
            opened.pop()
        if said and terms and at == indent:
            rows.append((terms[0][0], [term for _, term in terms], opened[-1][1] if opened else None))
            ends.append(0)
            opened.append((indent, len(rows) - 1))
        for _, number in opened:
            ends[number] = match.end() - match[0].endswith("\n")
        if at != indent or mark != TERM:
            terms, at = [], indent
        if mark == TERM and not fenced:
            terms.append((match.start(), rest))
        if mark in {"```", "~~~"}:
            fenced = not fenced
    found: list[Entry] = []
    for (start, named, above), end in zip(rows, ends, strict=True):
        found.append(Entry(start, end, _title(named), None if above is None else found[above]))
    return found


def enclosing(found: Sequence[Entry], start: int, end: int) -> tuple[Entry, ...]:
    """Return the entries that contain the whole range, outermost first; `found` holds all entries of the text."""
    number = bisect_right(found, start, key=lambda entry: entry.start) - 1
    entry = found[number] if number >= 0 else None
    kept: list[Entry] = []
    while entry is not None:
        if end <= entry.end:
            kept.append(entry)
        entry = entry.above
    return tuple(reversed(kept))


def _title(terms: Sequence[str]) -> str:
    whole = ", ".join(" ".join(term.split()) for term in terms)
    if len(whole) <= _TITLE:
        return whole
    first = " ".join(terms[0].split())
    if len(first) <= _TITLE:
        return first
    name, bracket, _ = first.partition("(")
    if bracket and len(name) <= _TITLE:
        return f"{name}(…)"
    return f"{first[: first.rfind(' ', 0, _TITLE) if ' ' in first[:_TITLE] else _TITLE]}…"
