"""A text whose citation marks are being found: what is read is painted over, what marks mean is looked up."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deepresearch_mcp.cited_text.references import Reference
from deepresearch_mcp.text.sentences import Span

MarkKind = Literal["number", "note", "link", "address", "author"]
"""`[3]` and its like; a footnote; a link in Markdown or HTML; a bare address; `(Smith, 2020)`, which leads nowhere."""


@dataclass(frozen=True, slots=True)
class CitationMark:
    """One citation: `[1, 3]` is two of them at one place."""

    kind: MarkKind
    start: int
    end: int
    """With `start`: what was written, `text[start:end]`."""
    key: str
    """The number, note or address; for `author` the words."""
    url: str = ""
    """Where it leads; "" for what dangles and for an entry that names no address."""
    reference: Reference | None = None
    """The entry that it leads over, None for a link, an address, and what dangles."""

    @property
    def dangles(self) -> bool:
        """Whether it names a number or note that no reference has."""
        return self.kind in {"number", "note"} and self.reference is None and not self.url


class MaskedText:
    """A text in which what has been read is painted over."""

    def __init__(self, text: str) -> None:
        self._written = text
        self._spans: list[Span] = []
        self._hidden: list[Span] = []
        self._text: str | None = text

    @property
    def text(self) -> str:
        """As long as the text that was given; blanks for what was painted over or hidden."""
        if self._text is None:
            self._text = self._painted([*self._spans, *self._hidden])
        return self._text

    def blank(self, start: int, end: int) -> None:
        """Paint over what has been read."""
        self._spans.append(Span(start, end))
        self._text = None

    def hide(self, start: int, end: int) -> None:
        """Paint over words in which nothing is to be read, and which the sentence around them needs."""
        self._hidden.append(Span(start, end))
        self._text = None

    def bared(self) -> str:
        """The text with nothing hidden."""
        return self._painted(self._spans)

    def _painted(self, spans: Sequence[Span]) -> str:
        parts: list[str] = []
        at = 0
        for start, end in sorted(spans):
            if end > at:
                first = max(start, at)
                parts += (self._written[at:first], _BLANKS.sub(" ", self._written[first:end]))
                at = end
        return "".join([*parts, self._written[at:]])


_BLANKS = re.compile(r"[^\n]")


class ReferenceIndex:
    """The references by what calls them."""

    def __init__(self, references: Sequence[Reference]) -> None:
        by_key: dict[str, list[Reference]] = {}
        for one in references:
            if one.key:
                by_key.setdefault(one.key, []).append(one)
        # Where one entry names an address, those that name none do not count.
        self._by_key = {key: [one for one in entries if one.url] or entries for key, entries in by_key.items()}

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def find(self, key: str, at: int) -> Reference | None:
        """The entry that a mark at `at` means.

        Lists that start again with every chapter stand behind their marks; of two lists with one numbering the one
        that names addresses counts. `[^3]` is met by an entry `[3]` where there is no such note.
        """
        entries = self._by_key.get(key) or self._by_key.get(key.removeprefix("^"))
        if not entries:
            return None
        behind = bisect_right(entries, at, key=lambda one: one.start)
        return entries[min(behind, len(entries) - 1)]

    def mark(self, kind: MarkKind, start: int, end: int, key: str) -> CitationMark:
        """A mark that leads over the entry it names, if there is one."""
        reference = self.find(key, start)
        return CitationMark(kind, start, end, key, reference.url if reference else "", reference)
