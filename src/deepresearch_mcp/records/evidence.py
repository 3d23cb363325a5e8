"""Claims with their quotes, and the judgements on them."""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from deepresearch_mcp.records.quality import Standing

Verdict = Literal["supported", "partly", "disputed", "unsupported", "unverifiable"]

KEPT: frozenset[Verdict] = frozenset({"supported", "partly", "disputed"})
"""Verdicts with which a claim may appear in the report."""
ClaimKind = Literal["fact", "estimate", "opinion", "forecast"]
Confidence = Literal["high", "medium", "low"]
Relation = Literal["same", "within", "contradict", "neither"]
"""`within`: the second claim says all that the first one says, and more."""
Difference = Literal["date", "version", "definition", "measure", "scope", ""]
"""Why two claims contradict each other, where the claims show it."""
OTHERWISE = "another source says otherwise"
"""`Claim.reason` for a contradiction without a known cause."""


class Quote(BaseModel):
    """Words located in a snapshot: `snapshot_text[start:end]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: str
    snapshot: str
    """SHA-256 of the document's text."""
    start: int
    end: int
    text: str
    """The snapshot's own words, not the reader's copy of them."""
    context: str = ""
    """The surrounding sentences, including the quote."""
    heading: str = ""
    """The page's title and what names the subject of the words: headings, entries, the head row of their table."""
    published: date | None = None
    """Of the page, where it tells; runs of older versions do not have it."""
    page: int | None = None
    """The page of a printed document on which the words begin, counted from 1; None for other sources."""
    how: Literal["exact", "normalised", "fuzzy"] = "exact"
    """How the reader's copy was matched to the snapshot."""


class Claim(BaseModel):
    """One checkable sentence, tied to the words it came from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim_id: str
    """`c` and 10 hexadecimal digits: a hash of text, source and offsets."""
    sub_question: str
    text: str
    """A single assertion, readable without its neighbours."""
    quotes: tuple[Quote, ...] = Field(min_length=1)
    """At least one located quote; the claim was read from the first."""
    kind: ClaimKind = "fact"
    confidence: Confidence = "medium"
    """As rated by the reader."""
    dated: str = ""
    """The date or period for which it holds, as written on the page; empty if none matters."""
    weight: int = Field(default=2, ge=1, le=3)
    """How much it decides for the question: 3 decisive, 2 important, 1 useful."""
    covers: tuple[str, ...] = ()
    """Ids of the deliverables, cells and hypotheses that it speaks of."""
    score: float = 0.0
    """How well its passage answers the sub-question; higher is better."""
    verdict: Verdict = "unverifiable"
    """Only the verifier sets it."""
    reason: str = ""
    """Why, if the verdict is not `supported`: usually the deciding words."""
    checked_by: Literal["none", "machine", "model", "self"] = "none"
    """Who gave the verdict. `self`: the same conversation that wrote the claim."""
    independent: int = 1
    """Number of sources, with copies and pages of one domain counted once."""
    corroborating: int | None = None
    """Independent sources that are good enough to corroborate; None in runs stored by older versions."""
    standing: Standing = "fair"
    """Grade of its best source, from the page alone."""
    disputes: tuple[str, ...] = ()
    """Ids of claims that contradict this one."""

    @property
    def thin(self) -> bool:
        """Whether it has several independent sources, fewer than two of them good enough to corroborate."""
        return self.backing < 2 <= self.independent

    @property
    def backing(self) -> int:
        """Number of sources that count; two or more corroborate each other."""
        return self.independent if self.corroborating is None else self.corroborating


class ClaimDraft(BaseModel):
    """A claim as a reader proposes it, before its quote is located."""

    model_config = ConfigDict(frozen=True)

    text: str
    quote: str
    passage_id: str
    kind: ClaimKind = "fact"
    confidence: Confidence = "medium"
    dated: str = ""
    weight: int = 2
    covers: tuple[str, ...] = ()


class Lead(BaseModel):
    """A pointer on a page that may answer the sub-question: a query or a link."""

    model_config = ConfigDict(frozen=True)

    query: str = ""
    url: str = ""


class Reading(BaseModel):
    """Claims and leads from one reading of some passages."""

    model_config = ConfigDict(frozen=True)

    claims: tuple[ClaimDraft, ...] = ()
    leads: tuple[Lead, ...] = ()


class Judgement(BaseModel):
    """A verdict on one claim. The judge sees only the claim and its passage."""

    model_config = ConfigDict(frozen=True)

    claim_id: str
    verdict: Verdict
    reason: str = ""
    by: Literal["machine", "model", "self"] = "model"
    score: float | None = Field(default=None, ge=0, le=1)
    """How well the words support the claim; None if the judge does not grade. Only the verdict decides."""
    mislabelled: bool = False
    """Of a report's sentence: it holds, but a judgement is told as a fact, or a fact as a judgement."""
    also: str = ""
    """Of a report's sentence: the id of a claim that it does not name, and with which it holds."""


class Comparison(BaseModel):
    """How two claims from different sources relate."""

    model_config = ConfigDict(frozen=True)

    first: str
    """Id of a claim."""
    second: str
    """Id of the other claim."""
    relation: Relation = "neither"
    reason: Difference = ""


class FollowUp(BaseModel):
    """A query for a sub-question that is still unanswered."""

    model_config = ConfigDict(frozen=True)

    sub_question: str
    query: str
    lead: bool = False
    """The query follows something learnt during research; its pages are read for the query's own words."""
    point: str = ""
    """The id of the point that is open; "" where none is named."""


PointStatus = Literal["covered", "thin", "one_sided", "open"]


class PointCoverage(BaseModel):
    """How far the evidence covers one point: a deliverable, a cell or a hypothesis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    point: str
    """Its id: `d1`, `s1a2` or `h3`."""
    status: PointStatus = "open"
    claims: int = 0
    """Verified claims that speak of it."""


class OpenPoint(BaseModel):
    """A point that the evidence does not cover yet."""

    model_config = ConfigDict(frozen=True)

    point: str
    status: PointStatus = "open"
    missing: str = ""
    """What is still to be known, as its reader would say it."""


class AddedSubQuestion(BaseModel):
    """A sub-question that a round showed to be needed."""

    model_config = ConfigDict(frozen=True)

    text: str
    queries: tuple[str, ...] = ()


class Expected(BaseModel):
    """A statement that would settle an open point, and the query that tests it."""

    model_config = ConfigDict(frozen=True)

    statement: str
    query: str
    sub_question: str = ""


class Assessment(BaseModel):
    """How far the evidence answers the question."""

    model_config = ConfigDict(frozen=True)

    sufficiency: int = Field(ge=1, le=10)
    """10: fully."""
    answered: tuple[str, ...] = ()
    """Ids of sub-questions."""
    gaps: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    open: tuple[OpenPoint, ...] | None = None
    """The points that are not covered; None where this was not asked."""
    coverage: tuple[PointCoverage, ...] = ()
    """Every point, as `coverage.covered` finds it."""
    expected: tuple[Expected, ...] = ()
    """Further hypotheses, for what is open."""
    added: tuple[AddedSubQuestion, ...] = ()
    retired: tuple[str, ...] = ()
    """Ids of sub-questions that are not searched for any more: answered, or told by another one."""
