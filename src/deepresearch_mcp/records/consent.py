"""Questions of a waiting run to its user, or to the client's model, and the replies."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from deepresearch_mcp.records.plan import MOST_PARTS, Clarification, Estimate, Plan
from deepresearch_mcp.records.request import Limits, Shape
from deepresearch_mcp.records.work import ClientAnswer, ModelTask

InquiryKind = Literal["approval", "clarification", "budget", "work"]
Decision = Literal["approve", "change", "decline"]

MAX_NOTE = 2_000
"""Characters of a note, and of the answer to a question."""
RULED = frozenset({"extractive", "default"})
"""Values of `Plan.made_by` for rule-based planners, which cannot follow a note in words."""

Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_NOTE)]
Part = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]


class InputRequest(BaseModel):
    """What a run needs to know before it continues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    inquiry_id: str
    """Unique within the run; also the key of the step that records the reply."""
    kind: InquiryKind
    text: str
    """One sentence for the user."""
    plan: Plan | None = None
    """The plan with its estimate; for a clarification, the plan for the likeliest meaning."""
    ceilings: Shape | None = None
    """The ceilings that apply unless the reply lowers them."""
    questions: tuple[Clarification, ...] = Field(default=(), max_length=3)
    """Questions to answer in this order; an empty answer leaves the choice to the planner."""
    packets: tuple[ModelTask, ...] = ()
    """For `work`: one round of tasks for the client's model."""
    estimate: Estimate | None = None
    """For `budget`: the expected cost, which exceeds a ceiling."""
    raised: Limits | None = None
    """For `budget`: ceilings that would probably suffice; None if only the settings can raise the ceiling."""

    @property
    def hears_notes(self) -> bool:
        """Whether the planner can follow a note in words; a rule-based one cannot."""
        return self.plan is None or self.plan.made_by not in RULED

    @property
    def open(self) -> tuple[ModelTask, ...]:
        """The packets without an answer."""
        return tuple(packet for packet in self.packets if packet.answered is None)

    def after(self, answers: Mapping[str, ClientAnswer], faulty: Collection[str] = ()) -> "InputRequest":
        """Return a copy with new answers, by packet id. An existing answer is kept, so the first of two wins.

        `faulty` holds the ids of packets whose answer was unusable.
        """
        packets = tuple(
            packet
            if packet.answered
            else packet.model_copy(
                update={
                    "answered": answers.get(packet.packet_id),
                    "faulty": packet.faulty or packet.packet_id in faulty,
                }
            )
            for packet in self.packets
        )
        return self.model_copy(update={"packets": packets})

    def subject(self) -> dict[str, Any]:
        """What a reply refers to: a reply to a different plan or to different questions does not count."""
        parts = self.plan.sub_questions if self.plan else ()
        return {
            "kind": self.kind,
            "parts": [(part.text, part.queries) for part in parts],
            "questions": [one.question for one in self.questions],
            "packets": [packet.mark for packet in self.packets],
        }


class Reply(BaseModel):
    """The user's reply to an `InputRequest`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: Decision
    """`approve`: continue with the changes given here; `change`: show the changed plan first; `decline`: end it."""
    note: Note = ""
    """Changes in the user's own words, for the planner."""
    sub_questions: tuple[Part, ...] = ()
    """Sub-questions that replace the plan's, word for word."""
    answers: tuple[Note, ...] = ()
    """Answers to the request's questions, in their order."""
    limits: Limits = Limits()
    """Ceilings that replace the run's."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.note and self.sub_questions:
            raise ValueError("give a note or the sub-questions themselves, not both")
        if len(self.sub_questions) > MOST_PARTS:
            raise ValueError(f"at most {MOST_PARTS} sub-questions are taken, and {len(self.sub_questions)} were given")
        if self.decision == "change" and not self.changes:
            raise ValueError("say what is to change: a note, the sub-questions, answers, or a ceiling")
        return self

    @property
    def changes(self) -> bool:
        """Whether the reply changes anything that was shown."""
        return bool(self.note or self.sub_questions or any(self.answers) or self.limits != Limits())
