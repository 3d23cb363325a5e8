"""A report: sentences that name their claims, and what the program makes of them."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.records.evidence import Verdict
from deepresearch_mcp.records.quality import Quality


class Sentence(BaseModel):
    """One sentence of the report and the claims it states."""

    model_config = ConfigDict(frozen=True)

    text: str
    """Without any mark or link: the program adds those."""
    claim_ids: tuple[str, ...] = ()


class SectionPlan(BaseModel):
    """A section that is to be written."""

    model_config = ConfigDict(frozen=True)

    heading: str
    sub_questions: tuple[str, ...] = ()
    angle: str = ""
    """How this draft is to order and dwell, where there are several; empty: as the prompt says."""
    before: tuple[str, ...] = ()
    """What the paragraphs of this section state that stand before the one to be written."""
    behind: tuple[str, ...] = ()
    """And those behind it."""


class Outline(BaseModel):
    """The title and the sections between "In short" and "Where sources differ"."""

    model_config = ConfigDict(frozen=True)

    title: str
    sections: tuple[SectionPlan, ...] = ()


class WrittenSection(BaseModel):
    """A section as a thinker wrote it: paragraphs of sentences."""

    model_config = ConfigDict(frozen=True)

    heading: str
    paragraphs: tuple[tuple[Sentence, ...], ...] = ()


class Draft(BaseModel):
    """A whole report before it is audited and numbered."""

    model_config = ConfigDict(frozen=True)

    title: str
    in_short: tuple[Sentence, ...] = ()
    sections: tuple[WrittenSection, ...] = ()
    differences: tuple[Sentence, ...] = ()
    next_steps: tuple[str, ...] = ()


class Critique(BaseModel):
    """What a critic finds wrong with a draft; nothing found: no notes."""

    model_config = ConfigDict(frozen=True)

    notes: tuple[str, ...] = ()
    factuality: int = 10
    """1–10."""
    coherence: int = 10
    """1–10."""


class Removed(BaseModel):
    """A sentence that the audit took out, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    reason: str


class Section(BaseModel):
    """A section of the finished report, in Markdown with its marks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    markdown: str


class Citation(BaseModel):
    """`[number]`: from a mark in the report to the words it leads to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    claim_ids: tuple[str, ...]
    """Claims that rest on these words."""
    source_id: str
    snapshot: str
    start: int
    end: int
    quote: str
    url: str
    link: str
    """The address with a text fragment; the address alone where a fragment cannot work."""


class SourceRow(BaseModel):
    """A source as the report shows it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: str
    url: str
    title: str
    site: str
    author: str = ""
    published: date | None = None
    read_at: datetime
    kind: str = "html"
    language: str = ""
    snapshot: str
    length: int
    cited: bool
    flags: tuple[str, ...] = ()
    quality: Quality | None = None
    summary: str = ""
    """The page's most telling sentences, verbatim; of pages that gave a claim that stands."""


class ClaimCount(BaseModel):
    """The report's own figures."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claims: int = 0
    verdicts: dict[Verdict, int] = {}
    independent: int = 0
    """Supported by two or more independent sources that are good enough to corroborate."""
    thin: int = 0
    """Supported by two or more independent sources, of which fewer than two are good enough to corroborate."""
    removed: int = 0
    """Sentences taken out by the audit."""
    restored: int = 0
    """Of these: in whose place their claims stand in their own words."""
    repaired: int = 0
    """Sentences that the audit had worded down, or labelled, until their claims carried them."""
