"""How far a run is: its state in numbers and its checklist, folded from its events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from deepresearch_mcp.events import (
    PERCENT,
    Answered,
    Cautioned,
    CeilingNear,
    Claimed,
    Ended,
    EngineFailed,
    Event,
    Inquired,
    PageAdmitted,
    PageRead,
    PageUnread,
    PlanMarked,
    Planned,
    Replied,
    RoundEnded,
    SectionWritten,
    Spent,
    StageEntered,
    Verified,
)
from deepresearch_mcp.records.plan import ChecklistItem
from deepresearch_mcp.records.run import RunStatus, Stage
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.text.number_words import ending


@dataclass(frozen=True, slots=True)
class Progress:
    """A run's state in numbers, folded from its events."""

    run_id: str
    status: RunStatus = "running"
    stage: Stage = "created"
    sub_questions: int = 0
    checklist: tuple[ChecklistItem, ...] = ()
    """The plan's sub-questions with their status."""
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
                return replace(new, sub_questions=len(parts), checklist=_planned(parts, new.checklist))
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
            case PlanMarked():
                return replace(self, checklist=_marked(event, self.checklist))
            case Inquired():
                return replace(self, status="input_required")
            case Replied():
                return replace(self, status="running")
            case Ended(status=status):
                return replace(self, status=status, stage="ended")
            case _:
                return self

    @property
    def done(self) -> int:
        """Sub-questions of the plan that need no more work."""
        return sum(one.status in {"done", "retired"} for one in self.checklist)

    def line(self) -> str:
        """One line for a person or a model: what the run does now, and its results so far."""
        return self._told("")

    def message(self) -> str:
        """The same line with the site that is being read and the state of the plan, for clients that show it live."""
        looking = self.stage in {"researching", "reflecting"}
        plan = f"{self.done} of {len(self.checklist)} sub-questions answered" if len(self.checklist) > 1 else ""
        return self._told(self.site if self.stage == "researching" else "", plan if looking else "")

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

    def _told(self, site: str, plan: str = "") -> str:
        if self.status == "queued":
            return self._queued()
        doing = {
            "created": "starting",
            "planning": "planning",
            "researching": f"reading {self.read} of {self.admitted} pages" if self.admitted else "searching",
            "reflecting": f"weighing {self.claims} claims",
            "synthesizing": f"writing, {self.sections} sections done",
            "ended": self.status,
        }[self.stage]
        if self.round > 1 and self.stage in {"researching", "reflecting"}:
            doing = f"round {self.round}: {doing}"
        parts = ["waiting for an answer" if self.status == "input_required" else doing]
        parts += filter(None, (site, plan))
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


def _planned(texts: Sequence[str], known: Sequence[ChecklistItem]) -> tuple[ChecklistItem, ...]:
    """The checklist of a plan. A resumed run tells its plan again: what was marked stays marked."""
    before = {one.text: one for one in known}
    fresh = (ChecklistItem(f"q{number}", text) for number, text in enumerate(texts, start=1))
    return tuple(replace(one, status=before[one.text].status) if one.text in before else one for one in fresh)


def _marked(event: PlanMarked, known: Sequence[ChecklistItem]) -> tuple[ChecklistItem, ...]:
    marked = ChecklistItem(event.sub_question, event.text, event.status)
    if all(one.id != marked.id for one in known):
        return (*known, marked)
    return tuple(marked if one.id == marked.id else one for one in known)
