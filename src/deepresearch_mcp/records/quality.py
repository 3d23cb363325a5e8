"""How good a source is: what the card of weights makes of a page."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Flag = Literal["outdated", "single_source", "potential_bias", "low_authority", "paywalled", "machine_generated"]
"""`undated` stands among a document's own flags, as the reader of the page knows it."""

Standing = Literal["good", "fair", "poor"]
"""Whether a source comes first, as it falls or last where claims are equal otherwise."""

STANDINGS: tuple[Standing, ...] = ("good", "fair", "poor")
"""Best first."""


class Quality(BaseModel):
    """The grades of one source; all numbers lie between 0 and 1, and higher is better."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float = Field(ge=0, le=1)
    """Weighted mean of authority, author, content and external, less what better sources dispute; bounded where a flag
    puts the source last. `standing` is its name."""
    authority: float
    """Of the kind of site, as the request's profile sees it."""
    author: float
    """Whether the text has a named author or publisher."""
    content: float
    """What the text shows by itself: length, sources, figures, and no advertising."""
    external: float
    """What others say for it: editors and reviewers, identifiers, links, engines."""
    recency: float
    """`exp(-decay × days)` by the question's topic; a page without a date lies in the middle."""
    relevance: float
    """Share of the question's words that the page holds."""
    corroboration: float = 0.0
    """Share of its kept claims that another independent source carries too."""
    disputed: float = 0.0
    """Share of its kept claims that better sources dispute; runs of before did not tell."""
    kind: str
    """What sort of source it is, in one word: `official`, `peer_reviewed`, `newspaper` …, else `unknown`."""
    peer_reviewed: bool
    """Of a reviewed journal or proceedings; or it bears the marks of a reviewed paper itself."""
    standing: Standing
    flags: tuple[Flag, ...] = ()
