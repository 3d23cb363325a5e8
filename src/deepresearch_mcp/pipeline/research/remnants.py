"""Remnants: choices of few passages. They are read together at the end of a round, since each prompt has its price."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.pipeline.research.nearest_hypotheses import nearest_hypotheses
from deepresearch_mcp.pipeline.research.reader import Material, batches
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.records.plan import Hypothesis
from deepresearch_mcp.records.sources import Passage

_FEW = 0.3
"""Share of the characters of a whole batch below which passages wait for others."""


@dataclass(slots=True)
class Remnants:
    """The passages of one round that wait to be read together, with the states that their claims belong to."""

    chars: int
    """Characters of a whole batch."""
    states: dict[str, SubQuestionState] = field(default_factory=dict[str, SubQuestionState])
    """Those of the sub-questions that have passages here, by id."""
    _waiting: list[Material] = field(default_factory=list[Material])

    def takes(self, material: Material) -> bool:
        """Whether these passages are few enough to wait."""
        return sum(len(one.text) for one in material.passages) < _FEW * self.chars

    def add(self, material: Material, state: SubQuestionState) -> None:
        """Keep some passages until the end of the round."""
        self._waiting.append(material)
        self.states[material.sub_question.id] = state

    def joined(self, hypotheses: Sequence[Hypothesis]) -> list[Material]:
        """All that waits, in as few batches as it takes; `hypotheses`: all that are open. Nothing waits then."""
        # In an order that a resumed run has too, whichever search answered first.
        waiting = sorted(self._waiting, key=_order)
        self._waiting = []
        home = {one.passage_id: part for part in waiting for one in part.passages}
        # Two sub-questions may have chosen the same passage at once.
        every = list({one.passage_id: one for part in waiting for one in part.passages}.values())
        return [
            _joined(batch, list({id(home[one.passage_id]): home[one.passage_id] for one in batch}.values()), hypotheses)
            for batch in batches(every, self.chars)
        ]


def _order(material: Material) -> tuple[str, str, str]:
    return material.sub_question.id, material.sub_question.text, material.passages[0].passage_id


def _joined(passages: Sequence[Passage], parts: Sequence[Material], hypotheses: Sequence[Hypothesis]) -> Material:
    """One reading for several sub-questions; each passage is read for the one that it was chosen for."""
    own = dict.fromkeys(one for part in parts for one in part.own)
    known = {one.passage_id for one in passages}
    return Material(
        parts[0].sub_question,
        passages,
        {name: page for part in parts for name, page in part.documents.items()},
        nearest_hypotheses(tuple(own), hypotheses, passages),
        tuple(dict.fromkeys(need for part in parts for need in part.needs)),
        homes={one.passage_id: part.sub_question for part in parts for one in part.passages if one.passage_id in known},
        own=tuple(own),
    )
