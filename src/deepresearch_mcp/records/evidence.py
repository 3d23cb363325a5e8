"""What a reader claims, the words it rests on, and what the verifier makes of it."""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from deepresearch_mcp.records.quality import Standing

Verdict = Literal["supported", "partly", "disputed", "unsupported", "unverifiable"]

KEPT: frozenset[Verdict] = frozenset({"supported", "partly", "disputed"})
"""Verdicts that may be written."""
ClaimKind = Literal["fact", "estimate", "opinion", "forecast"]
Confidence = Literal["high", "medium", "low"]
Relation = Literal["same", "contradict", "neither"]
Difference = Literal["date", "version", "definition", "measure", "scope", ""]
"""Why two claims contradict each other, where the claims show it."""
OTHERWISE = "another source says otherwise"
"""`Claim.reason` of a contradiction that nothing explains."""


class Quote(BaseModel):
    """Words really in a snapshot: `snapshot_text[start:end]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: str
    snapshot: str
    """SHA-256 of the document's text."""
    start: int
    end: int
    text: str
    """As it stands in the snapshot, not as it was typed."""
    context: str = ""
    """The surrounding sentences, the quote included."""
    heading: str = ""
    """The page's title and what names the subject of the words: headings, entries, the head row of their table."""
    published: date | None = None
    """Of the page, where it tells; runs of older versions do not have it."""
    how: Literal["exact", "normalised", "fuzzy"] = "exact"
    """How the typed words were found."""


class Claim(BaseModel):
    """One checkable sentence, tied to the words it came from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim_id: str
    """`c` and 10 hexadecimal digits of the hash of text, source and offsets."""
    sub_question: str
    text: str
    """A single assertion, readable without its neighbours."""
    quotes: tuple[Quote, ...] = Field(min_length=1)
    """No located quote, no claim; the first is the one it was read from."""
    kind: ClaimKind = "fact"
    confidence: Confidence = "medium"
    """The reader's own."""
    dated: str = ""
    """When it holds, where that matters: as written on the page."""
    weight: int = Field(default=2, ge=1, le=3)
    """How much it decides for the question: 3 decisive, 2 important, 1 useful."""
    covers: tuple[str, ...] = ()
    """Ids of the deliverables, cells and hypotheses that it speaks of."""
    score: float = 0.0
    """How well its passage answers the sub-question; higher is better."""
    verdict: Verdict = "unverifiable"
    """Set by the verifier alone."""
    reason: str = ""
    """The deciding words, where the verdict is not `supported`."""
    checked_by: Literal["none", "machine", "model", "self"] = "none"
    """Who gave the verdict; `self`: the conversation that also wrote the claim."""
    independent: int = 1
    """Sources left when copies and one domain's pages count as one."""
    corroborating: int | None = None
    """Those of them that are good enough to corroborate; runs of before did not tell."""
    standing: Standing = "fair"
    """Of its best source, graded by the page alone."""
    disputes: tuple[str, ...] = ()
    """Claims that contradict this one."""

    @property
    def thin(self) -> bool:
        """Whether it has several sources, and fewer than two that corroborate each other."""
        return self.backing < 2 <= self.independent

    @property
    def backing(self) -> int:
        """How many sources stand behind it that count: two or more corroborate each other."""
        return self.independent if self.corroborating is None else self.corroborating


class ClaimDraft(BaseModel):
    """A claim as a reader proposes it, before any quote is located."""

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
    """Something a page points to that may answer the sub-question: a query or a link on that page."""

    model_config = ConfigDict(frozen=True)

    query: str = ""
    url: str = ""


class Reading(BaseModel):
    """What one look at some passages gave."""

    model_config = ConfigDict(frozen=True)

    claims: tuple[ClaimDraft, ...] = ()
    leads: tuple[Lead, ...] = ()


class Judgement(BaseModel):
    """A verdict on one claim by a judge who saw only the claim and its passage."""

    model_config = ConfigDict(frozen=True)

    claim_id: str
    verdict: Verdict
    reason: str = ""
    by: Literal["machine", "model", "self"] = "model"
    """Who judged."""
    score: float | None = Field(default=None, ge=0, le=1)
    """How well the words carry the claim, from one who can tell by degrees; the verdict decides."""


class Comparison(BaseModel):
    """What two claims of different sources are to each other."""

    model_config = ConfigDict(frozen=True)

    first: str
    """A claim's id."""
    second: str
    relation: Relation = "neither"
    reason: Difference = ""


class FollowUp(BaseModel):
    """A query for a sub-question that is not answered yet."""

    model_config = ConfigDict(frozen=True)

    sub_question: str
    query: str
    lead: bool = False
    """It asks for something that was learnt on the way: what it finds is read with its own words."""
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
