"""Sources: queries, hits, documents, passages, and pages that could not be read."""

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.records.request import Filters

MediaKind = Literal[
    "html",
    "pdf",
    "text",
    "markdown",
    "json",
    "xml",
    "office",
    "docx",
    "xlsx",
    "pptx",
    "epub",
    "csv",
    "email",
    "notebook",
    "subtitles",
]
"""What a document was read as; `office` only in runs of older versions."""

EVERYWHERE = Filters()
"""No limits on sources."""


@dataclass(frozen=True, slots=True)
class Query:
    """One query to the search engines."""

    text: str
    filters: Filters = EVERYWHERE
    collections: tuple[str, ...] = ()
    """Names of local collections; only the `local` engine uses them."""
    where: tuple[str, ...] = field(default=(), repr=False)
    """Conditions on the documents of these collections, each like `type=pdf`; one run has the same for all queries."""
    limit: int = 10
    """Most hits from each engine."""
    page: int = 1
    """1: the first `limit` hits; 2: those after them, from engines that can be asked for them."""

    def subject(self) -> dict[str, object]:
        """The query as plain JSON data, for hashing."""
        asked: dict[str, object] = {
            "text": self.text,
            "filters": self.filters.model_dump(mode="json"),
            "collections": list(self.collections),
            "limit": self.limit,
        }
        # Left out where not given, so that the steps of runs from before there were such keep their keys.
        asked |= {"where": list(self.where)} if self.where else {}
        return asked if self.page == 1 else asked | {"page": self.page}


class Hit(BaseModel):
    """One result of a search engine, before the page is read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    title: str = ""
    snippet: str = ""
    """The engine's text; never used as evidence."""
    published: date | None = None
    engines: tuple[str, ...] = ()
    """Engines that returned it."""
    score: float = 0.0
    """After fusion: the reciprocal-rank sum. Higher is better; comparable only within one query."""


class EngineFailure(BaseModel):
    """An engine that could not be asked, as distinct from one that found nothing."""

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
    """Number of hits."""
    why: str = ""
    """Why this data source was asked; empty for engines that every query is put to."""


class Link(BaseModel):
    """A link on a page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    text: str = ""


class Screening(BaseModel):
    """Findings in a document's whole text, made by the parser process, which is killed if it takes too long."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    """Version of this package that screened the text; another version may find something else."""
    planted: tuple[tuple[int, int, str, float], ...] = ()
    """Text spans addressed to a model: start, end, reason, confidence. In order, without overlap."""
    foreign: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    """Text spans in a language other than the page's: start, end, names of possible languages."""
    sketch: tuple[int, ...] = ()
    """Sketch of the text, compared to detect copies; see `text.near_duplicates`."""


class DocumentCard(BaseModel):
    """Everything known about a document except its text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: str
    """`s` and 12 hexadecimal digits: a hash of the normalised address."""
    url: str
    """The address after redirects."""
    requested_url: str
    also: tuple[str, ...] = ()
    """Other addresses of the document: the one by which the page names itself, and the pages that go on with it."""
    title: str = ""
    author: str = ""
    site: str = ""
    """Registrable domain, or the collection's name."""
    published: date | None = None
    language: str = ""
    kind: MediaKind = "html"
    snapshot: str
    """SHA-256 of the text, in hexadecimal; the store's key for the text."""
    length: int
    """Length of the text, in characters."""
    read_at: datetime
    """UTC."""
    links: tuple[Link, ...] = ()
    """At most 100 absolute http and https links, in page order."""
    flags: tuple[str, ...] = ()
    """Such as `undated`, `truncated`, `hidden_text` or `from_cache`."""
    screening: Screening | None = None
    """None in runs stored by older versions."""
    pages: tuple[tuple[int, int], ...] = ()
    """Of a printed document: from which offset of the text on it stands on which page, by rising offset.

    Pages are counted from 1, as a viewer does; the number printed on a page may be another.
    """

    def page_at(self, offset: int) -> int | None:
        """The page on which a character of the text stands; None if the document has no pages."""
        at = bisect_right(self.pages, offset, key=lambda start: start[0])
        return self.pages[at - 1][1] if at else None


class Document(DocumentCard):
    """A page or file as it was read: the snapshot in which quotes are located."""

    text: str
    """Main text as Markdown. It never changes, so offsets into its characters stay valid."""

    def card(self) -> DocumentCard:
        """The document's card, without the text."""
        return DocumentCard.model_validate(self.model_dump(exclude={"text"}))


class Passage(BaseModel):
    """A part of a document: `text == document.text[start:end]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    passage_id: str
    """The id of its source and where it begins there."""
    source_id: str
    start: int
    end: int
    text: str
    heading: str = ""
    score: float = 0.0
    """BM25 score against the sub-question for which it was selected."""


class Stretch(NamedTuple):
    """A part of a document: `text[start:end]`."""

    source_id: str
    start: int
    end: int


class Unread(BaseModel):
    """A page that was selected but could not be read, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    reason: str
    """One of `exceptions.UnreadReason`."""
    detail: str = ""
    """One sentence for the user."""
    action: str = ""
    """What the user can do, where a setting keeps the page from being read."""


TOO_LATE = "no answer before the research went on without it"
