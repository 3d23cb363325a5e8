"""Splits a Markdown or plain text into blocks: headings, listings, tables, prose."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "code", "table", "prose"]


@dataclass(frozen=True, slots=True)
class Block:
    """A range of whole lines, without the final line break."""

    kind: Kind
    start: int
    end: int
    level: int = 0
    """1 to 6 for a heading, else 0."""
    title: str = ""
    """The text of a heading, without marks."""


_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r" {0,12}(`{3,}(?![^\n]*`)|~{3,})")
"""Behind backquotes that open a listing stand no others: ` ```SELECT 1``` ` on one line is a code span."""
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_TABLE = re.compile(r"[ \t]*\|")
_CLOSING = re.compile(r"(?:\A|(?<![ \t])[ \t]++)#++\Z")
_MARKS = re.compile(
    r"(?P<ticks>`{1,3})(?!`)(?P<code>[^`]++)(?P=ticks)(?!`)"
    r"|(?<![\w*])(?P<stars>\*{1,3})(?=[^\s*])(?P<strong>[^*]++)(?<=\S)(?P=stars)(?![\w*])"
    r"|(?<!\w)(?P<lines>_{1,3})(?=[^\W_])(?P<stressed>[^_]++)(?<=\S)(?P=lines)(?!\w)"
)
"""Only paired marks, and underscores only around several words: `__init__` and `*args` are names."""


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks in order; blank lines lie between them. An unclosed fence runs to the end of the text."""
    kind: Kind | None = None
    start = end = lines = 0
    fence = ""
    for match in _LINE.finditer(text):
        line = match.group().rstrip()
        offset = match.start()
        stop = offset + len(line)
        if kind == "code":
            end = stop if line else end
            if _closes(line, fence):
                yield Block("code", start, end)
                kind = None
            continue
        found = _heading(line) if line else None
        underlined = _UNDERLINE.match(line) if kind == "prose" and lines == 1 else None
        opening = _FENCE.match(line)
        following: Kind | None = "code" if opening else "table" if _TABLE.match(line) else "prose" if line else None
        if underlined:
            level = 1 if underlined.group(1)[0] == "=" else 2
            yield Block("heading", start, stop, level, _title(text[start:end]))
            kind = None
            continue
        if kind is not None and (found or following != kind):
            yield Block(kind, start, end)
            kind = None
        if found:
            yield Block("heading", offset, stop, *found)
        elif following:
            start, lines = (offset, 1) if kind is None else (start, lines + 1)
            kind, end = following, stop
            fence = opening.group(1) if opening else ""
    if kind is not None:
        yield Block(kind, start, end)


def _heading(line: str) -> tuple[int, str] | None:
    match = _HEADING.match(line)
    return (len(match.group(1)), _title(match.group(2) or "")) if match else None


def _title(text: str) -> str:
    return _MARKS.sub(_unmarked, _CLOSING.sub("", text.strip()))


def _unmarked(match: re.Match[str]) -> str:
    if match["code"]:
        return match["code"]
    if match["stressed"] and " " not in match["stressed"]:
        return match.group()
    return _MARKS.sub(_unmarked, match["strong"] or match["stressed"])


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])
