"""In which order cited pages are read, and claims are judged together."""

from collections.abc import Iterator, Sequence

from deepresearch_mcp.cited_text.parse import Statement
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.urls import normalise_url

_BATCH = 10
"""Statements in one call of a judge, at most."""


def cited_addresses(claims: Sequence[Statement]) -> Iterator[str]:
    """Each cited address once: the first of every statement, then the second of every statement, and so on."""
    seen: set[str] = set()
    urls = [list(dict.fromkeys(mark.url for mark in claim.marks if mark.url)) for claim in claims]
    for turn in range(max(map(len, urls), default=0)):
        for own in urls:
            if turn < len(own) and (address := normalise_url(own[turn])) not in seen:
                seen.add(address)
                yield own[turn]


def in_batches(claims: Sequence[Claim], chars: int) -> Iterator[list[Claim]]:
    """The claims in order, in batches whose texts and contexts fit into `chars` characters; at least one claim each."""
    batch: list[Claim] = []
    size = 0
    for claim in claims:
        own = len(claim.text) + sum(len(quote.context) for quote in claim.quotes)
        if batch and (size + own > chars or len(batch) == _BATCH):
            yield batch
            batch, size = [], 0
        batch.append(claim)
        size += own
    if batch:
        yield batch
