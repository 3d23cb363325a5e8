"""What the last readers of a report are asked about its finished sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement, Sweep, ThinkerTask
from deepresearch_mcp.thinkers.tasks import JudgeClaims


@dataclass(frozen=True, slots=True)
class HoldSentences(JudgeClaims):
    """The same for finished sentences and cells of the report, put as claims with the quotes of all that they state."""

    syntheses: frozenset[str] = frozenset()
    """Ids of those that compare, contrast, order or sum up what they rest on."""
    stated: Mapping[str, Sequence[Claim]] = field(default_factory=dict[str, Sequence[Claim]])
    """The id of each, with the verified claims that it rests on."""
    before: Mapping[str, str] = field(default_factory=dict[str, str])
    """The id of each that leans on the sentence before it, with that sentence."""
    sections: Mapping[str, str] = field(default_factory=dict[str, str])
    """The id of each, with the heading that it stands under; "" in the opening."""
    sweeps: Mapping[str, Sweep] = field(default_factory=dict[str, Sweep])
    """The id of each that has words to look at, with these."""

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
