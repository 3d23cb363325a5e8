"""Weigh: all claims of a report on one scale, as links of the chain that the question asks for."""

from collections.abc import Mapping

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.chains import Chains, TitledText

_WITHIN = 0.1
"""What a claim's own rank in its batch may change: it orders the claims of one source, and seldom sources."""


_AROUND = 450
"""Characters before and behind a quote that are taken for its passage: a name that joins two pages may stand beside
what is claimed."""


def _passage(quote: Quote, documents: Mapping[str, Document]) -> str:
    document = documents.get(quote.source_id)
    return document.text[max(0, quote.start - _AROUND) : quote.end + _AROUND] if document else quote.context


def weigh(claims: Mapping[str, Claim], documents: Mapping[str, Document], question: str) -> dict[str, Claim]:
    """The claims under their ids with scores from 0 to 1 that may be compared, whatever batch each was read in.

    A score says how far the claim's source answers the question, by itself or joined to another source by a name
    (`text.chains`); of several sources the best counts.
    """
    said: dict[str, dict[str, None]] = {}
    for claim in claims.values():
        for quote in claim.quotes:
            said.setdefault(quote.source_id, {}).update({claim.text: None, _passage(quote, documents): None})
    sources = list(said)
    pages = [TitledText(documents[name].title if name in documents else "", "\n".join(said[name])) for name in sources]
    worth = dict(zip(sources, Chains(question, pages).worth, strict=True))
    best = max((claim.score for claim in claims.values()), default=0.0)

    def one(claim: Claim) -> Claim:
        own = claim.score / best if best > 0 else 0.0
        of_source = max(worth[quote.source_id] for quote in claim.quotes)
        return claim.model_copy(update={"score": round(of_source * (1 - _WITHIN + _WITHIN * own), 4)})

    weighed = {claim.claim_id: one(claim) for claim in claims.values()}
    return {name: weighed[claim.claim_id] for name, claim in claims.items()}
