"""The events of a run: the only progress vocabulary. Every surface renders them and infers nothing from text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urlsplit

from deepresearch_mcp.records.run import RunStatus, Stage
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.text.number_words import ending

Level = Literal["ok", "warned", "narrow", "spent"]
"""`warned`, `narrow` and `spent` mean 80 %, 90 % and 100 % of what research may use of a ceiling."""

PERCENT: Mapping[Level, int] = MappingProxyType({"warned": 80, "narrow": 90, "spent": 100})
"""The percentage that each level is shown as."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event: made once, sent to every listener, kept in the audit trail."""

    @property
    def kind(self) -> str:
        """The name of the class in snake case."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

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


@dataclass(frozen=True, slots=True)
class PageUnread(Event):
    """A page could not be read, or may not be."""

    url: str
    reason: str
    detail: str


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


@dataclass(frozen=True, slots=True)
class Progress:
    """A run's state in numbers, folded from its events."""

    run_id: str
    status: RunStatus = "running"
    stage: Stage = "created"
    sub_questions: int = 0
    admitted: int = 0
    read: int = 0
    unread: int = 0
    searches: int = 0
    engine_failures: int = 0
    claims: int = 0
    verified: int = 0
    sections: int = 0
    round: int = 1
    usd: float = 0.0
    max_usd: float = 0.0
    tokens: int = 0
    seconds: float = 0.0
    events: int = 0
    """The number of events so far. It rises with each one, because MCP requires increasing progress values."""
    cautions: tuple[str, ...] = ()
    """The cautions from the start of the run, one sentence each."""
    near: str = ""
    """The ceiling whose level rose last, with its percentage: `max_usd is 80 % used`."""
    place: int = 0
    """The run's place in the queue while it waits; 1 is next, 0 is not queued."""
    waiting: int = 0
    """Runs in the queue, this one included."""
    at_work: int = 0
    """Runs that are active now; set only while this run is queued."""
    site: str = ""
    """The site of the page that was chosen or read last."""

    def after(self, event: Event, seconds: float) -> "Progress":
        """Return the progress after `event`, which happened `seconds` into the run."""
        new = replace(self, events=self.events + 1, seconds=seconds)
        match event:
            case StageEntered(stage=stage):
                return replace(new, stage=stage)
            case Planned(sub_questions=parts):
                return replace(new, sub_questions=len(parts))
            case Answered():
                return replace(new, searches=new.searches + 1)
            case EngineFailed():
                return replace(new, engine_failures=new.engine_failures + 1)
            case PageAdmitted(url=url):
                return replace(new, admitted=new.admitted + 1, site=_site(url))
            case PageRead(url=url):
                return replace(new, read=new.read + 1, site=_site(url))
            case PageUnread():
                return replace(new, unread=new.unread + 1)
            case _:
                return new._after_thinking(event)

    def _after_thinking(self, event: Event) -> "Progress":
        match event:
            case Claimed(claims=claims):
                return replace(self, claims=self.claims + claims)
            case Verified(kept=kept):
                return replace(self, verified=self.verified + kept)
            case RoundEnded(round=number, enough=enough):
                return replace(self, round=number if enough else number + 1)
            case SectionWritten():
                return replace(self, sections=self.sections + 1)
            case Spent(usd=usd, tokens=tokens):
                return replace(self, usd=usd, tokens=tokens)
            case Cautioned(what=what):
                return replace(self, cautions=tuple(dict.fromkeys((*self.cautions, what))))
            case CeilingNear(ceiling=ceiling, level=level) if level in PERCENT:
                return replace(self, near=f"{' '.join(ceiling.split())} is {PERCENT[level]} % used")
            case _:
                return self._after_turn(event)

    def _after_turn(self, event: Event) -> "Progress":
        match event:
            case Inquired():
                return replace(self, status="input_required")
            case Replied():
                return replace(self, status="running")
            case Ended(status=status):
                return replace(self, status=status, stage="ended")
            case _:
                return self

    def line(self) -> str:
        """One line for a person or a model: what the run does now, and its results so far."""
        return self._told("")

    def message(self) -> str:
        """The same line with the site that is being read, for clients that show it during the run."""
        return self._told(self.site if self.stage == "researching" else "")

    @property
    def percent(self) -> float:
        """How far the run is, from 0 to 100, by its stage. Each further round takes half of what research has left."""
        if self.status == "queued":
            return 0.0
        before = 5 + _RESEARCH * (1 - 0.5 ** (self.round - 1))
        span = _RESEARCH * 0.5**self.round
        settled = (self.read + self.unread) / max(1, self.admitted)
        return {
            "created": 1.0,
            "planning": 3.0,
            "researching": before + span * min(0.8, 0.8 * settled),
            "reflecting": before + span * 0.9,
            "synthesizing": 70 + 28 * (1 - 1 / (1 + self.sections)),
            "ended": 100.0,
        }[self.stage]

    def _told(self, site: str) -> str:
        if self.status == "queued":
            return self._queued()
        doing = {
            "created": "starting",
            "planning": "planning",
            "researching": f"reading {self.read} of {self.admitted} pages",
            "reflecting": f"weighing {self.claims} claims",
            "synthesizing": f"writing, {self.sections} sections done",
            "ended": self.status,
        }[self.stage]
        if self.round > 1 and self.stage in {"researching", "reflecting"}:
            doing = f"round {self.round}: {doing}"
        parts = ["waiting for an answer" if self.status == "input_required" else doing]
        if site:
            parts.append(site)
        # These count each claim when it is read. The report merges equal claims, so an ended run leaves its figures to
        # it.
        if self.claims and self.stage != "ended":
            parts.append(f"{self.claims} claims, {self.verified} verified")
        if self.max_usd and (self.usd or self.tokens):
            parts.append(f"${self.usd:.2f} of ${self.max_usd:.2f}")
        if self.near and self.stage != "ended":
            parts.append(self.near)
        parts.append(f"{self.seconds:.0f} s")
        return " · ".join(parts)

    def _queued(self) -> str:
        if not self.place:
            return "queued"
        busy = {0: "no run is", 1: "1 run is"}.get(self.at_work, f"{self.at_work} runs are")
        return f"queued: {self.place}{ending(self.place)} of {self.waiting}; {busy} at work"


_RESEARCH = 60.0
"""The part of a run, in percent, that its rounds of research take."""


def _site(url: str) -> str:
    """The host of an address without `www.`, at most 60 characters."""
    try:
        host = urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""
    return visible(host.removeprefix("www."))[:60]
