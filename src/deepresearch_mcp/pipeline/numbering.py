"""Number: from sentences that name claims to `[n]` marks and the words each of them leads to."""

from collections.abc import Mapping, Sequence

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Citation, Sentence
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.citations import text_fragment
from deepresearch_mcp.text.markdown import escape, plain

WITNESSES = 3
"""Marks behind one claim at most, each of another source; the claim itself keeps all its quotes."""

_STOPS = (".", "!", "?")
"""What the marks of a sentence stand before."""


QuotePlace = tuple[str, int, int]
"""A source and the offsets of words in it: what one number stands for."""


def place_of_quote(quote: Quote) -> QuotePlace:
    """Where the words of a quote stand."""
    return (quote.source_id, quote.start, quote.end)


def numbered_quotes(claim: Claim) -> list[Quote]:
    """The quotes that a claim is numbered by: the first of each source, those of the first sources."""
    by_source: dict[str, Quote] = {}
    for quote in claim.quotes:
        by_source.setdefault(quote.source_id, quote)
    return list(by_source.values())[:WITNESSES]


class Numbering:
    """Gives numbers in the order in which words are first cited; the same words keep their number."""

    def __init__(
        self,
        claims: Mapping[str, Claim],
        documents: Mapping[str, Document],
        places: frozenset[QuotePlace] | None = None,
    ) -> None:
        """`places` are those that may be numbered, None: all; see `citing`."""
        self.claims = claims
        self._documents = documents
        self._places = places
        self._numbers: dict[QuotePlace, int] = {}
        self._quotes: list[Quote] = []
        self._users: list[dict[str, None]] = []

    def paragraph(self, sentences: Sequence[Sentence]) -> str:
        """Markdown of some sentences with their marks."""
        return " ".join(self.sentence(sentence) for sentence in sentences)

    def sentence(self, sentence: Sentence) -> str:
        """Markdown of one sentence: the marks stand before its full stop, and behind an ellipsis."""
        text = sentence.text
        marks = "".join(f"[{number}]" for number in self._marks(sentence))
        if not marks:
            return escape(text)
        # Parted before escaping, which may put a backslash in front of the stop.
        stopped = text.endswith(_STOPS) and not text.endswith("..")
        return f"{escape(text[:-1])} {marks}{text[-1]}" if stopped else f"{escape(text)} {marks}"

    def _marks(self, sentence: Sentence) -> list[int]:
        numbers: dict[int, None] = {}
        for name in sentence.claim_ids:
            for quote in numbered_quotes(self.claims[name]):
                if self._places is None or place_of_quote(quote) in self._places:
                    numbers[self._number(quote, name)] = None
        return list(numbers)

    def _number(self, quote: Quote, claim_id: str) -> int:
        place = place_of_quote(quote)
        if place not in self._numbers:
            self._numbers[place] = len(self._quotes) + 1
            self._quotes.append(quote)
            self._users.append({})
        number = self._numbers[place]
        self._users[number - 1][claim_id] = None
        return number

    def citations(self) -> tuple[Citation, ...]:
        """Everything numbered so far."""
        return tuple(
            Citation(
                number=number,
                claim_ids=tuple(users),
                source_id=quote.source_id,
                snapshot=quote.snapshot,
                start=quote.start,
                end=quote.end,
                quote=quote.text,
                url=(url := self._documents[quote.source_id].url),
                link=link_to(url, quote.text, self._documents[quote.source_id].kind),
            )
            for number, (quote, users) in enumerate(zip(self._quotes, self._users, strict=True), 1)
        )


def link_to(url: str, quote: str, kind: str) -> str:
    """The address with a text fragment for the quote; the address alone where a fragment cannot work."""
    # Text fragments are a feature of web pages: a PDF viewer or a file of a collection knows none.
    # The page shows the words without the Markdown that our snapshot keeps.
    return text_fragment(url, plain(quote)) if url.startswith("http") and kind in {"html", "text", "markdown"} else url
