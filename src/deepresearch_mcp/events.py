"""The events of a run: the only progress vocabulary. Every surface renders them and infers nothing from text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Literal

from deepresearch_mcp.records.plan import TaskStatus
from deepresearch_mcp.records.run import RunStatus, Stage

Level = Literal["ok", "warned", "narrow", "spent"]
"""`warned`, `narrow` and `spent` mean 80 %, 90 % and 100 % of what research may use of a ceiling."""

PERCENT: Mapping[Level, int] = MappingProxyType({"warned": 80, "narrow": 90, "spent": 100})
"""The percentage that each level is shown as."""


SubQuestionStatus = Literal["found", "nothing", "ceiling", "failed", "cancelled"]
"""How a round ended for a sub-question: with new verified claims, without, at a ceiling, by an error, from outside."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event: made once, sent to every listener, kept in the audit trail."""

    @property
    def kind(self) -> str:
        """The name of the class in snake case."""
        return self.kind_name()

    @classmethod
    def kind_name(cls) -> str:
        """The same of a class."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def data(self) -> dict[str, Any]:
        """The fields as a dictionary that JSON can hold."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The run begins."""

    question: str
    thinker: str
    engines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StageEntered(Event):
    """The run entered a stage."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class Planned(Event):
    """The run has a plan."""

    made_by: str
    sub_questions: tuple[str, ...]
    deliverables: tuple[str, ...] = ()
    """What the question asks for."""
    hypotheses: int = 0
    """Statements that are tested, each with a query."""


@dataclass(frozen=True, slots=True)
class PlanMarked(Event):
    """A sub-question of the plan has another status, or a round has added it."""

    sub_question: str
    text: str
    status: TaskStatus


@dataclass(frozen=True, slots=True)
class SubQuestionStarted(Event):
    """The work on a sub-question begins in one round; `q0` is the question as a whole."""

    sub_question: str
    text: str
    round: int


@dataclass(frozen=True, slots=True)
class SubQuestionEnded(Event):
    """The work on a sub-question is over in one round. What waits for other sub-questions may be read later."""

    sub_question: str
    round: int
    status: SubQuestionStatus
    seconds: float
    tokens: int
    """Tokens, in and out, of the calls made for it alone in this round."""
    sources: int
    """Pages that could be read for it in this round."""
    claims: int
    """Verified claims of this round."""
    failure: str = ""
    """The ceiling that ended it, or the class of the error."""


@dataclass(frozen=True, slots=True)
class ModelCalled(Event):
    """A model was called; a replayed call is not told again."""

    model: str
    role: str
    task: str
    """The kind of step: `read`, `verify`, `section` …"""
    sub_question: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    usd: float | None
    """None if the price is unknown."""
    ms: int
    error: str = ""
    """The class of the error with which it ended."""


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """An engine answered a query."""

    engine: str
    query: str
    hits: int
    sub_question: str


@dataclass(frozen=True, slots=True)
class EngineFailed(Event):
    """An engine could not be asked."""

    engine: str
    query: str
    reason: str
    sub_question: str = ""


@dataclass(frozen=True, slots=True)
class PageAdmitted(Event):
    """A page was chosen to be read."""

    url: str
    sub_question: str


@dataclass(frozen=True, slots=True)
class PageRead(Event):
    """A page was read."""

    url: str
    title: str
    source_id: str
    sub_question: str = ""
    """The one that wanted it first."""


@dataclass(frozen=True, slots=True)
class PageUnread(Event):
    """A page could not be read, or may not be."""

    url: str
    reason: str
    detail: str
    sub_question: str = ""


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """Claims were read and their quotes located."""

    sub_question: str
    claims: int
    unlocated: int
    """Claims dropped because no passage holds their quoted words."""


@dataclass(frozen=True, slots=True)
class Verified(Event):
    """Claims were judged."""

    sub_question: str
    kept: int
    refused: int


@dataclass(frozen=True, slots=True)
class ClaimVerified(Event):
    """One claim was judged."""

    claim_id: str
    sub_question: str
    text: str
    verdict: str
    source_id: str
    checked_by: str
    """Who gave the verdict: `none`, `machine`, `model`, or `self` (the caller's own conversation)."""


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """A round of research was assessed."""

    round: int
    sufficiency: int
    enough: bool
    why: str


@dataclass(frozen=True, slots=True)
class SectionWritten(Event):
    """A section is written."""

    heading: str
    claims: tuple[str, ...] = ()
    """Ids of the claims that its writer was given."""
    text: str = ""
    """Its Markdown as it was written, before the edit, the review and the audit, and without marks of sources."""


@dataclass(frozen=True, slots=True)
class Inquired(Event):
    """The run now waits for its user."""

    inquiry: str
    wanted: str
    """`approval` or `clarification`."""


@dataclass(frozen=True, slots=True)
class Replied(Event):
    """The user has answered."""

    inquiry: str
    decision: str


@dataclass(frozen=True, slots=True)
class Degraded(Event):
    """A step failed and a fallback took its place; the report's warnings say so.

    Degradations with a `who` are merged into one sentence with a count: see `degradations.DegradationLog`.
    """

    what: str
    """A whole sentence."""
    who: str = ""
    """The component that failed."""
    failed: str = ""
    """What failed, as the words after "could not": `read passages`."""
    why: str = ""
    then: str = ""
    """What happened instead: `extractive did it instead`."""
    about: str = ""
    """What was lost, such as the name of a page; "" for nothing."""
    by_rule: str = ""
    """The kind of model step that rules did instead: `read`, `judge`, `write` …; "" if rules did none."""


@dataclass(frozen=True, slots=True)
class Cautioned(Event):
    """A fact at the start of the run that its user may want to change; the report's warnings include it."""

    what: str
    """A whole sentence."""


def degraded(who: str, failed: str, why: str, then: str, about: str = "", by_rule: str = "") -> Degraded:
    """Build the event for a failed step and its fallback."""
    lost = f" ({about})" if about else ""
    reason = f": {why.rstrip('.')}" if why else ""
    return Degraded(f"{who} could not {failed}{lost}{reason}; {then}.", who, failed, why, then, about, by_rule)


@dataclass(frozen=True, slots=True)
class Spent(Event):
    """The ledger's totals so far, not the change."""

    usd: float
    tokens: int
    searches: int
    pages: int


@dataclass(frozen=True, slots=True)
class CeilingNear(Event):
    """A ceiling's level rose."""

    ceiling: str
    level: Level


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The run is over."""

    status: RunStatus
    message: str = ""
    report: bool = True
    """Whether a report was written; False if no process was working on the run."""


EventSink = Callable[[Event], None]
"""Receives each event. It must not block or raise."""
