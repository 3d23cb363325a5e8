"""A profile: which sources a kind of research prefers, and what its prompts must mind."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from deepresearch_mcp.records.request import Domain

GENERAL = "general"
"""The profile of a request that names none."""

Suffix = Annotated[str, StringConstraints(pattern=r"^\.[a-z0-9.-]{2,30}$")]
Line = Annotated[str, StringConstraints(max_length=200)]


class Profile(BaseModel):
    """One profile, as its TOML file gives it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = GENERAL
    """The name of its file."""
    title: Annotated[str, StringConstraints(min_length=1, max_length=80)] = "General research"
    sources: tuple[str, ...] = Field(default=(), max_length=6)
    """Data sources that are asked with every query, the best first; those without their key are left out."""
    prefer_domains: tuple[Domain, ...] = Field(default=(), max_length=300)
    """Their pages come first; others are read too."""
    prefer_suffixes: tuple[Suffix, ...] = Field(default=(), max_length=50)
    """Ends of host names that are preferred likewise, such as `.gov`."""
    exclude_domains: tuple[Domain, ...] = Field(default=(), max_length=300)
    newest_days: int = Field(default=0, ge=0, le=36_500)
    """Only pages of so many days, if the request sets no first day; 0: of any age."""
    fresh_days: int = Field(default=0, ge=0, le=36_500)
    """Pages of so many days come first; 0: age does not matter."""
    terminology: tuple[Line, ...] = Field(default=(), max_length=40)
    """Words of the field that the planner may search with."""
    mind: Annotated[str, StringConstraints(max_length=1_000)] = ""
    """What planner, readers and writers must mind, in sentences."""
    least_quality: float = Field(default=0.0, ge=0, le=1)
    """Web pages that score less are not read for claims; the higher of this and `research.min_source_quality` holds."""
    peer_review: bool = False
    """Claims are read from peer-reviewed web pages only."""
    grades: str = GENERAL
    """The profile of the scale of sources (`quality/scale.toml`) that grades its pages."""
