"""Remnants: choices of few passages. Those of one round are read together, since each prompt has its price."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.pipeline.research.nearest_hypotheses import nearest_hypotheses
from deepresearch_mcp.pipeline.research.reader import Material, batches
from deepresearch_mcp.pipeline.signal import Signal
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.records.plan import Hypothesis
from deepresearch_mcp.records.sources import Passage

_FEW = 0.3
"""Share of the characters of a whole batch below which passages wait for others."""


@dataclass(slots=True)
class Remnants:
    """The passages of one round that wait to be read together, with the states that their claims belong to.

    They wait until each sub-question has chosen from the pages that its queries brought; what the links and leads of
    its readings bring later is read at once. Which passages those are depends on timing, so it is recorded: a resumed
    run joins the same ones.
    """

    chars: int
    """Characters of a whole batch."""
    states: dict[str, SubQuestionState] = field(default_factory=dict[str, SubQuestionState])
    """Those of the sub-questions that have passages here, by id."""
    _waiting: list[Material] = field(default_factory=list[Material])
    _choosing: set[str] = field(default_factory=set[str])
    """The sub-questions that may still bring passages."""
    _live: bool = False
    _decided: frozenset[str] | None = None
    """The passages that are joined, once that is decided."""
    _is_read: bool = False
    _news: Signal = field(default_factory=Signal)

    def expect(self, names: Collection[str]) -> None:
        """Wait for the choices of these sub-questions, until each is `over`."""
        self._choosing.update(names)

    def over(self, name: str) -> None:
        """This sub-question has chosen from all pages of its queries; a second call does nothing."""
        self._choosing.discard(name)
        self._news.notify()

    async def collected(self) -> list[str]:
        """The passages that wait, once no choice of the round is open; what comes later does not wait."""
        self._live = True
        self._news.notify()
        await self._news.wait_until(lambda: not self._choosing)
        self._decided = frozenset(self._held())
        return sorted(self._decided)

    async def complete(self, passages: Collection[str]) -> None:
        """Return once all these passages wait, or no choice of the round is open: a resumed run joins them again."""
        decided = self._decided = frozenset(passages)
        self._news.notify()
        await self._news.wait_until(lambda: not self._choosing or decided <= self._held())

    async def takes(self, material: Material, state: SubQuestionState) -> bool:
        """Whether these passages wait for others, as they are few; they are kept then."""
        if sum(len(one.text) for one in material.passages) >= _FEW * self.chars:
            return False
        await self._news.wait_until(lambda: self._live or self._decided is not None)
        known = {one.passage_id for one in material.passages}
        if self._is_read or (self._decided is not None and (self._live or not known <= self._decided)):
            return False
        self._waiting.append(material)
        self.states[material.sub_question.id] = state
        self._news.notify()
        return True

    def _held(self) -> set[str]:
        return {one.passage_id for part in self._waiting for one in part.passages}

    def joined(self, hypotheses: Sequence[Hypothesis]) -> list[Material]:
        """All that waits, in as few batches as it takes; `hypotheses`: all that are open. Nothing waits after it."""
        self._is_read = True
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
