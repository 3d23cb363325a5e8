"""The text around quotes: what a writer needs to understand a fact, its reason and its condition."""

from collections.abc import Mapping, Sequence

import anyio.to_thread

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.passages import PassageSpan, path_of, pieces
from deepresearch_mcp.text.tokens import estimate

BLOCK_CHARS = 1_600
"""About how much of a page is shown around a quote."""
_WITNESSES = 2
"""Sources of a fact that are shown, where there is room."""
_LONG = 100_000
"""Characters from which a page is cut in a thread."""


class QuoteBlocks:
    """Finds the blocks around quotes on the pages of one run; every page is cut once.

    What is planted is left out, as in reading; `asked` are the words that the pages are read for.
    """

    def __init__(self, documents: Mapping[str, Document], asked: Sequence[str]) -> None:
        self._documents = documents
        self._asked = tuple(asked)
        self._spans: dict[str, list[PassageSpan]] = {}

    async def around(self, facts: Sequence[Claim], tokens: int) -> list[Passage]:
        """The blocks around the quotes of these facts in about `tokens`, by page and place.

        The first quote of every fact comes before the second of any; earlier facts come before later ones.
        """
        wanted = [fact.quotes[turn] for turn in range(_WITNESSES) for fact in facts if turn < len(fact.quotes)]
        chosen: dict[tuple[str, int], Passage] = {}
        left = tokens
        for quote in wanted:
            for block in await self._of(quote):
                key = (block.source_id, block.start)
                if key not in chosen and (cost := estimate(block.text)) <= left:
                    chosen[key] = block
                    left -= cost
        pages = list(dict.fromkeys(quote.source_id for quote in wanted))
        return sorted(chosen.values(), key=lambda block: (pages.index(block.source_id), block.start))

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
