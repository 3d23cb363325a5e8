"""A report: its plan, its drafts, and the finished sections with citations and counts."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Literal, Self, cast

from pydantic import BaseModel, ConfigDict, model_validator

from deepresearch_mcp.records.evidence import ClaimDraft, FollowUp, Verdict
from deepresearch_mcp.records.quality import Quality
from deepresearch_mcp.records.report_parts import ReportPart

SentenceKind = Literal["fact", "synthesis", "judgement"]


class Sentence(BaseModel):
    """One sentence of the report and the claims it states."""

    model_config = ConfigDict(frozen=True)

    text: str
    """Plain text without citation marks or links; the program adds those."""
    claim_ids: tuple[str, ...] = ()
    """The claims that it states; of a judgement none."""
    kind: SentenceKind = "fact"
    """`synthesis` compares or sums up several claims; `judgement` infers from its premises and adds no fact."""
    premises: tuple[str, ...] = ()
    """The claims that a judgement rests on."""
    opens: bool = False
    """Whether it begins a new paragraph of the opening."""
    label: str = ""
    """What its paragraph or item speaks of, in a few words that stand before it in bold letters."""
    absence: bool = False
    """It says that the sources that were read do not say something: a fact without claims."""

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims behind the sentence, whatever its kind."""
        return self.claim_ids or self.premises


BlockKind = Literal["prose", "list", "steps", "table", "passage", "code"]


class Block(BaseModel):
    """A paragraph, list, table, passage or example of code in a section."""

    model_config = ConfigDict(frozen=True)

    kind: BlockKind = "prose"
    rows: tuple[tuple[Sentence, ...], ...] = ()
    """`prose`: one row, its sentences; `list`, `steps`: a row for each item; `table`: a row of cells for each row, the
    label first; `passage`: one row, one sentence in the page's own words; `code`: one row, one judgement, its lines."""
    head: tuple[str, ...] = ()
    """The column names of a table; of code its language, if it is told."""
    title: str = ""
    """A sub-heading above the block."""
    first: int = 1
    """The number that its writer gave to the first step: more than 1 where steps go on behind something else."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences and cells in reading order; the labels of a table's rows are among them."""
        return tuple(sentence for row in self.rows for sentence in row)


EMPTY_CELL = "–"
"""What stands in a cell of a table for which nothing was found."""
NOT_APPLICABLE = "n/a"
"""What stands in one whose column has no such thing as its row asks for."""


class Position(BaseModel):
    """What the report says to one deliverable."""

    model_config = ConfigDict(frozen=True)

    deliverable: str
    """Its id."""
    label: str = ""
    """The deliverable in a few words of the question."""
    position: str
    """The answer in a sentence or two; where it cannot be given, why not."""
    premises: tuple[str, ...] = ()
    """The claims that it rests on."""
    would_change: str = ""
    """What would lead to another answer."""


class ThinSpot(BaseModel):
    """What the report needs and the claims do not say."""

    model_config = ConfigDict(frozen=True)

    missing: str
    """What would have to be known, as a statement or a question."""
    query: str
    point: str = ""
    """The id of the deliverable or cell that it is missing for."""
    decisive: bool = False
    """Whether a deliverable cannot be answered without it."""


class Gap(BaseModel):
    """What the report lacks, and what was tried for it."""

    model_config = ConfigDict(frozen=True)

    missing: str
    query: str = ""
    """The query that would find it."""
    point: str = ""
    pages: int = 0
    """Stored pages that were searched for it."""
    queries: tuple[str, ...] = ()
    """Queries that were asked for it."""
    ceiling: str = ""
    """The ceiling that kept it from being searched for; empty if it was."""
    decisive: bool = False
    """Whether the answer turns on it."""


class GapCheck(BaseModel):
    """How a gap stands beside the finished report."""

    model_config = ConfigDict(frozen=True)

    missing: str
    """The gap."""
    status: Literal["answered", "partly", "open"] = "open"
    rest: str = ""
    """What is left of a gap that is partly answered."""
    same_as: str = ""
    """An earlier gap that asks for the same."""


class SpotFill(BaseModel):
    """What belongs in an empty cell, or in the place of a sentence that says nothing was found."""

    model_config = ConfigDict(frozen=True)

    spot: int
    """Its place among those that were asked about."""
    text: str
    """`NOT_APPLICABLE` needs nothing that it rests on."""
    claim_ids: tuple[str, ...] = ()
    proposed: ClaimDraft | None = None
    """What it rests on where only a page says it, before the quote is located and judged."""


SectionForm = Literal["prose", "list", "steps", "table"]


class SectionPlan(BaseModel):
    """A section to be written."""

    model_config = ConfigDict(frozen=True)

    heading: str
    thesis: str = ""
    """What the section shows, in a sentence."""
    form: SectionForm = "prose"
    claim_ids: tuple[str, ...] = ()
    """The claims that it is made of, what carries it first; a claim may serve in several sections."""
    answers: tuple[str, ...] = ()
    """Ids of the deliverables that it answers."""
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


class Sketch(BaseModel):
    """The answer before it is written: a position for every deliverable, and the sections that carry them."""

    model_config = ConfigDict(frozen=True)

    title: str
    positions: tuple[Position, ...] = ()
    sections: tuple[SectionPlan, ...] = ()
    described: tuple[Sentence, ...] = ()
    """Which versions and dates the sources describe."""
    trifles: tuple[str, ...] = ()
    """Disputed claims whose difference a reader need not know."""
    thin: tuple[ThinSpot, ...] = ()
    """What is worth a second look at the stored pages, the most important first."""


class WrittenSection(BaseModel):
    """A section as a thinker wrote it."""

    model_config = ConfigDict(frozen=True)

    heading: str
    blocks: tuple[Block, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_paragraphs(cls, given: object) -> object:
        """Read a draft that an earlier version stored: its sections held paragraphs alone."""
        if not isinstance(given, dict) or "paragraphs" not in given:
            return cast("object", given)
        old = dict(cast("dict[str, object]", given))
        rows = cast("Sequence[object]", old.pop("paragraphs"))
        return old if old.get("blocks") else {**old, "blocks": [{"rows": [row]} for row in rows]}

    @classmethod
    def of_prose(cls, heading: str, paragraphs: Iterable[Sequence[Sentence]]) -> Self:
        """A section of prose, a block for each paragraph; empty paragraphs are left out."""
        return cls(heading=heading, blocks=tuple(Block(rows=(tuple(one),)) for one in paragraphs if one))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences and cells of all blocks in reading order."""
        return tuple(sentence for block in self.blocks for sentence in block.sentences)


class SectionDraft(BaseModel):
    """A section with the claims that its writer proposes."""

    model_config = ConfigDict(frozen=True)

    section: WrittenSection
    proposed: dict[str, ClaimDraft] = {}
    """The name that a sentence uses for a proposed claim → the claim, before its quote is located and judged."""
    by_rule: bool = False
    """No writer could be asked: the claims stand in their own words."""


class Draft(BaseModel):
    """A whole report before it is audited and numbered."""

    model_config = ConfigDict(frozen=True)

    title: str
    in_short: tuple[Sentence, ...] = ()
    """The opening: it answers every deliverable."""
    described: tuple[Sentence, ...] = ()
    """Which versions and dates the sources describe, for the line under the opening."""
    sections: tuple[WrittenSection, ...] = ()
    differences: tuple[Sentence, ...] = ()

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences and cells in reading order, the opening first."""
        written = tuple(sentence for section in self.sections for sentence in section.sentences)
        return (*self.in_short, *self.described, *written, *self.differences)


class SectionNote(BaseModel):
    """What a reviewer wants of one section."""

    model_config = ConfigDict(frozen=True)

    section: int
    """Its place in the draft, from 0."""
    note: str
    form: SectionForm | None = None
    """The form that it should have; None: as it is."""
    takes_in: tuple[int, ...] = ()
    """Sections that become part of it."""
    claim_ids: tuple[str, ...] = ()
    """Claims that the note names, for the section to tell."""


class Review(BaseModel):
    """What a reviewer of a whole draft wants changed before the report goes out; empty: nothing."""

    model_config = ConfigDict(frozen=True)

    rewrite: tuple[SectionNote, ...] = ()
    """Sections that are written again, each with what is wrong with it."""
    order: tuple[int, ...] = ()
    """The places of the sections in their new order; a place that is left out goes. Empty: as they stand."""
    queries: tuple[FollowUp, ...] = ()
    """What one more round of searching should ask."""
    missing: tuple[ThinSpot, ...] = ()
    """What the draft leaves open."""
    opening: str = ""
    """What is wrong with the opening; empty: nothing."""
    opening_claim_ids: tuple[str, ...] = ()
    """The facts that this names."""
    worth: int = 5
    """How well the draft serves the reader, 1 to 10."""


class Removed(BaseModel):
    """A sentence that the audit removed, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    reason: str
    kind: SentenceKind = "fact"


class Table(BaseModel):
    """A table of the finished report, its cells as sentences."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Sentence, ...], ...] = ()
    """The first cell of a row is its label."""


class Section(ReportPart):
    """A section of the finished report, in Markdown with citation marks."""

    markdown: str
    sentences: tuple[Sentence, ...] = ()
    """Its sentences in reading order, those of lists and steps too. Empty in runs stored by older versions."""
    tables: tuple[Table, ...] = ()


class Citation(BaseModel):
    """`[number]`, or `[number part]`: from a mark in the report to the words it leads to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    """That of the source; in runs stored by older versions that of the words."""
    part: str = ""
    """Which of the source's quotes: `a`, `b` …; empty where it has one."""
    claim_ids: tuple[str, ...]
    """Claims that these words support."""
    source_id: str
    snapshot: str
    start: int
    end: int
    page: int | None = None
    """The page of a printed document on which the words begin, counted from 1; None for other sources."""
    heading: str = ""
    """The headings above the words, outermost first, joined with " › "; without the title of the source."""
    quote: str
    url: str
    link: str
    """The address with a text fragment, or the address alone if a fragment cannot work."""

    @property
    def key(self) -> str:
        """What a mark calls it: `3`, or `3a`."""
        return f"{self.number}{self.part}"


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
