"""Audit: hold every sentence and cell to its claims by its kind; mend once what fails, then label or remove it."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import anyio

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.machine_gate import is_readers_word
from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.check_sentence import NO_CLAIM, Checked, check_piece, check_sentence, unowned
from deepresearch_mcp.pipeline.report.pieces import (
    Piece,
    edited,
    edited_sections,
    pieces_in,
    pieces_of,
    without_typed_marks,
)
from deepresearch_mcp.pipeline.report.restoring import Replaced, restored
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, Removed, Sentence
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement, Thinker
from deepresearch_mcp.thinkers.tasks import HoldJudgements, HoldRewordedSentences, HoldSentences, RepairSentences

_AT_ONCE = 20
"""Sentences in one call. A report seldom has more that are neither repetitions nor wrong."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What stays of a draft, what was removed, and how many sentences were repaired or labelled."""

    draft: Draft
    removed: tuple[Removed, ...]
    repaired: int = 0
    restored: int = 0
    """Of those taken out: in whose place their claims stand in their own words."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A piece, what a machine makes of it, and what a thinker does: None where none was asked or answered."""

    piece: Piece
    checked: Checked
    fault: str | None = None

    @property
    def problem(self) -> str:
        return self.checked.problem if self.fault is None else self.fault


_Ask = Callable[[], Awaitable[dict[Piece, str]]]


class _Mending(NamedTuple):
    """What became of the pieces that were doubted."""

    texts: dict[Piece, Sentence | None]
    """Each with its new wording, or None where it has to go."""
    unasked: set[Piece]
    """Those that nobody could be asked to mend, or whose new wording nobody could be asked about."""


class Auditor:
    """Holds sentences to the claims of one report, `titles` giving a source's title by its id."""

    def __init__(
        self, brief: Brief, claims: Mapping[str, Claim], titles: Mapping[str, str], thinker: Thinker, step: Step
    ) -> None:
        self._brief = brief
        self._claims = claims
        self._titles = titles
        self._thinker = thinker
        self._step = step
        self._known = known_of(brief, claims.values(), titles)
        self._beside = Beside(claims)

    async def audit(self, draft: Draft) -> Audited:
        """Keep only sentences and cells that hold by the rule of their kind.

        What a machine can neither prove wrong nor recognise as a repetition is held by the thinker, all of it at
        once, while what the machine proved wrong is repaired already; where it does not answer, the machine's word
        stands. What fails goes back once, with the reason. If its new wording fails too, it is labelled where an
        opinion, estimate or forecast was told as a fact; else it goes, and of its claims those that are told nowhere
        else may stand in its place (see `restored`).

        Raises:
            KeyRefused: Every later call would fail too; in an exception group.
        """
        opening = _running((*draft.in_short, *draft.described))
        sections = list(pieces_in(draft))
        weighed = self._weighed(dict.fromkeys((*opening, *sections, *_running(draft.differences))))
        doubted = [one for one in weighed if one.problem and not one.checked.uncertain]
        mending = _Mending({}, set())
        faulted: list[_Held] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._mend, tuple(doubted), self._step, mending)
            faulted += [one for one in await self._held(weighed) if one.problem and one not in doubted]
        await self._mend(faulted, self._step.part("faulted"), mending)
        doubted += faulted
        mended = mending.texts
        in_opening = restored(opening, mended, self._claims, self._standing, mending.unasked)
        in_sections = restored(sections, mended, self._claims, self._standing, mending.unasked)

        def change(replaced: Replaced) -> Callable[[Piece], tuple[Sentence, ...]]:
            def kept(piece: Piece) -> tuple[Sentence, ...]:
                instead = mended.get(piece, piece.sentence)
                if instead is None:
                    return replaced.get(piece, ())
                return (instead,) if piece.passage or piece.row or piece.column else pieces_of(instead)

            return kept

        gone = [one for one in doubted if mended.get(one.piece) is None]
        result = draft.model_copy(
            update={
                "in_short": edited(draft.in_short, change(in_opening)),
                "described": edited(draft.described, change({})),
                "sections": edited_sections(draft, change(in_sections)),
                "differences": edited(draft.differences, change({})),
            }
        )
        return Audited(
            result,
            tuple(Removed(text=one.piece.statement, reason=one.problem, kind=one.piece.sentence.kind) for one in gone),
            len(doubted) - len(gone),
            sum(one.piece in in_opening or one.piece in in_sections for one in gone),
        )

    def _weighed(self, pieces: Iterable[Piece]) -> list[_Held]:
        """Each piece with what a machine makes of it, in order."""
        return [_Held(one, self._checked(one)) for one in pieces]

    def _checked(self, piece: Piece) -> Checked:
        return check_piece(piece, self._claims, self._titles, self._brief.language, self._known)

    async def _held(self, weighed: Sequence[_Held], *, again: bool = False) -> list[_Held]:
        """The same with what the thinker makes of those of which the machine is not sure."""
        unsure = [one.piece for one in weighed if one.checked.uncertain]
        facts = [one for one in unsure if one.sentence.claim_ids]
        others = [one for one in unsure if not one.sentence.claim_ids]
        asks: list[_Ask] = [partial(self._ask_of_facts, some, again=again) for some in _groups(facts)]
        asks += [partial(self._ask_of_judgements, some, again=again) for some in _groups(others)]

        async def answer(ask: _Ask) -> dict[Piece, str]:
            return await ask()

        faults: dict[Piece, str] = {}
        for found in await anyio.amap(answer, asks):
            faults |= found
        return [_Held(one.piece, one.checked, faults.get(one.piece)) for one in weighed]

    async def _ask_of_facts(self, pieces: Sequence[Piece], *, again: bool) -> dict[Piece, str]:
        """What the thinker finds wrong with each, "" for nothing; those without an opinion of its own are left out."""
        asked = {_name(one): one for one in pieces}
        kind = HoldRewordedSentences if again else HoldSentences
        task = kind(
            self._brief,
            [self._as_claim(name, one) for name, one in asked.items()],
            frozenset(name for name, one in asked.items() if one.sentence.kind == "synthesis"),
            {name: [self._claims[own] for own in one.sentence.claim_ids] for name, one in asked.items()},
        )
        return await self._answered(task, asked, again=again)

    async def _ask_of_judgements(self, pieces: Sequence[Piece], *, again: bool) -> dict[Piece, str]:
        """The same for judgements, and for sentences that name no claim."""
        asked = {_name(one): one for one in pieces}
        statements = [
            HeldStatement(name, one.statement, tuple(self._claims[own] for own in one.sentence.premises))
            for name, one in asked.items()
        ]
        return await self._answered(HoldJudgements(self._brief, statements), asked, again=again)

    async def _answered(
        self, task: HoldSentences | HoldJudgements, asked: Mapping[str, Piece], *, again: bool
    ) -> dict[Piece, str]:
        try:
            judgements = await self._thinker.ask(task, steps.hold(self._step, asked, again=again))
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return {}
        # Without a model the words would only be compared once more.
        return {
            asked[one.claim_id]: self._fault(asked[one.claim_id].sentence, one)
            for one in judgements
            if one.claim_id in asked and is_readers_word(one)
        }

    def _as_claim(self, name: str, piece: Piece) -> Claim:
        own = [self._claims[one] for one in piece.sentence.claim_ids]
        # What a claim was read from carries it: further witnesses only cost.
        quotes = tuple(dict.fromkeys(claim.quotes[0] for claim in own))
        return Claim(claim_id=name, sub_question=own[0].sub_question, text=piece.statement, quotes=quotes)

    def _fault(self, sentence: Sentence, judgement: Judgement) -> str:
        own = [self._claims[one] for one in sentence.rests_on]
        contested = any(claim.verdict == "disputed" or claim.disputes for claim in own)
        if judgement.verdict == "supported" or (judgement.verdict == "disputed" and contested):
            return ""
        if not own:
            return NO_CLAIM
        said = _OF_JUDGEMENTS if sentence.kind == "judgement" else _FAULTS
        return f"{said[judgement.verdict]}{f': {judgement.reason}' if judgement.reason else ''}"

    async def _mend(self, doubted: Sequence[_Held], step: Step, mending: _Mending) -> None:
        """Put into `mending` each doubted piece mended, or None where it has to go."""
        doubts = {one.piece: self._doubt(one) for one in doubted}
        mendable = {piece: doubt for piece, doubt in doubts.items() if doubt.beside or self._has_claims(doubt.sentence)}
        proposals = await self._proposals(list(mendable.values()), step)
        if len(proposals) < len(mendable):
            mending.unasked.update(list(mendable)[len(proposals) :])
        offered = {
            piece: (held, _placed(piece, without_typed_marks(proposal)))
            for (piece, held), proposal in zip(
                ((one.piece, one) for one in doubted if one.piece in mendable), proposals, strict=False
            )
            if without_typed_marks(proposal) != piece.sentence
        }
        parts = dict.fromkeys(part for _, proposed in offered.values() for part in proposed)
        again = {held.piece: held for held in await self._held(self._weighed(parts), again=True)}
        mending.texts.update({one.piece: self._labelled(one.piece.sentence) for one in doubted})
        for piece, (doubt, proposed) in offered.items():
            held = [again[part] for part in proposed]
            if all(_mends(one, doubt) for one in held):
                mending.texts[piece] = _joined(proposed)
            elif any(one.checked.uncertain and one.fault is None for one in held):
                mending.unasked.add(piece)

    def _doubt(self, held: _Held) -> Doubt:
        piece = held.piece
        return Doubt(piece.sentence, held.problem, piece.place, self._beside.of(piece))

    def _has_claims(self, sentence: Sentence) -> bool:
        return any(name in self._claims for name in sentence.rests_on)

    async def _proposals(self, doubts: Sequence[Doubt], step: Step) -> Sequence[Sentence]:
        if not doubts:
            return ()
        needed = dict.fromkeys(name for doubt in doubts for name in (*doubt.sentence.rests_on, *doubt.beside))
        try:
            claims = [self._claims[name] for name in needed if name in self._claims]
            return await self._thinker.ask(RepairSentences(self._brief, doubts, claims), step)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return ()

    def _labelled(self, sentence: Sentence) -> Sentence | None:
        """The sentence with its kind behind it, where nothing else is wrong with it; else None."""
        own = [self._claims[name] for name in sentence.claim_ids if name in self._claims]
        kind = unowned(sentence.text, own)
        if not kind:
            return None
        label = _LABELS.get(self._brief.language, {}).get(kind, f"{'an' if kind[0] in 'eo' else 'a'} {kind}")
        stop = sentence.text[-1] if sentence.text.endswith((".", "!", "?")) else ""
        text = f"{sentence.text.removesuffix(stop)} ({label}){stop}"
        named = sentence.model_copy(update={"text": text})
        return None if self._problem(named) else named

    def _standing(self, sentence: Sentence) -> Sentence | None:
        """A claim's own words as they may be written; None where they may not."""
        return self._labelled(sentence) if self._problem(sentence) else sentence

    def _problem(self, sentence: Sentence) -> str:
        return self._checked(Piece(sentence)).problem


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
_LABELS = {
    "de": {"estimate": "eine Schätzung", "opinion": "eine Meinung", "forecast": "eine Prognose"},
    "fr": {"estimate": "une estimation", "opinion": "une opinion", "forecast": "une prévision"},
    "es": {"estimate": "una estimación", "opinion": "una opinión", "forecast": "una previsión"},
}


def known_of(brief: Brief, claims: Iterable[Claim], titles: Mapping[str, str]) -> str:
    """What a report may name without a source of its own: what was asked, and what all its claims and pages name."""
    asked = (
        brief.question,
        *(one.text for one in brief.scope.deliverables),
        *brief.scope.subjects,
        *brief.scope.aspects,
        *brief.scope.constraints,
    )
    said = (part for claim in claims for part in (claim.text, *(quote.heading for quote in claim.quotes)))
    return "\n".join(dict.fromkeys((*asked, *said, *titles.values())))


def _running(sentences: Iterable[Sentence]) -> list[Piece]:
    return [Piece(part) for written in sentences for part in pieces_of(written)]


def _placed(piece: Piece, proposal: Sentence) -> tuple[Piece, ...]:
    """A new wording as what is held: in a cell one piece, elsewhere its sentences."""
    whole = piece.passage or piece.row or piece.column
    return tuple(
        Piece(part, piece.row, piece.column, piece.apart, piece.passage)
        for part in ((proposal,) if whole else pieces_of(proposal))
    )


def _joined(proposed: Sequence[Piece]) -> Sentence:
    first = proposed[0].sentence
    return first.model_copy(update={"text": " ".join(one.sentence.text for one in proposed)})


def _groups(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    return [pieces[first : first + _AT_ONCE] for first in range(0, len(pieces), _AT_ONCE)]


def _mends(held: _Held, doubt: _Held) -> bool:
    """Whether a new wording may stand; where a thinker faulted the old one, only its word or a repetition will do."""
    if held.problem:
        return False
    return not held.checked.uncertain or held.fault is not None or doubt.fault is None


def _name(piece: Piece) -> str:
    sentence = piece.sentence
    said = "\0".join((piece.statement, *sentence.claim_ids))
    if sentence.kind != "fact":
        said = "\0".join((said, sentence.kind, *sentence.premises))
    return f"s{hashlib.sha256(said.encode()).hexdigest()[:10]}"


async def audit(
    brief: Brief, draft: Draft, claims: Mapping[str, Claim], titles: Mapping[str, str], thinker: Thinker, step: Step
) -> Audited:
    """See `Auditor.audit`; the keys of its steps are `step` for the repair and `step`/hold/… for what is judged."""
    return await Auditor(brief, claims, titles, thinker, step).audit(draft)


def problem_of(sentence: Sentence, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = "") -> str:
    """Why a sentence may not stand as far as a machine can tell; empty when it may. See `check_sentence`."""
    return check_sentence(sentence, claims, titles, language).problem


def soundness(draft: Draft, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = "") -> float:
    """The share of a draft's sentences in which a machine finds nothing wrong, 0 to 1; 0 for a draft without any."""
    pieces = list(pieces_in(draft))
    sound = sum(not check_piece(piece, claims, titles, language).problem for piece in pieces)
    return sound / max(1, len(pieces))
