"""What a run asks of its user, or of their client's model, and what is answered: until then it waits."""

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
"""Who made a plan and cannot read what a user writes to it."""

Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_NOTE)]
Part = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]


class InputRequest(BaseModel):
    """What a run needs to know before it continues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    inquiry_id: str
    """Names what is asked within the run; the key of the step that records the reply."""
    kind: InquiryKind
    text: str
    """One sentence for the user."""
    plan: Plan | None = None
    """With its estimate; of a clarification: the plan for the likeliest meaning."""
    ceilings: Shape | None = None
    """Those that hold unless they are lowered."""
    questions: tuple[Clarification, ...] = Field(default=(), max_length=3)
    """Answered in their order; an empty answer leaves one to the planner."""
    packets: tuple[ModelTask, ...] = ()
    """Of work: one round of questions to the client's own model."""
    estimate: Estimate | None = None
    """Of a budget: what the research would cost, which is more than it may."""
    raised: Limits | None = None
    """Of a budget: ceilings that would most likely be enough; None where only the settings can raise it."""

    @property
    def hears_notes(self) -> bool:
        """Whether a note in words can be followed: not by a planner that goes by rules."""
        return self.plan is None or self.plan.made_by not in RULED

    @property
    def open(self) -> tuple[ModelTask, ...]:
        """The packets without an answer."""
        return tuple(packet for packet in self.packets if packet.answered is None)

    def after(self, answers: Mapping[str, ClientAnswer], faulty: Collection[str] = ()) -> "InputRequest":
        """The same with answers by the ids of their packets; an answer that is there stands, as of two that answer.

        `faulty` are packets whose answer cannot be used.
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
        """What the reply is about: one to another plan, or to other questions, is none to this."""
        parts = self.plan.sub_questions if self.plan else ()
        return {
            "kind": self.kind,
            "parts": [(part.text, part.queries) for part in parts],
            "questions": [one.question for one in self.questions],
            "packets": [packet.mark for packet in self.packets],
        }


class Reply(BaseModel):
    """What the user says to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: Decision
    """`approve`: go on, with whatever changes stand here; `change`: show the changed plan first; `decline`: end."""
    note: Note = ""
    """What is to be different, in the user's words: the planner reads it."""
    sub_questions: tuple[Part, ...] = ()
    """Taken to the letter in the place of the plan's."""
    answers: tuple[Note, ...] = ()
    """To the inquiry's questions, in their order."""
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
        """Whether anything is to be other than it was shown."""
        return bool(self.note or self.sub_questions or any(self.answers) or self.limits != Limits())
