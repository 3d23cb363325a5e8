"""Where words come from: queries, hits, documents, passages, and what could not be read."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.records.request import Filters

MediaKind = Literal["html", "pdf", "text", "markdown", "json", "xml", "office"]

EVERYWHERE = Filters()
"""No limits at all."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question to the search engines."""

    text: str
    filters: Filters = EVERYWHERE
    collections: tuple[str, ...] = ()
    """Only the `local` engine looks at these."""
    limit: int = 10
    """Hits wanted of each engine."""

    def subject(self) -> dict[str, object]:
        """What is asked, as JSON."""
        return {
            "text": self.text,
            "filters": self.filters.model_dump(mode="json"),
            "collections": list(self.collections),
            "limit": self.limit,
        }


class Hit(BaseModel):
    """One result of a search engine, not yet read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    title: str = ""
    snippet: str = ""
    """The engine's words; never evidence."""
    published: date | None = None
    engines: tuple[str, ...] = ()
    """Who returned it."""
    score: float = 0.0
    """After fusing: reciprocal-rank sum, higher is better; only comparable within one query."""


class EngineFailure(BaseModel):
    """An engine that could not be asked: not the same as one that found nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: str
    query: str
    reason: str


class Searched(BaseModel):
    """A query that an engine answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: str
    query: str
    hits: int


class Link(BaseModel):
    """A link standing on a page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    text: str = ""


class Screening(BaseModel):
    """What was found in a document's whole text by the process that parsed it, which is killed if it takes too long."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    """Version of this package that looked: another one may find something else."""
    planted: tuple[tuple[int, int, str, float], ...] = ()
    """Stretches that address a machine: start, end, reason, confidence; in order, none touching another."""
    foreign: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    """Stretches in another language than the page: start, end, names of the languages they may be in."""
    sketch: tuple[int, ...] = ()
    """By which copies are told; see `text.near_duplicates`."""


class DocumentCard(BaseModel):
    """All that is known of a document but its text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: str
    """`s` and 12 hexadecimal digits of the hash of the normalised address."""
    url: str
    """Where it was read, after redirects."""
    requested_url: str
    title: str = ""
    author: str = ""
    site: str = ""
    """Registrable domain, or the collection's name."""
    published: date | None = None
    language: str = ""
    kind: MediaKind = "html"
    snapshot: str
    """SHA-256 of the text, in hexadecimal: the name under which the text is stored."""
    length: int
    """Characters of the text."""
    read_at: datetime
    """UTC."""
    links: tuple[Link, ...] = ()
    """At most 100, in page order, absolute, http and https only."""
    flags: tuple[str, ...] = ()
    """Words such as `undated`, `truncated`, `hidden_text`, `from_cache`."""
    screening: Screening | None = None
    """None in runs stored by older versions."""


class Document(DocumentCard):
    """A page or file as it was read: the snapshot that quotes are located in."""

    text: str
    """Main text as Markdown; offsets count its characters and never change."""

    def card(self) -> DocumentCard:
        """The same without the text."""
        return DocumentCard.model_validate(self.model_dump(exclude={"text"}))


class Passage(BaseModel):
    """A piece of a document: `text == document.text[start:end]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    passage_id: str
    """`p` and a number, unique in one run's prompts only by its document: see `source_id`."""
    source_id: str
    start: int
    end: int
    text: str
    heading: str = ""
    score: float = 0.0
    """BM25 to the sub-question it was chosen for."""


class Stretch(NamedTuple):
    """A part of a document: `text[start:end]`."""

    source_id: str
    start: int
    end: int


class Unread(BaseModel):
    """A page that was wanted and not read, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    reason: str
    """A word of `exceptions.UnreadReason`."""
    detail: str = ""
    """One sentence for a person."""


TOO_LATE = "no answer before the research went on without it"
