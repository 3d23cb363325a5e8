"""The text around quotes: what a writer needs to understand a fact, its reason and its condition."""

import re
from collections.abc import Iterable, Mapping, Sequence

import anyio.to_thread

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.passages import PassageSpan, path_of, pieces
from deepresearch_mcp.text.tokens import estimate

BLOCK_CHARS = 1_200
"""About how much of a page is shown around a quote."""
_WITNESSES = 2
"""Sources of a fact that are looked at."""
_LEAST = 60
"""Characters beside the quotes that are worth showing."""
_LONG = 100_000
"""Characters from which a page is cut in a thread."""
_REASON = re.compile(
    r"\b(?:because|since|so that|therefore|hence|thus|however|but|although|unless|except|only|if|when|instead|otherwise"
    r"|must|default|avoid|note|caution|warning|means?|requires?|recommend(?:s|ed)?|better|slow(?:er)?|fast(?:er)?)\b",
    re.IGNORECASE,
)
"""Words that tell a reason, a condition or an exception, in English; else the facts of a block decide."""


_FIXED = 40
"""Tokens that every block costs; without them the shortest would be the best."""


def _beside(block: Passage, quotes: Iterable[Quote]) -> str:
    """The text of a block without the quotes in it."""
    text, spans = block.text, sorted((q.start, q.end) for q in quotes if q.source_id == block.source_id)
    pieces, at = list[str](), block.start
    for start, end in spans:
        if end > at and start < block.end:
            pieces.append(text[at - block.start : max(at, start) - block.start])
            at = max(at, end)
    return " ".join((*pieces, text[at - block.start :]))


class QuoteBlocks:
    """Finds the blocks around quotes on the pages of one run; every page is cut once.

    What is planted is left out, as in reading; `asked` are the words that the pages are read for.
    """

    def __init__(self, documents: Mapping[str, Document], asked: Sequence[str]) -> None:
        self._documents = documents
        self._asked = tuple(asked)
        self._spans: dict[str, list[PassageSpan]] = {}

    async def around(self, facts: Sequence[Claim], tokens: int) -> list[Passage]:
        """The blocks that add most to these facts in about `tokens`, by page and place.

        The words of the quotes are known from the facts, so they neither count nor cost; a block that holds little else
        is left out. Reasons, conditions and exceptions come first, around facts that decide.
        """
        quotes = [quote for turn in range(_WITNESSES) for fact in facts for quote in fact.quotes[turn : turn + 1]]
        weights = {quote: fact.weight for fact in facts for quote in fact.quotes}
        held: dict[tuple[str, int], tuple[Passage, list[Quote]]] = {}
        for quote in quotes:
            for block in await self._of(quote):
                held.setdefault((block.source_id, block.start), (block, []))[1].append(quote)
        rated: list[tuple[float, int, Passage]] = []
        for block, own in held.values():
            rest = _beside(block, quotes)
            if len(" ".join(rest.split())) < _LEAST:
                continue
            cost = max(1, estimate(rest))
            worth = sum(weights[quote] for quote in own) + 2 * len(_REASON.findall(rest))
            rated.append((worth / (cost + _FIXED), cost, block))
        chosen: list[Passage] = []
        for _, cost, block in sorted(rated, key=lambda one: -one[0]):
            if cost <= tokens:
                chosen.append(block)
                tokens -= cost
        pages = list(dict.fromkeys(quote.source_id for quote in quotes))
        return sorted(chosen, key=lambda block: (pages.index(block.source_id), block.start))

    async def _of(self, quote: Quote) -> list[Passage]:
        document = self._documents.get(quote.source_id)
        if document is None or document.snapshot != quote.snapshot:
            return []
        if document.source_id not in self._spans:
            self._spans[document.source_id] = await self._cut(document)
        return [
            Passage(
                passage_id=f"{document.source_id}:{span.start}",
                source_id=document.source_id,
                start=span.start,
                end=span.end,
                text=document.text[span.start : span.end],
                heading=path_of(document.title, span.heading),
            )
            for span in self._spans[document.source_id]
            if span.start < quote.end and quote.start < span.end
        ]

    async def _cut(self, document: Document) -> list[PassageSpan]:
        def cut() -> list[PassageSpan]:
            return readable(document, pieces(document.text, BLOCK_CHARS), self._asked)

        if len(document.text) < _LONG:
            return cut()
        return await anyio.to_thread.run_sync(cut, abandon_on_cancel=True)
