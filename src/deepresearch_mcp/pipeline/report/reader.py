"""Put to a reader: which sentences hold of which the machine is not sure, each by the rule of its kind."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import anyio

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.machine_gate import is_readers_word
from deepresearch_mcp.pipeline.report.absences import StoredPages
from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.check_sentence import NO_CLAIM, NOT_ABSENT, Checked
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.pipeline.report.sweeping import may_be_plain, sweeping_words
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldRewordedSentences, HoldSentences
from deepresearch_mcp.thinkers.base import HeldStatement, Sweep, Thinker

_AT_ONCE = 18
"""Sentences in one call: those that share claims should share a call, and long answers take long."""


_KNOWN = 2
"""Other claims that are shown beside a sentence with sweeping words, which they may contradict."""


@dataclass(frozen=True, slots=True)
class Held:
    """A piece, what a machine makes of it, and what a thinker does: None where none was asked or answered."""

    piece: Piece
    checked: Checked
    fault: str | None = None
    mislabelled: bool = False
    """The thinker finds it sound, but of another kind."""
    also: str = ""
    """The claim with which the thinker finds it sound, if it does not name it."""

    @property
    def problem(self) -> str:
        """What is wrong with it, by the reader's word where there is one; empty for nothing."""
        return self.checked.problem if self.fault is None else self.fault


class _Found(NamedTuple):
    """What a thinker makes of a piece."""

    fault: str
    mislabelled: bool
    also: str


def is_too_sure(held: Held) -> bool:
    """Whether a reader finds that a judgement follows from its premises in part."""
    return held.piece.sentence.kind == "judgement" and (held.fault or "").startswith(_OF_JUDGEMENTS["partly"])


_Ask = Callable[[], Awaitable[dict[Piece, _Found]]]


class Reader:
    """Asks a thinker about finished sentences, a few calls for all of them."""

    def __init__(
        self,
        brief: Brief,
        claims: Mapping[str, Claim],
        thinker: Thinker,
        step: Step,
        pages: StoredPages,
        beside: Beside,
    ) -> None:
        """`beside`: finds other claims on what a sentence says."""
        self._brief = brief
        self._claims = claims
        self._pages = pages
        self._thinker = thinker
        self._step = step
        self._beside = beside

    async def held(self, weighed: Sequence[Held], *, again: bool = False) -> list[Held]:
        """The same with what the thinker makes of those of which the machine is not sure."""
        unsure = [one.piece for one in weighed if one.checked.uncertain]
        facts = [one for one in unsure if self._of(one.sentence.claim_ids)]
        others = [one for one in unsure if not self._of(one.sentence.claim_ids)]
        asks: list[_Ask] = [partial(self._ask_of_facts, some, again=again) for some in _groups(facts)]
        asks += [partial(self._ask_of_judgements, some, again=again) for some in _groups(others)]

        async def answer(ask: _Ask) -> dict[Piece, _Found]:
            return await ask()

        faults: dict[Piece, _Found] = {}
        for found in await anyio.amap(answer, asks):
            faults |= found
        return [
            Held(one.piece, one.checked, found.fault, found.mislabelled, found.also)
            if (found := faults.get(one.piece))
            else Held(one.piece, one.checked)
            for one in weighed
        ]

    async def _ask_of_facts(self, pieces: Sequence[Piece], *, again: bool) -> dict[Piece, _Found]:
        """What the thinker finds wrong with each, "" for nothing; those without an opinion of its own are left out."""
        asked = {_name(one): one for one in pieces}
        kind = HoldRewordedSentences if again else HoldSentences
        task = kind(
            self._brief,
            [self._as_claim(name, one) for name, one in asked.items()],
            frozenset(name for name, one in asked.items() if one.sentence.kind == "synthesis"),
            {name: self._of(one.sentence.claim_ids) for name, one in asked.items()},
            {name: one.before for name, one in asked.items() if one.before},
            {name: one.section for name, one in asked.items()},
            {name: sweep for name, one in asked.items() if (sweep := self._sweep(one))},
        )
        return await self._answered(task, asked, again=again)

    async def _ask_of_judgements(self, pieces: Sequence[Piece], *, again: bool) -> dict[Piece, _Found]:
        """The same for judgements, and for sentences that name no claim."""
        asked = {_name(one): one for one in pieces}
        statements = [
            HeldStatement(
                name,
                one.statement,
                await self._premises(one),
                one.before,
                absence=one.sentence.absence,
                section=one.section,
                sweep=self._sweep(one),
                may_be_plain=one.sentence.kind == "judgement" and self._may_be_plain(one),
            )
            for name, one in asked.items()
        ]
        return await self._answered(HoldJudgements(self._brief, statements), asked, again=again)

    def sweeping(self, piece: Piece) -> tuple[str, ...]:
        """Words of a sentence or cell that may go beyond the claims it rests on; none in code and quotations."""
        own = self._of(piece.sentence.rests_on)
        if not own or piece.code or piece.passage:
            return ()
        return sweeping_words(piece.sentence.text, own, self._brief.language)

    def _sweep(self, piece: Piece) -> Sweep | None:
        words = self.sweeping(piece)
        return Sweep(words, tuple(self._of(self._beside.of(piece)[:_KNOWN]))) if words else None

    def _may_be_plain(self, piece: Piece) -> bool:
        return not piece.code and may_be_plain(piece.sentence.text, self._brief.language)

    async def _premises(self, piece: Piece) -> tuple[Claim, ...]:
        sentence = piece.sentence
        if sentence.absence and not sentence.rests_on:
            # A cell, "not given", names what is missing by its row and column alone.
            return await self._pages.nearest(piece.statement)
        return tuple(self._of(sentence.premises))

    def _of(self, names: Iterable[str]) -> list[Claim]:
        """The claims that there are: a writer may have invented some of the names."""
        return [self._claims[name] for name in names if name in self._claims]

    async def _answered(
        self, task: HoldSentences | HoldJudgements, asked: Mapping[str, Piece], *, again: bool
    ) -> dict[Piece, _Found]:
        try:
            judgements = await self._thinker.ask(task, steps.hold(self._step, asked, again=again))
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return {}
        # Without a model the words would only be compared once more.
        return {
            asked[one.claim_id]: _Found(self._fault(asked[one.claim_id].sentence, one), one.mislabelled, one.also)
            for one in judgements
            if one.claim_id in asked and is_readers_word(one)
        }

    def _as_claim(self, name: str, piece: Piece) -> Claim:
        own = self._of(piece.sentence.claim_ids)
        # What a claim was read from carries it: further witnesses only cost.
        quotes = tuple(dict.fromkeys(claim.quotes[0] for claim in own))
        return Claim(claim_id=name, sub_question=own[0].sub_question, text=piece.statement, quotes=quotes)

    def _fault(self, sentence: Sentence, judgement: Judgement) -> str:
        own = self._of(sentence.rests_on)
        contested = any(claim.verdict == "disputed" or claim.disputes for claim in own)
        if judgement.verdict == "supported" or (judgement.verdict == "disputed" and contested):
            return ""
        if not own:
            return NOT_ABSENT if sentence.absence else NO_CLAIM
        said = _OF_JUDGEMENTS if sentence.kind == "judgement" else _FAULTS
        return f"{said[judgement.verdict]}{f': {judgement.reason}' if judgement.reason else ''}"


_FAULTS = {
    "partly": "its sources say less",
    "disputed": "its sources give it as one side of a dispute",
    "unsupported": "its sources do not say it",
}
_OF_JUDGEMENTS = {
    "partly": "its premises carry it only in part",
    "disputed": "its premises carry it only in part",
    "unsupported": "it does not follow from its premises",
}


def _groups(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Pieces for each call, about as many in each."""
    size = -(-len(pieces) // max(1, -(-len(pieces) // _AT_ONCE)))
    return [pieces[first : first + size] for first in range(0, len(pieces), size)] if pieces else []


def _name(piece: Piece) -> str:
    sentence = piece.sentence
    said = "\0".join((piece.statement, *sentence.claim_ids))
    if piece.before:
        said = f"{said}\0after {piece.before}"
    if sentence.kind != "fact":
        said = "\0".join((said, sentence.kind, *sentence.premises))
    return f"s{hashlib.sha256(said.encode()).hexdigest()[:10]}"
