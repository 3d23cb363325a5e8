"""The working state of parsing citation marks: masked text, marks, and an index of references."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deepresearch_mcp.cited_text.references import Reference
from deepresearch_mcp.text.sentences import Span

MarkKind = Literal["number", "note", "link", "address", "author"]
"""In this order: `[3]` and similar; a footnote; a link in Markdown or HTML; a bare address; `(Smith, 2020)`, which has
no target."""


@dataclass(frozen=True, slots=True)
class CitationMark:
    """One citation; `[1, 3]` is two citations with the same span."""

    kind: MarkKind
    start: int
    end: int
    """The mark as written is `text[start:end]`."""
    key: str
    """The number, note or address; for `author` the words."""
    url: str = ""
    """The address it leads to; "" if the mark dangles or its reference has no address."""
    reference: Reference | None = None
    """The reference it names; None for links, addresses and dangling marks."""

    @property
    def dangles(self) -> bool:
        """Whether it names a number or note without a reference."""
        return self.kind in {"number", "note"} and self.reference is None and not self.url


class MaskedText:
    """A text in which parts that are already parsed are replaced by blanks, so that offsets stay valid."""

    def __init__(self, text: str) -> None:
        self._written = text
        self._spans: list[Span] = []
        self._hidden: list[Span] = []
        self._text: str | None = text

    @property
    def text(self) -> str:
        """The text with masked and hidden parts as blanks; its length is that of the original."""
        if self._text is None:
            self._text = self._painted([*self._spans, *self._hidden])
        return self._text

    def blank(self, start: int, end: int) -> None:
        """Mask a part that is parsed."""
        self._spans.append(Span(start, end))
        self._text = None

    def hide(self, start: int, end: int) -> None:
        """Hide words that must not be searched for marks but remain part of their sentence."""
        self._hidden.append(Span(start, end))
        self._text = None

    def bared(self) -> str:
        """The text with masked parts as blanks, but with hidden parts visible."""
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


_LETTERED = re.compile(r"(\d{1,4})[a-z]{1,2}")


class ReferenceIndex:
    """References, by the key that marks use."""

    def __init__(self, references: Sequence[Reference]) -> None:
        by_key: dict[str, list[Reference]] = {}
        for one in references:
            if one.key:
                by_key.setdefault(one.key, []).append(one)
        # If one entry of a key has an address, its entries without one do not count.
        self._by_key = {key: [one for one in entries if one.url] or entries for key, entries in by_key.items()}
        self._quotes: dict[str, list[str]] = {}
        for key in self._by_key:
            if lettered := _LETTERED.fullmatch(key):
                self._quotes.setdefault(lettered[1], []).append(key)

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def named(self, key: str) -> list[str]:
        """The keys that a mark names: its own, or, where a source has only lettered quotes, those of all of them."""
        if key in self._by_key:
            return [key]
        return self._quotes.get(key) or [key]

    def find(self, key: str, at: int) -> Reference | None:
        """The reference that a mark at offset `at` names; None if there is none.

        Of several references with one key the next after the mark counts, because lists that restart with every
        chapter follow their marks. If some of them have an address, only these count. `[^3]` falls back to an entry
        `[3]` if there is no such note.
        """
        entries = self._by_key.get(key) or self._by_key.get(key.removeprefix("^"))
        if not entries:
            return None
        behind = bisect_right(entries, at, key=lambda one: one.start)
        return entries[min(behind, len(entries) - 1)]

    def mark(self, kind: MarkKind, start: int, end: int, key: str) -> CitationMark:
        """Create a mark with the reference that it names, if there is one."""
        reference = self.find(key, start)
        return CitationMark(kind, start, end, key, reference.url if reference else "", reference)
