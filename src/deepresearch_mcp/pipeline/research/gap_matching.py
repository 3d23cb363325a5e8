"""Which claims and queries belong to a gap, by their words."""

from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Gap
from deepresearch_mcp.text.keywords import content_words, stem

_FILLED = 0.8
"""Share of a gap's words from which a new claim fills it."""


def fills(claim: Claim, gap: Gap) -> bool:
    """Whether a claim says what was missing."""
    words = set(map(stem, content_words(gap.missing)))
    return len(words & set(map(stem, content_words(claim.text)))) >= _FILLED * len(words)


_ASKS_FOR = 0.5
"""Share of a query's words from which it asks for what a gap has in these words."""


def is_about(gap: Gap, query: str) -> bool:
    """Whether a query was asked for a gap: its own, or one with most of its words."""
    asked = set(map(stem, content_words(query)))
    missing = set(map(stem, content_words(gap.missing)))
    return query_key(query) == query_key(gap.query) or len(asked & missing) > _ASKS_FOR * len(asked)
