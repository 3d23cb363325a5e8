"""Grades of a source: what the grader's table of weights gives a page."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Flag = Literal["outdated", "single_source", "potential_bias", "low_authority", "paywalled", "machine_generated"]
"""`undated` is missing here: it is one of the document's own flags, set when the page is read."""

Standing = Literal["good", "fair", "poor"]
"""Rank of a source when claims are otherwise equal: `good` first, `poor` last."""

STANDINGS: tuple[Standing, ...] = ("good", "fair", "poor")
"""Best first."""


class Quality(BaseModel):
    """The grades of one source. All numbers are between 0 and 1; higher is better, except for `disputed`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float = Field(ge=0, le=1)
    """Weighted mean of authority, author, content and external, reduced by what better sources dispute, and capped if a
    flag ranks the source last. `standing` names its range."""
    authority: float
    """Authority of the kind of site, under the request's profile."""
    author: float
    """Whether the text has a named author or publisher."""
    content: float
    """Quality of the text itself: its length, sources and figures, and the absence of advertising."""
    external: float
    """Signals from others: editors and reviewers, identifiers, links, search engines."""
    recency: float
    """`exp(-decay × days)`, with the decay of the question's topic; a page without a date gets a middle value."""
    relevance: float
    """Share of the question's words that the page contains."""
    corroboration: float = 0.0
    """Share of its kept claims that another independent source also supports."""
    disputed: float = 0.0
    """Share of its kept claims that better sources dispute; 0 in runs stored by older versions."""
    kind: str
    """Kind of source, such as `official`, `peer_reviewed` or `newspaper`; else `unknown`."""
    peer_reviewed: bool
    """It belongs to a reviewed journal or proceedings, or looks like a reviewed paper itself, and is not retracted."""
    standing: Standing
    flags: tuple[Flag, ...] = ()
