"""Text in a page that addresses a machine reader: where it stands, why it is taken for that, and how surely."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deepresearch_mcp.text.orders import is_code
from deepresearch_mcp.text.planted_abroad import OTHERS
from deepresearch_mcp.text.planted_marks import ENGLISH, LIKELY, SURE, Mark

__all__ = ["LIKELY", "SURE", "Planted", "is_planted", "planted"]


class Planted(NamedTuple):
    """A stretch of a text that is no reader's: character offsets, `end` exclusive."""

    start: int
    end: int
    reason: str
    """What it does, in a few words; of several reasons the surest."""
    confidence: float
    """`LIKELY` to 1; from `SURE` on the page is worth a warning."""


REACH = 2_000
"""Characters that a mark can take with it, so that one line cannot silence a whole page without paragraphs."""
_ENVELOPE = 6_000
"""Characters in which a message that announced itself has to end."""

_BLANK = re.compile(r"\n[ \t>]*\n")
_STOP = re.compile(r"[.!?。！？…][\"”’')\]]*(?:\s|$)|\n")
_CLOSING = re.compile(
    r"after you (?:do|did|have done) (?:that|this|so)[^\n]{0,200}|^\W{0,4}signed,?[^\n]{0,80}|</(?:information"
    r"|important|instructions?|system)>"
    r"|\bSigned,\s+\S[^\n]{0,60}",
    re.IGNORECASE | re.MULTILINE,
)
_OPENS = re.compile(r"takes over|to a machine|system message")
_ANNOUNCES = re.compile(r"[:：][\s*_>\"”]*$")
_ABOUT = re.compile(
    r"prompt[- ]?injection|injection attack|jailbreak|attacker|adversar|malicious|red[- ]team|guardrail"
    r"|hidden instruction|indirect injection",
    re.IGNORECASE,
)
_PIECES = 60
"""Paragraphs that one mark can take with it."""
_NEAR = 400
"""Characters around a mark in which a page that is about such text says so."""
_LOOKALIKES = str.maketrans(
    "АВЕКМНОРСТУХаеорсухіјѕԁɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ" + "".join(chr(code) for code in range(0xFF01, 0xFF5F)),
    "ABEKMHOPCTYXaeopcyxijsdgABEZHIKMNOPTYXovp" + "".join(chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)),
)
_MIXED = re.compile(r"[a-z][\u0370-\u052f\u0261]|[\u0370-\u052f\u0261][a-z]|[\uff21-\uff5a]{3}", re.IGNORECASE)


def planted(text: str) -> list[Planted]:
    """Find the stretches that address a machine, in order, none touching another.

    A stretch begins with the sentence of the words that give it away. It takes the rest of their paragraph with it,
    and the listing or the message that it announces, but no more than `REACH` characters of running text: what was
    planted with a template stands within it. Words that are quoted where a page speaks *about* such text are left
    alone; quoted elsewhere, or not quoted there, they are no longer sure.
    """
    seen = text.translate(_LOOKALIKES) if _MIXED.search(text) else text
    folded = seen.lower()
    if len(folded) != len(seen):
        folded = seen  # A letter whose small form is longer: offsets count for more than its case.
    found = [
        one
        for mark in (*ENGLISH, *OTHERS)
        if any(needle in folded for needle in mark.needles)
        for one in _of(mark, seen)
    ]
    return _merged(sorted(found))


def is_planted(text: str) -> bool:
    """Whether any part of a short text, as a title or a query, addresses a machine."""
    return bool(planted(text))


def _of(mark: Mark, text: str) -> Iterator[Planted]:
    for match in mark.pattern.finditer(text):
        begin = match.start() + len(match.group()) - len(match.group().lstrip(' \t\r\n.!?:;"“”'))
        confidence = _weighed(mark.confidence, text, begin, match.end())
        if confidence < LIKELY:
            continue
        start = _opening(text, begin)
        if mark.whole and confidence == mark.confidence:
            end = _end(text, start, match.end(), _OPENS.search(mark.reason) is not None)
        else:
            end = _sentence_end(text, match.end())
        yield Planted(start, end, mark.reason, confidence)


def _weighed(confidence: float, text: str, start: int, end: int) -> float:
    """The confidence that is left where words are quoted, or stand among words about such text."""
    quoted = _is_quoted(text, start, end)
    about = bool(_ABOUT.search(text, max(0, start - _NEAR), min(len(text), end + _NEAR)))
    if quoted and about:
        return 0.0
    return min(confidence, LIKELY) if quoted or about else confidence


_QUOTES = {"“": "”", '"': '"', "‘": "’", "`": "`", "«": "»", "„": "“", "「": "」", "'": "'"}


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the words stand in quotation marks, or between backticks, that close in the same line."""
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - 120) : start]
    for opening, closing in _QUOTES.items():
        at = before.rfind(opening)
        if at < 0 or closing in before[at + 1 :] or (opening == "'" and at and before[at - 1].isalnum()):
            continue
        line_end = text.find("\n", end)
        if closing in text[end - 1 : min(end + 160, line_end if line_end >= 0 else len(text))]:
            return True
    return False


def _opening(text: str, at: int) -> int:
    """Where the sentence of the words begins, without the marks of lists and headings before it."""
    low = max(0, at - 300)
    starts = [match.end() for match in _STOP.finditer(text, low, at)]
    start = starts[-1] if starts else low
    return start + len(text[start:at]) - len(text[start:at].lstrip())


def _sentence_end(text: str, at: int) -> int:
    match = _STOP.search(text, max(0, at - 1), min(len(text), at + REACH))
    return match.start() + len(match.group().rstrip()) if match else min(len(text), at + REACH)


def _end(text: str, start: int, at: int, opens: bool) -> int:
    end = _block_end(text, at, at + REACH)
    if opens:
        closings = [match.end() for match in _CLOSING.finditer(text, start, min(len(text), start + _ENVELOPE))]
        if closings and closings[-1] > end:
            end = _block_end(text, closings[-1], closings[-1] + 200)
            if text[start:end].rstrip().endswith(("Signed,", "signed,")):
                end = _next_block(text, end, 100)
    announced = False
    for _ in range(_PIECES):
        further = end
        if text.count("```", start, end) % 2:
            close = text.find("```", end)
            further = close + 3 if 0 <= close < end + _ENVELOPE else _next_block(text, end, REACH)
        elif _ANNOUNCES.search(text, max(start, end - 20), end) or _is_bare(text[start:end]):
            further, announced = _next_block(text, end, REACH), True
        elif announced and is_code(text[end : _next_block(text, end, REACH)].strip()):
            # A listing whose lines have become paragraphs.
            further = _next_block(text, end, REACH)
        if further == end:
            break
        end = further
    return end


def _is_bare(text: str) -> bool:
    """Whether there are only the words that open a message, as `<INFORMATION>`, and what they open comes behind."""
    return len(text.split()) < 3 and not text.lstrip().startswith("</")


def _block_end(text: str, at: int, most: int) -> int:
    match = _BLANK.search(text, at)
    end = match.start() if match else len(text)
    if end <= most:
        return end
    cut = text.rfind("\n", at, most)
    return cut if cut > at else _sentence_end(text, most - 1)


def _next_block(text: str, end: int, most: int) -> int:
    """The end of the block behind one that ends at `end`."""
    begin = end + len(text[end : end + 20]) - len(text[end : end + 20].lstrip())
    if begin >= len(text):
        return end
    return _block_end(text, begin + 1, begin + most)


def _merged(found: Iterable[Planted]) -> list[Planted]:
    merged: list[Planted] = []
    for one in found:
        if merged and one.start <= merged[-1].end:
            last = merged[-1]
            best = one if one.confidence > last.confidence else last
            merged[-1] = Planted(last.start, max(last.end, one.end), best.reason, best.confidence)
        else:
            merged.append(one)
    return merged
