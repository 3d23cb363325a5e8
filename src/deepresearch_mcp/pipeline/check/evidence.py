"""Evidence: the words of a cited page that speak about a statement, and the verdict of the machine on them."""

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from deepresearch_mcp.entailment.check import (
    NEGATION,
    Around,
    Evidence,
    Finding,
    PageNames,
    SentenceIndex,
    check,
    details_missing_from,
    held_terms,
)
from deepresearch_mcp.injection.screen import clean_around, planted_in, readable
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.records.evidence import Claim, Quote, Verdict
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.attributions import unattributed
from deepresearch_mcp.text.blocks import Block, blocks
from deepresearch_mcp.text.entries import enclosing, entries
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.passages import PassageSpan, beneath, headings_of, path_of
from deepresearch_mcp.text.sentences import Span, sentences
from deepresearch_mcp.text.surroundings import surroundings

_QUOTES = 3
"""Sentences of one page that a statement is compared with."""
_LONGEST = 600
"""The most characters of a sentence. Longer ones, such as rows and listings, are cut between words."""
_TOLD = 100
"""Characters from which the language of a statement can be guessed. A shorter one has that of its text."""
_CONTEXT = 100
"""Characters around a sentence that are shown with it: what "it" means is often next to it."""


@dataclass(frozen=True, slots=True)
class BestWords:
    """The best words of one page for a statement."""

    claim: Claim
    """The statement with these words as its quotes, in the form that a judge gets."""
    finding: Finding
    """What the machine makes of statement and words."""
    foreign: bool
    """Whether statement and page are in different languages, so that words cannot be compared."""

    @property
    def covered(self) -> float:
        """The share of the statement's words that these words hold, 0 to 1."""
        return self.finding.covered

    @property
    def missing(self) -> tuple[str, ...]:
        """Numbers, dates and names of the statement, or `negation`, that these words lack."""
        return self.finding.lacks

    @property
    def unsure(self) -> bool:
        """Whether they differ only in a negation that may mean something else. Only a reader can decide that."""
        return not self.foreign and self.finding.perhaps_denied


class CitedPage:
    """One page, prepared once for all statements that cite it."""

    def __init__(self, document: Document) -> None:
        """Words that address a machine are left out; see `screen.readable`."""
        self.document = document
        whole = (PassageSpan(span.start, span.end, heading) for span, heading in _pieces(document))
        self._pieces = readable(document, whole)
        self._sentences = SentenceIndex([document.text[piece.start : piece.end] for piece in self._pieces])

    @cached_property
    def language(self) -> str:
        """The ISO 639-1 code; "" if it cannot be guessed."""
        return guess(self.document.text[:5000]) or self.document.language[:2]

    def foreign(self, statement: str, language: str = "") -> bool:
        """Whether a statement is in another language than the page."""
        own = guess(statement) if len(statement) >= _TOLD or not language else language
        return bool(own and self.language) and own != self.language

    @cached_property
    def _title(self) -> str:
        return "" if is_screened(self.document.title) else self.document.title

    @cached_property
    def _words(self) -> str:
        """All words for a reader, with headings."""
        text, at, kept = self.document.text, 0, list[str]()
        for one in planted_in(self.document):
            kept.append(text[at : one.start])
            at = one.end
        return "\n".join((self._title, *kept, text[at:]))

    @cached_property
    def _names(self) -> PageNames:
        return PageNames(self._words)

    def find(self, statement: str, language: str = "") -> BestWords | None:
        """The sentences that together hold most of a statement's words, best first; None if the page has none of them.

        `language` is that of the text that contains the statement.
        """
        quotes = self._quotes(statement)
        if not quotes:
            return None
        claim = Claim(claim_id=_id(statement, self.document.source_id), sub_question="", text=statement, quotes=quotes)
        # Computed here, in a thread: the names may take a while, and the event loop uses them later.
        finding = check(statement, self._around(quotes)).settled()
        return BestWords(claim, finding, self.foreign(statement, language))

    def _around(self, quotes: Sequence[Quote]) -> Evidence:
        """The evidence of some quotes. Names may be anywhere on the page, and a date may be that of the page."""
        return Evidence(
            words="\n\n".join(quote.context for quote in quotes),
            beside=f"{self._title}\n\n{self.document.published or ''}",
            titles=self._title,
            page=self._names,
            is_source=True,
        )

    def _quotes(self, statement: str) -> tuple[Quote, ...]:
        """The sentence that carries the whole statement; else the best one, and those that add words."""
        best = self._sentences.best(statement)
        if (whole := next((one for one in best if self._carries(one, statement)), None)) is not None:
            return (self._quote(self._pieces[whole]),)
        said = unattributed(statement)
        kept: list[Quote] = []
        held: set[str] = set()
        for number in best[:_QUOTES]:
            quote = self._quote(self._pieces[number])
            brought = held_terms(said, quote.text)
            if not kept or brought - held:
                kept.append(quote)
                held |= brought
        return tuple(kept)

    def _carries(self, number: int, statement: str) -> bool:
        text, piece = self.document.text, self._pieces[number]
        before = self._pieces[number - 1] if number else None
        headings = headings_of(self._heading(piece))
        around = Around(text[before.start : before.end] if before else "", headings)
        sentence = text[piece.start : piece.end]
        return check(statement, Evidence(words=sentence, sentences=((sentence, around),))).aligned

    def _heading(self, piece: PassageSpan) -> str:
        return path_of(self._title, piece.heading)

    def _quote(self, piece: PassageSpan) -> Quote:
        document = self.document
        low, high = clean_around(document, piece.start, piece.end)
        first, last = surroundings(document.text[low:high], piece.start - low, piece.end - low, _CONTEXT)
        return Quote(
            source_id=document.source_id,
            snapshot=document.snapshot,
            start=piece.start,
            end=piece.end,
            text=document.text[piece.start : piece.end],
            context=document.text[low + first : low + last],
            heading=self._heading(piece),
            page=document.page_at(piece.start),
        )


def page_verdict(found: BestWords) -> tuple[Verdict, str]:
    """The verdict of the machine, with the reason. `supported` means that a judge decides.

    A page on the same subject with another number, date or polarity says otherwise: `disputed`. If the page has some of
    the figures and not others, the statement is carried in part.
    """
    lost = _figures(found.claim.text, found.missing)
    if found.foreign:
        # Only figures are the same in all languages.
        return ("unverifiable", f"{FOREIGN}, and without: {', '.join(lost[:_SHOWN])}") if lost else ("supported", "")
    if not found.missing:
        return "supported", ""
    lacking = f"the page does not say: {', '.join(found.missing[:_SHOWN])}"
    if not found.finding.on_the_subject or not (lost or NEGATION in found.missing):
        return "unsupported", lacking
    if NEGATION in found.missing:
        return "disputed", "the page says the opposite"
    if len(lost) < len(_figures(found.claim.text, details_missing_from(found.claim.text, ""))):
        return "partly", lacking
    return "disputed", f"the page says otherwise; it does not have: {', '.join(lost[:_SHOWN])}"


def _figures(statement: str, details: Sequence[str]) -> list[str]:
    """The numbers and dates among the details of a statement."""
    own = names_in(statement)
    return [one for one in details if one not in own and one != NEGATION]


FOREIGN = "the page is in another language"
_SHOWN = 5
"""Details that a reason names."""


def _pieces(document: Document) -> Iterator[tuple[Span, str]]:
    """The sentences of a page with the headings above them. A heading itself states nothing."""
    text = document.text
    headings = {block.start: block for block in blocks(text) if block.kind == "heading"}
    ahead = deque(headings.values())
    trail: list[Block] = []
    defined = entries(text)
    for span in sentences(text):
        start = span.start
        while ahead and ahead[0].start <= start:
            block = ahead.popleft()
            trail = beneath(trail, block)
        if text.rfind("\n", 0, start) + 1 in headings:
            continue
        under = enclosing(defined, span.start, span.end)
        heading = path_of(*(one.title for one in trail), *(one.title for one in under))
        while span.end - start > _LONGEST:
            cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            cut = cut if cut > 0 else start + _LONGEST
            yield Span(start, cut), heading
            start = cut + (text[cut] == " ")
        if start < span.end:
            yield Span(start, span.end), heading


def _id(statement: str, source: str) -> str:
    whole = f"{statement}\0{source}".encode("utf-8", "replace")
    return f"k{hashlib.sha256(whole).hexdigest()[:10]}"


def best_pages(found: Sequence[BestWords], most: int) -> list[BestWords]:
    """The pages that hold most of a statement; those that pass the gate come first."""
    return sorted(found, key=lambda one: (bool(one.missing), one.foreign, -one.covered))[:most]
