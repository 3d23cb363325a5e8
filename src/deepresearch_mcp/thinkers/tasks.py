"""Everything that a thinker is asked: one class for each kind of task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement, Pair, SubQuestionEvidence, ThinkerTask


@dataclass(frozen=True, slots=True)
class PlanResearch(ThinkerTask[Plan]):
    """Split the question into at most `parts` sub-questions with about `queries` search queries in all."""

    parts: int
    queries: int

    name = "plan"
    doing = "plan the research"
    decides = True
    stops_at_ceiling = True


@dataclass(frozen=True, slots=True)
class ReadPassages(ThinkerTask[Reading]):
    """Take from the passages at most `limit` claims that answer the sub-question, and leads to more."""

    sub_question: SubQuestion
    passages: Sequence[Passage]
    limit: int

    name = "read"
    doing = "read passages"
    decides = True
    stops_at_ceiling = True
    stops_at_refusal = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.passages

    @override
    def nothing(self) -> Reading:
        return Reading()


@dataclass(frozen=True, slots=True)
class JudgeClaims(ThinkerTask[Sequence[Judgement]]):
    """Give each claim a verdict, from the claim and the context of its quotes alone.

    A claim without a readable verdict is not among the judgements.
    """

    claims: Sequence[Claim]

    name = "judge"
    doing = "check claims"
    instead = "rules alone judged them"
    decides = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.claims

    @override
    def nothing(self) -> Sequence[Judgement]:
        return ()


@dataclass(frozen=True, slots=True)
class HoldSentences(JudgeClaims):
    """The same for finished sentences and cells of the report, put as claims with the quotes of all that they state."""

    syntheses: frozenset[str] = frozenset()
    """Ids of those that compare, contrast, order or sum up what they rest on."""
    stated: Mapping[str, Sequence[Claim]] = field(default_factory=dict[str, Sequence[Claim]])
    """The id of each, with the verified claims that it rests on."""

    name = "hold"
    doing = "hold finished sentences to their sources"
    instead = "rules alone held them"


class HoldRewordedSentences(HoldSentences):
    """The same for sentences that were reworded."""

    name = "again"
    doing = "look at sentences that were worded anew"


@dataclass(frozen=True, slots=True)
class HoldJudgements(ThinkerTask[Sequence[Judgement]]):
    """Say of each judgement whether it follows from all its premises and brings in no fact of its own.

    `supported`: it follows; `partly`; `unsupported`: it does not. A statement without premises follows if it states
    nothing that needs a source. One without a readable verdict is not among the answers.
    """

    statements: Sequence[HeldStatement]

    name = "hold_judgements"
    doing = "hold its own judgements to their premises"
    instead = "rules alone held them"
    decides = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.statements

    @override
    def nothing(self) -> Sequence[Judgement]:
        return ()


@dataclass(frozen=True, slots=True)
class ComparePairs(ThinkerTask[Sequence[Comparison]]):
    """Say how the claims of each pair relate; a pair that the answer leaves out is `neither`."""

    pairs: Sequence[Pair]

    name = "compare"
    doing = "compare claims"
    decides = True
    takes_a_round = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.pairs

    @override
    def nothing(self) -> Sequence[Comparison]:
        return ()


@dataclass(frozen=True, slots=True)
class AssessCoverage(ThinkerTask[Assessment]):
    """Say how far the claims answer the question, with at most `queries` follow-up queries.

    With 0 queries, `Assessment.gaps` says what could not be established.
    """

    parts: Sequence[SubQuestionEvidence]
    queries: int

    name = "assess"
    doing = "weigh the evidence"
    decides = True
    stops_at_ceiling = True


@dataclass(frozen=True, slots=True)
class OutlineReport(ThinkerTask[Outline]):
    """Give a title, and sections over the sub-questions; claims may still be coming in."""

    parts: Sequence[SubQuestionEvidence]

    name = "outline"
    doing = "outline the report"


@dataclass(frozen=True, slots=True)
class WriteParagraph(ThinkerTask[Sequence[Sentence]]):
    """State these claims in a good order, each sentence with the ids of the claims that it states."""

    section: SectionPlan
    claims: Sequence[Claim]

    name = "write"
    doing = "write a paragraph"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.claims

    @override
    def nothing(self) -> Sequence[Sentence]:
        return ()


@dataclass(frozen=True, slots=True)
class ConcludeReport(ThinkerTask[Sequence[Sentence]]):
    """Answer the question in at most `max_chars` characters, from what the sections state."""

    sections: Sequence[WrittenSection]
    claims: Sequence[Claim]
    max_chars: int

    name = "conclude"
    doing = "write the direct answer"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.claims

    @override
    def nothing(self) -> Sequence[Sentence]:
        return ()


@dataclass(frozen=True, slots=True)
class CritiqueDraft(ThinkerTask[Critique]):
    """Say what is wrong with the draft: left out, misleading, repeated, unclear."""

    draft: Draft
    claims: Sequence[Claim]

    name = "critique"
    doing = "read the draft again"
    instead = "rules alone held the draft to its claims"
    takes_a_round = True

    @override
    def nothing(self) -> Critique:
        return Critique()


@dataclass(frozen=True, slots=True)
class ReviseSection(ThinkerTask[WrittenSection]):
    """Mend the section where the critique is right."""

    section: WrittenSection
    critique: Critique
    claims: Sequence[Claim]

    name = "revise"
    doing = "revise a section"
    instead = "rules alone held the draft to its claims"
    takes_a_round = True

    @override
    def nothing(self) -> WrittenSection:
        return self.section


@dataclass(frozen=True, slots=True)
class RepairSentences(ThinkerTask[Sequence[Sentence]]):
    """Mend each doubted sentence: word it down, rest it on other claims, or call it a judgement.

    In order; a sentence without text is dropped. `claims` holds those of all doubts, also those beside them.
    """

    doubts: Sequence[Doubt]
    claims: Sequence[Claim]

    name = "repair"
    doing = "repair sentences"
    instead = "those found wanting were taken out, and what their supported claims say was kept"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.doubts

    @override
    def nothing(self) -> Sequence[Sentence]:
        return tuple(Sentence(text="", claim_ids=doubt.sentence.claim_ids) for doubt in self.doubts)


class AnswerDirectly(ThinkerTask[str]):
    """Answer from the model's own knowledge; an empty text says that it has none."""

    name = "direct"
    doing = "answer directly"
    stops_at_ceiling = True

    @override
    def nothing(self) -> str:
        return ""
