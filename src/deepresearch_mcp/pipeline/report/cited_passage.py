"""A passage of a digest as a claim: the page's own words, with their quote."""

import hashlib

from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.plan import SubQuestion


def cited_passage(passage: PoolPassage, part: SubQuestion, start: int, end: int, text: str, merit: float) -> Claim:
    """Return the claim that cites the page from `start` to `end`, as `text` or in its own words."""
    document = passage.document
    words = document.text[start:end]
    digest = hashlib.sha256(f"{text or words}\0{document.source_id}\0{start}\0{end}".encode()).hexdigest()
    quote = Quote(
        source_id=document.source_id,
        snapshot=document.snapshot,
        start=start,
        end=end,
        text=words,
        context=passage.text,
        heading=passage.heading,
        page=document.page_at(start),
    )
    grounds = [claim for claim in passage.claims if claim.independent == passage.independent]
    return Claim(
        claim_id=f"c{digest[:10]}",
        sub_question=part.id,
        text=text or words,
        quotes=(quote,),
        score=merit,
        independent=passage.independent,
        corroborating=passage.backing,
        standing=grounds[0].standing if grounds else "fair",
    )
