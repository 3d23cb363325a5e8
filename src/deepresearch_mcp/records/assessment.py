"""A run's verdict on itself: what it covers, what it is held against, and how its rounds went."""

from collections.abc import Sequence
from typing import Annotated, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict

from deepresearch_mcp.records.evidence import PointStatus

Confidence = Literal["", "low", "medium", "high"]


class GateCheck(BaseModel):
    """One condition that the research is held against, with its value and its threshold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    check: str
    """What is counted: `sites`."""
    value: float = 0
    threshold: float = 0

    @property
    def met(self) -> bool:
        """Whether the value reaches the threshold."""
        return self.value >= self.threshold

    @property
    def told(self) -> str:
        """`2 of 3 sites`; in runs of older versions, what was stored."""
        return f"{self.value:g} of {self.threshold:g} {self.check}" if self.threshold else self.check


def _checks(value: object) -> object:
    """Older versions stored what was missing, in words."""
    if not isinstance(value, (list, tuple)):
        return value
    items = cast("Sequence[object]", value)
    return [{"check": one, "value": -1} if isinstance(one, str) else one for one in items]


class CoveredPoint(BaseModel):
    """How far the report covers one deliverable, or one cell of a comparison."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    point: str
    """Its id in the plan: `d1`, `s1a2`."""
    text: str
    status: PointStatus
    claims: int = 0
    """Verified claims that speak of it."""


class RoundAssessment(BaseModel):
    """How far the evidence had come after one round."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    round: int
    """From 1."""
    sufficiency: int
    """As in `RunAssessment`."""
    enough: bool
    """No further round was wanted."""
    why: str = ""
    """Why another round was made, or none."""
    queries: tuple[str, ...] = ()
    """What the round asked."""
    engines: tuple[str, ...] = ()
    """Who answered until then."""
    found: int = 0
    """Pages read until then."""
    used: int = 0
    """Those of them that gave a verified claim."""
    claims: int = 0
    """Verified claims until then."""
    open: tuple[str, ...] = ()
    """What was still missing."""


class RunAssessment(BaseModel):
    """A run's verdict on itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sufficiency: int = 0
    """How far the evidence answers the question, 1 to 10; 0: not assessed.

    Of a check: on how many of its statements the sources decide, in tenths.
    """
    confidence: Confidence = ""
    """`high`: complete, nothing missing and sufficiency of at least 8; `low`: less than 5; empty: not assessed.

    Empty too in runs stored by older versions.
    """
    gate: Annotated[tuple[GateCheck, ...], BeforeValidator(_checks)] = ()
    """What the research is held against, met or not. Runs of older versions hold only what was missing."""
    coverage: tuple[CoveredPoint, ...] = ()
    """Deliverables in the order of the question, then the cells of a comparison."""
    limitations: tuple[str, ...] = ()
    """What the report lacks: of a partial one rounds not made, queries not asked, parts with few claims; then what was
    looked for in vain, with the queries that were asked for it."""
    rounds: tuple[RoundAssessment, ...] = ()
    """Every assessed round, in order. Empty for checks, and in runs stored by older versions."""
    why: str = ""
    """Why the run is partial: the ceiling that was met, `nothing_found` or `by_rule`. For why the rounds of a
    complete run ended early see `ended`."""
    ended: str = ""
    """Why no further round was made, in a sentence; empty where all were, or a ceiling cut them short."""


def confidence(sufficiency: int, *, complete: bool, missing: bool) -> Confidence:
    """How sure a run may be of itself: see `RunAssessment.confidence`."""
    if not sufficiency:
        return ""
    if sufficiency < _LOW:
        return "low"
    return "high" if sufficiency >= _HIGH and complete and not missing else "medium"


_LOW, _HIGH = 5, 8
"""Sufficiency below which confidence is low, and from which it may be high."""
