"""The one port for thinking: a stage holds what must hold for every thinker; a thinker holds how one thinks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage

DOING: Mapping[str, str] = MappingProxyType(
    {
        "plan": "plan the research",
        "read": "read passages",
        "judge": "check claims",
        "compare": "compare claims",
        "assess": "weigh the evidence",
        "gaps": "tell what is missing",
        "outline": "outline the report",
        "write": "write a paragraph",
        "conclude": "write the direct answer",
        "critique": "read the draft again",
        "revise": "revise a section",
        "repair": "repair sentences",
        "direct": "answer directly",
    }
)
"""What a thinker is asked to do, behind "could not", as a report tells it."""

EXTRACTIVE = "extractive"
"""The name of the thinker that goes by rules, without a model."""

Pair = tuple[Claim, Claim]
"""Two claims of different sources that may be about one thing."""


@dataclass(frozen=True, slots=True)
class SubQuestionEvidence:
    """A sub-question and the verified claims that answer it so far."""

    sub_question: SubQuestion
    claims: tuple[Claim, ...]
    more: int = 0
    """Verified claims beyond these, left out for want of room."""
    tried: tuple[str, ...] = ()
    """Queries that were really sent for it."""
    leads: tuple[str, ...] = ()
    """Queries that pages pointed to and that were not followed yet."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence of the report that its claims do not carry, and what is missing from them."""

    sentence: Sentence
    problem: str


class Thinker(Protocol):
    """How one thinks: with a model, without one, or with a caller's own.

    Every method returns proposals: ids it names may not exist, quotes may stand
    nowhere, limits may be passed. The stage that asked checks all of it.
    `step` names the step, for the journal; a thinker that pays for several calls
    adds `/…` to its key.

    Every method may raise:
        ProviderError: The thinker could not be asked, or answered unreadably.
        BudgetExceeded: The call could have crossed a ceiling.
    """

    @property
    def name(self) -> str:
        """For the report: `extractive`, or the models'."""
        ...

    @property
    def paragraph_claims(self) -> int:
        """Claims that `write` is best given at once; 0: as the settings say."""
        ...

    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        """Split the question into at most `parts` sub-questions with about `queries` search queries in all."""
        ...

    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        """At most `limit` claims of these passages that answer the sub-question, and leads to more."""
        ...

    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        """A verdict on each claim, from the claim and the context of its quotes alone."""
        ...

    async def compare(self, brief: Brief, pairs: Sequence[Pair], step: Step) -> Sequence[Comparison]:
        """What the claims of each pair are to each other; a pair that is not named is `neither`."""
        ...

    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        """How far the claims answer the question, and at most `queries` follow-up queries.

        With none left to ask, `gaps` tells the reader what could not be established.
        """
        ...

    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        """A title, and sections over the sub-questions; claims may still be coming in."""
        ...

    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        """Prose that states these claims in a good order, each sentence naming the claims it states."""
        ...

    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        """The direct answer in at most `max_chars` characters, from what the sections state."""
        ...

    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        """What is wrong with the draft: left out, misleading, repeated, unclear."""
        ...

    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        """The section again, mended where the critique is right."""
        ...

    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        """Each doubted sentence worded down to what its claims say; in order; empty text: drop it."""
        ...

    async def direct(self, brief: Brief, step: Step) -> str:
        """An answer from one's own knowledge; empty where one has none."""
        ...
