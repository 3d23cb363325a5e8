"""Evidence: the words of a cited page that speak to a statement, and what the machine makes of them."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from deepresearch_mcp.pipeline.reader import around
from deepresearch_mcp.records.evidence import Claim, Quote, Verdict
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.keywords import content_words, stem, words
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import initials, name_words
from deepresearch_mcp.text.numbers import missing_details, names
from deepresearch_mcp.text.sentences import Span, sentences
from deepresearch_mcp.text.support import Evidence
from deepresearch_mcp.text.versions import lacking

_QUOTES = 3
"""Sentences of one page that are held against a statement."""
_LONGEST = 600
"""Characters of a sentence; longer ones, as rows and listings can be, are cut between words."""
_TOLD = 100
"""Characters from which on a statement's own language can be told; a shorter one speaks that of its text."""
_CONTEXT = 100
"""Characters around a sentence that go with it: what "it" means often stands next to it."""
_NEAR = 0.5
"""Share of a statement's stems from which on a page speaks of the same; the extractive judge's bound for `partly`."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best words of one page for a statement."""

    claim: Claim
    """The statement with these words as its quotes, as a judge is asked about it."""
    covered: float
    """Share of the statement's stems in them, 0 to 1."""
    missing: tuple[str, ...]
    """Numbers, dates, names of the statement, or `negation`, that they lack: the machine's gate is shut."""
    foreign: bool
    """Statement and page are in different languages: words tell nothing."""


class CitedPage:
    """One page, prepared once for all the statements that cite it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._spans = list(_pieces(document.text))
        self._evidence = Evidence([document.text[start:end] for start, end in self._spans])

    @cached_property
    def language(self) -> str:
        """ISO 639-1; "" where it cannot be told."""
        return guess(self.document.text[:5000]) or self.document.language[:2]

    def foreign(self, statement: str, language: str = "") -> bool:
        """Whether a statement is in another language, so that its words tell nothing."""
        own = guess(statement) if len(statement) >= _TOLD or not language else language
        return bool(own and self.language) and own != self.language

    @cached_property
    def _known(self) -> frozenset[str]:
        return name_words(f"{self.document.title}\n{self.document.text}")

    @cached_property
    def _short(self) -> frozenset[str]:
        return initials(f"{self.document.title}\n{self.document.text}")

    def find(self, statement: str, language: str = "") -> Found | None:
        """The sentences that together hold most of a statement's words, best first; None where no word stands there.

        `language` is that of the text which the statement is from.
        """
        terms = frozenset(stem(word) for word in content_words(statement) or words(statement))
        quotes = self._quotes(statement, terms)
        if not quotes:
            return None
        evidence = "\n".join(quote.context for quote in quotes)
        held = {stem(word) for word in words(evidence)}
        claim = Claim(claim_id=_id(statement, self.document.source_id), sub_question="", text=statement, quotes=quotes)
        return Found(
            claim=claim,
            covered=len(terms & held) / max(1, len(terms)),
            missing=self._missing(statement, evidence),
            foreign=self.foreign(statement, language),
        )

    def _quotes(self, statement: str, terms: frozenset[str]) -> tuple[Quote, ...]:
        """The best sentence, and those that bring words of the statement which it lacks."""
        kept: list[Quote] = []
        held: set[str] = set()
        for number in self._evidence.best(statement, _QUOTES):
            quote = self._quote(self._spans[number])
            brought = terms & {stem(word) for word in words(quote.text)}
            if not kept or brought - held:
                kept.append(quote)
                held |= brought
        return tuple(kept)

    def _quote(self, span: Span) -> Quote:
        document = self.document
        return Quote(
            source_id=document.source_id,
            snapshot=document.snapshot,
            start=span.start,
            end=span.end,
            text=document.text[span.start : span.end],
            context=around(document.text, span.start, span.end, _CONTEXT),
        )

    def _missing(self, statement: str, evidence: str) -> tuple[str, ...]:
        """The verifier's gate; names may stand anywhere on the page, and dates be the page's own."""
        known = f"{self.document.title}\n{self.document.published or ''}\n{evidence}"
        own = names(statement)
        return tuple(
            detail
            for detail in lacking(statement, known, self.document.title)
            if detail not in own or not self._names(detail)
        )

    def _names(self, name: str) -> bool:
        parts = name_words(name)
        return parts <= self._known or (len(parts) == 1 and parts <= self._short)


def by_machine(found: Found) -> tuple[Verdict, str]:
    """What the gate alone says: `supported` lets a judge decide, everything else is its verdict with the reason.

    A page that speaks of the same and has another number, date or polarity says otherwise: `disputed`. Where some of
    the statement's figures stand there and some do not, it is carried in part.
    """
    lost = _figures(found.claim.text, found.missing)
    if found.foreign:
        # Only figures are written alike everywhere.
        return ("unverifiable", f"{FOREIGN}, and without: {', '.join(lost[:_SHOWN])}") if lost else ("supported", "")
    if not found.missing:
        return "supported", ""
    lacking = f"the page does not say: {', '.join(found.missing[:_SHOWN])}"
    if found.covered < _NEAR or not (lost or "negation" in found.missing):
        return "unsupported", lacking
    if "negation" in found.missing:
        return "disputed", "the page says the opposite"
    if len(lost) < len(_figures(found.claim.text, missing_details(found.claim.text, ""))):
        return "partly", lacking
    return "disputed", f"the page says otherwise; it does not have: {', '.join(lost[:_SHOWN])}"


def _figures(statement: str, details: Sequence[str]) -> list[str]:
    """The numbers and dates among a statement's details."""
    own = names(statement)
    return [one for one in details if one not in own and one != "negation"]


FOREIGN = "the page is in another language"
_SHOWN = 5
"""Details that a reason names."""


def _pieces(text: str) -> Iterator[Span]:
    """The sentences of a page but its headings, which name a thing and say nothing of it."""
    headings = {block.start for block in blocks(text) if block.kind == "heading"}
    for span in sentences(text):
        start = span.start
        if text.rfind("\n", 0, start) + 1 in headings:
            continue
        while span.end - start > _LONGEST:
            cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            cut = cut if cut > 0 else start + _LONGEST
            yield Span(start, cut)
            start = cut + (text[cut] == " ")
        if start < span.end:
            yield Span(start, span.end)


def _id(statement: str, source: str) -> str:
    whole = f"{statement}\0{source}".encode("utf-8", "replace")
    return f"k{hashlib.sha256(whole).hexdigest()[:10]}"


def pick(found: Sequence[Found], most: int) -> list[Found]:
    """The pages that hold most of a statement, those that pass the gate first."""
    return sorted(found, key=lambda one: (bool(one.missing), one.foreign, -one.covered))[:most]
