"""The plan of a run: its brief, its sub-questions, and an estimate of its cost."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.request import Filters, ResearchRequest, Shape

Priority = Literal["high", "medium", "low"]
"""Most urgent first; `SubQuestion.urgency` relies on this order."""
Confidence = Literal["low", "medium", "high"]
TaskStatus = Literal["todo", "in_progress", "done", "blocked", "retired"]
"""`retired`: not searched for any more, as it is answered or told by another one."""


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One line of the plan as people follow it while the run works."""

    id: str
    """Of the sub-question: `q1` …"""
    text: str
    status: TaskStatus = "todo"


MOST_PARTS = 10
"""Sub-questions that a planner or a user may give: the greatest breadth."""
PART_QUERIES = 3
"""Queries of one sub-question in a round, at most."""


def most_hypotheses(parts: int) -> int:
    """How many hypotheses a plan of so many sub-questions may have."""
    return min(24, max(4, 3 * parts))


DeliverableKind = Literal[
    "answer", "comparison", "recommendation", "figure", "list", "how_to", "timeline", "verdict", "explanation"
]


class Deliverable(BaseModel):
    """One thing that the question asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """`d1` …, in the order of the question."""
    kind: DeliverableKind = "answer"
    """`answer`: none of the others; `verdict`: on a statement that the question makes."""
    text: str
    """What is to be delivered: of what, by what, for whom."""


class Cell(BaseModel):
    """One field of the grid of a comparison."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """`s1a2`: the first subject, the second aspect."""
    subject: str
    aspect: str


class Scope(BaseModel):
    """What is asked: the checklist that the finished report is held against."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deliverables: tuple[Deliverable, ...] = ()
    subjects: tuple[str, ...] = ()
    """What is compared or described; with `aspects` the rows and columns of a grid."""
    aspects: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    """Time, place, version, audience, length or form that the question sets."""
    premises: tuple[str, ...] = ()
    """What the question takes for granted and may be wrong about."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The grid, subject by subject; empty without subjects or without aspects."""
        return tuple(
            Cell(id=f"s{row}a{column}", subject=subject, aspect=aspect)
            for row, subject in enumerate(self.subjects, 1)
            for column, aspect in enumerate(self.aspects, 1)
        )


class Hypothesis(BaseModel):
    """A statement that would decide part of the answer if it is true. It directs the search and is never printed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """`h1` …."""
    statement: str
    query: str
    """What would confirm or refute it."""
    sub_question: str = ""
    """The id of the sub-question that it belongs to; "" for the question as a whole."""
    premise: bool = False
    """Whether the question itself takes it for granted."""


class Brief(BaseModel):
    """The question as it will be researched; every later stage starts from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    language: str
    """Language of the report, as an ISO 639-1 code; empty if unknown."""
    today: date
    """Read from the clock once; every prompt contains it."""
    request: ResearchRequest
    background: str = ""
    """Facts from an earlier run or from the dialogue; may be long."""
    wishes: tuple[str, ...] = ()
    """The user's comments on the plan, and answers to the planner's questions."""
    scope: Scope = Scope()
    """What is asked for; empty until the plan is made."""
    profile: Profile = Profile()
    """The profile that the request names."""
    template: ReportTemplate = ReportTemplate()
    """The form that the report is to have."""
    limits: Filters | None = None
    """The limits on sources with those of the settings and the profile; None: those of the request alone."""

    @property
    def filters(self) -> Filters:
        """The limits on sources."""
        return self.limits or self.request.filters

    @property
    def may_ask(self) -> bool:
        """Whether the planner may ask the user what the question means.

        It asks at most once, and never in a follow-up or if the request rules questions out.
        """
        return self.request.clarify != "never" and not self.request.follow_up_of and not self.wishes


class SubQuestion(BaseModel):
    """One part of the question that can be answered on its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """`q0` is the question as a whole; `q1`, `q2` … are the plan's parts."""
    text: str
    priority: Priority = "medium"
    queries: tuple[str, ...] = ()
    """Search queries for its first round."""
    depends_on: tuple[str, ...] = ()
    """Ids of sub-questions that must be answered first."""
    status: TaskStatus = "todo"
    within: str = Field(default="", exclude=True)
    """The sub-question's original text, if `text` holds a lead from a page instead."""

    @property
    def urgency(self) -> int:
        """Sort key by priority; the most urgent is 0."""
        return get_args(Priority).index(self.priority)


class StageEstimate(BaseModel):
    """One stage's share of an estimate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    """The role of the stage's model."""
    model: str = ""
    """`PROVIDER:NAME`; empty: the stage asks no model."""
    tokens: int
    usd: float | None
    """None if the model's price is unknown."""


class Pressure(BaseModel):
    """A ceiling that a run is likely to approach or exceed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ceiling: str
    """Such as `max_usd` or `limits.usd_per_day`."""
    expected: float
    """Expected use, in the ceiling's unit."""
    limit: float
    """What may be used, in the same unit; for a daily ceiling, the part that is left."""

    @property
    def over(self) -> bool:
        """Whether the expected use exceeds the limit."""
        return self.expected > self.limit


class Estimate(BaseModel):
    """What a run is likely to use, estimated before it starts and without regard to ceilings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usd: float | None
    """Models and searches together; None if a model's price is unknown."""
    tokens: int
    searches: int
    """Each query is put to one engine or to several."""
    pages: int
    seconds: float
    queries: int = 0
    """The queries behind these figures."""
    stages: tuple[StageEstimate, ...] = ()
    """Share of each stage; their dollars and `search_usd` add up to `usd`."""
    search_usd: float = 0.0
    """The part of `usd` that paid engines charge."""
    usd_range: tuple[float, float] | None = None
    """Most runs like this one stay in this range."""
    tokens_range: tuple[int, int] | None = None
    confidence: Confidence = "low"
    runs: int = 0
    """Number of similar earlier runs behind the estimate; with fewer than three, our benchmark's figures are used."""
    ceilings: Shape | None = None
    """What the run may use."""
    pressed: tuple[Pressure, ...] = ()
    """Ceilings that were set and of which the run is expected to use 80 % or more."""


class Clarification(BaseModel):
    """A question to the user about the meaning of theirs, asked because the answer changes the plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    options: tuple[str, ...] = ()
    """Likely answers; the user may give another."""


class Plan(BaseModel):
    """The sub-questions of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    goals: tuple[str, ...] = ()
    sub_questions: tuple[SubQuestion, ...] = Field(min_length=1, max_length=16)
    """The planner's, and those that the analyst added."""
    scope: Scope = Scope()
    hypotheses: tuple[Hypothesis, ...] = ()
    made_by: str = ""
    """The thinker's name; `default` if the planner's answer could not be used."""
    estimate: Estimate | None = None
    questions: tuple[Clarification, ...] = ()
    """What the planner would ask the user if it may."""
