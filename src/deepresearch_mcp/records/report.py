"""A report: its plan, its drafts, and the finished sections with citations and counts."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.records.evidence import Verdict
from deepresearch_mcp.records.quality import Quality


class Sentence(BaseModel):
    """One sentence of the report and the claims it states."""

    model_config = ConfigDict(frozen=True)

    text: str
    """Plain text without citation marks or links; the program adds those."""
    claim_ids: tuple[str, ...] = ()


class SectionPlan(BaseModel):
    """A section to be written."""

    model_config = ConfigDict(frozen=True)

    heading: str
    sub_questions: tuple[str, ...] = ()
    angle: str = ""
    """How this draft orders and emphasises its material, if there are several drafts; empty: as the prompt says."""
    before: tuple[str, ...] = ()
    """Statements of the section's earlier paragraphs, when one paragraph is written."""
    behind: tuple[str, ...] = ()
    """Statements of the section's later paragraphs."""


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
    """What a critic finds wrong with a draft; no notes if nothing is wrong."""

    model_config = ConfigDict(frozen=True)

    notes: tuple[str, ...] = ()
    factuality: int = 10
    """1 to 10; 10 is best."""
    coherence: int = 10
    """1 to 10; 10 is best."""


class Removed(BaseModel):
    """A sentence that the audit removed, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    reason: str


class Section(BaseModel):
    """A section of the finished report, in Markdown with citation marks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    markdown: str


class Citation(BaseModel):
    """The quoted words behind the mark `[number]` in the report."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    claim_ids: tuple[str, ...]
    """Claims that these words support."""
    source_id: str
    snapshot: str
    start: int
    end: int
    quote: str
    url: str
    link: str
    """The address with a text fragment, or the address alone if a fragment cannot work."""


class SourceRow(BaseModel):
    """A source as listed in the report."""

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
    """The page's most informative sentences, verbatim. Empty unless one of its claims was kept."""


class ClaimCount(BaseModel):
    """Counts of claims and sentences in a report."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claims: int = 0
    verdicts: dict[Verdict, int] = {}
    independent: int = 0
    """Claims supported by two or more independent sources that are good enough to corroborate."""
    thin: int = 0
    """Claims supported by two or more independent sources, fewer than two of them good enough to corroborate."""
    removed: int = 0
    """Sentences that the audit removed."""
    restored: int = 0
    """Removed sentences that the wording of their claims replaced."""
    repaired: int = 0
    """Sentences that the audit weakened or labelled until their claims supported them."""
