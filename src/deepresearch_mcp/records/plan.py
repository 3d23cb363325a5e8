"""What is to be found out, and how far each part has come."""

from datetime import date
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from deepresearch_mcp.records.request import ResearchRequest, Shape

Priority = Literal["high", "medium", "low"]
"""The most urgent first."""
Confidence = Literal["low", "medium", "high"]
TaskStatus = Literal["todo", "in_progress", "done", "blocked", "retired"]
"""`retired`: not searched for any more, as it is answered or told by another one."""

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
    """The question as it will be researched: what every later stage starts from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    language: str
    """ISO 639-1 of the report; empty where it could not be told."""
    today: date
    """Read once from the clock; every prompt carries it."""
    request: ResearchRequest
    background: str = ""
    """What an earlier run, or the dialogue, established; may be long."""
    wishes: tuple[str, ...] = ()
    """What the user has said to the plan, or in answer to a question of ours."""
    scope: Scope = Scope()
    """What is asked for; empty until the plan is made."""

    @property
    def may_ask(self) -> bool:
        """Whether the user may be asked what is meant: once, and not of one who follows up or wants no questions."""
        return self.request.clarify != "never" and not self.request.follow_up_of and not self.wishes


class SubQuestion(BaseModel):
    """One part of the question, answerable by itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """`q0` is the question as a whole, `q1` … the plan's."""
    text: str
    priority: Priority = "medium"
    queries: tuple[str, ...] = ()
    """For its first round."""
    depends_on: tuple[str, ...] = ()
    status: TaskStatus = "todo"
    within: str = Field(default="", exclude=True)
    """The sub-question's own words, where `text` is what a page pointed to."""

    @property
    def urgency(self) -> int:
        """Sorts sub-questions by priority, the highest first."""
        return get_args(Priority).index(self.priority)


class StageEstimate(BaseModel):
    """One stage's part in an estimate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    """The role of the model that works in it."""
    model: str = ""
    """`PROVIDER:NAME`; empty: none is asked."""
    tokens: int
    usd: float | None
    """None where the model's price is unknown."""


class Pressure(BaseModel):
    """A ceiling that a research is likely to come near, or to need more than."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ceiling: str
    """`max_usd`, or `limits.usd_per_day`."""
    expected: float
    limit: float
    """What may be used; of a day's ceiling, what is left of it."""

    @property
    def over(self) -> bool:
        """Whether more is expected than may be used."""
        return self.expected > self.limit


class Estimate(BaseModel):
    """What a research is likely to use, before it starts and as if no ceiling stood in its way."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usd: float | None
    """Models and searches together; None where a model's price is unknown."""
    tokens: int
    searches: int
    pages: int
    seconds: float
    stages: tuple[StageEstimate, ...] = ()
    """Who uses the tokens; their dollars and `search_usd` are the whole's."""
    search_usd: float = 0.0
    """Of `usd`: what paid engines charge."""
    usd_range: tuple[float, float] | None = None
    """Between what most runs like it would lie."""
    tokens_range: tuple[int, int] | None = None
    confidence: Confidence = "low"
    runs: int = 0
    """Earlier runs like it, by which it is measured; with fewer than three it goes by the figures of our own bench."""
    ceilings: Shape | None = None
    """What the run may use."""
    pressed: tuple[Pressure, ...] = ()
    """Ceilings that were set and are expected to be used to 80 % or more."""


class Clarification(BaseModel):
    """A question back: what the user means, where the plan would be another for each answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    options: tuple[str, ...] = ()
    """Likely answers; another one is as good."""


class Plan(BaseModel):
    """The sub-questions of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    goals: tuple[str, ...] = ()
    sub_questions: tuple[SubQuestion, ...] = Field(min_length=1, max_length=16)
    """The planner's, and those that the analyst added."""
    scope: Scope = Scope()
    hypotheses: tuple[Hypothesis, ...] = ()
    made_by: str = ""
    """The thinker's name; `default` when the planner's answer could not be used."""
    estimate: Estimate | None = None
    questions: tuple[Clarification, ...] = ()
    """What the planner would ask the user, if it could."""
