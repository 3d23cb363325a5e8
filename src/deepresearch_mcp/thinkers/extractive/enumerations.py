"""Lists inside a question: `on (a) price, (b) speed and (c) safety` asks the same of each item."""

import re
from dataclasses import dataclass

from deepresearch_mcp.thinkers.extractive.patterns import ADVISE, AUX, WH

_MARK = r"\(\s?(?:[a-h]|[1-9]|i{1,3}|iv|v)\s?\)|(?<=\s)(?:[a-h]|[1-9])\)"
_ITEM = re.compile(rf"(?:^|(?<=\s))(?:{_MARK})\s+(?=\S)")
_TAIL = re.compile(
    rf"[,;]\s+(?:and|or|but|then)\s+(?=(?:{ADVISE}|say|tell|explain|name|{WH})\b)"
    rf"|[,;]?\s+(?:and|but)\s+(?=(?:{ADVISE}\b|(?:what|how|why|which|when)\s+(?:{AUX}\b|\w+ {AUX}\b|one\b)))",
    re.IGNORECASE,
)
_EDGE = re.compile(r"^(?:and|or)\s+|[\s,;.]+(?:and|or)?\s*$", re.IGNORECASE)
_LONGEST = 120
"""Characters of an item; a longer one is a sentence of its own."""


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One thing asked of each item of a list."""

    lead: str
    """What is asked, up to the list."""
    items: tuple[str, ...]
    tail: str = ""
    """What the question asks behind the list."""
    asks: bool = False
    """The sentence ends in a question mark."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The question for each item, then what comes behind the list."""
        mark = "?" if self.asks else ""
        own = tuple(f"{self.lead} {item}{mark}" for item in self.items)
        return (*own, self.tail) if self.tail else own


def enumeration(sentence: str) -> Enumeration | None:
    """Return the list that a sentence runs into; None where its items are sentences by themselves or there are none."""
    marks = list(_ITEM.finditer(sentence))
    if len(marks) < 2:
        return None
    lead = sentence[: marks[0].start()].strip()
    if not lead or lead[-1] in ".:?!;":
        return None
    cuts = [*(mark.start() for mark in marks[1:]), len(sentence)]
    parts = [sentence[mark.end() : end] for mark, end in zip(marks, cuts, strict=True)]
    last, tail = parts[-1], ""
    if cut := _TAIL.search(last):
        last, tail = last[: cut.start()], last[cut.end() :].strip()
    asks = sentence.rstrip().endswith("?")
    items = tuple(_EDGE.sub("", part.strip().rstrip("?")).strip() for part in (*parts[:-1], last))
    if not all(items) or any(len(item) > _LONGEST or item.endswith("?") for item in items):
        return None
    return Enumeration(lead, items, tail, asks)
