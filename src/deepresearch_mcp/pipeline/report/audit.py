"""Audit: hold every sentence and cell to its claims by its kind; mend once what fails, then label or remove it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import anyio
import anyio.to_thread

from deepresearch_mcp.injection.screen import is_beside_the_point
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.report.absences import StoredPages, may_answer
from deepresearch_mcp.pipeline.report.amending import amended, called
from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.check_sentence import (
    NOT_ABSENT,
    Checked,
    check_piece,
    check_topic,
    known_of,
    unowned,
)
from deepresearch_mcp.pipeline.report.left_over import EMPTIED, left_over
from deepresearch_mcp.pipeline.report.orphans import HEADLESS, LEANS, ORPHANED, ReadingOrder
from deepresearch_mcp.pipeline.report.pieces import (
    Piece,
    edited,
    edited_sections,
    pieces_in,
    pieces_in_section,
    running,
    without_typed_marks,
)
from deepresearch_mcp.pipeline.report.premises import with_whole_premises
from deepresearch_mcp.pipeline.report.reader import Held, Reader, is_too_sure
from deepresearch_mcp.pipeline.report.repairing import repaired
from deepresearch_mcp.pipeline.report.restoring import Replaced, change, led_in, restored, retold
from deepresearch_mcp.pipeline.report.topics import with_topics
from deepresearch_mcp.pipeline.report.unbacked import unbacked
from deepresearch_mcp.pipeline.report.wordings import joined, labelled, mends, placed
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, Removed, Sentence
from deepresearch_mcp.thinkers.base import Doubt, Thinker


@dataclass(frozen=True, slots=True)
class Audited:
    """What stays of a draft, what was removed, and how many sentences were repaired or labelled."""

    draft: Draft
    removed: tuple[Removed, ...]
    repaired: int = 0
    restored: int = 0
    """Of those taken out: in whose place their claims stand in their own words."""


class _Mending(NamedTuple):
    """What became of the pieces that were doubted."""

    texts: dict[Piece, Sentence | None]
    """Each with its new wording, or None where it has to go."""
    unasked: set[Piece]
    """Those that no model could be asked to mend, or whose new wording no model could be asked about."""
    led: dict[Piece, Sentence | None]
    """What leans on a doubted piece, as it reads behind its new wording; None where a reader found that wrong."""


class Auditor:
    """Holds sentences to the claims of one report, `titles` giving a source's title by its id."""

    def __init__(
        self,
        brief: Brief,
        claims: Mapping[str, Claim],
        titles: Mapping[str, str],
        thinker: Thinker,
        step: Step,
        pages: StoredPages | None = None,
    ) -> None:
        self._brief = brief
        self._claims = claims
        self._titles = titles
        self._thinker = thinker
        self._step = step
        self._pages = pages or StoredPages({})
        self._known = known_of(brief, claims.values(), titles)
        wanted = " ".join(one.text for one in brief.scope.deliverables)
        self._asked = (brief.question, wanted, *(claim.text for claim in claims.values()))
        self._beside = Beside(claims)
        self._topics: frozenset[Sentence] = frozenset()
        self._reader = Reader(brief, claims, thinker, step, self._pages, self._beside)

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
        language = self._brief.language
        # Each judgement is ranked against hundreds of claims.
        draft = await anyio.to_thread.run_sync(
            with_whole_premises, draft, self._claims, self._beside, language, abandon_on_cancel=True
        )
        draft, self._topics = with_topics(draft)
        opening = [*running(draft.in_short, language), *running(draft.described, language, described=True)]
        sections = list(pieces_in(draft, language))
        differing = running(draft.differences, language)
        weighed = await self._weighed(dict.fromkeys((*opening, *sections, *differing)))
        in_order = [opening, *(pieces_in_section(one, language) for one in draft.sections), differing]
        order = ReadingOrder(in_order, language)
        doubted = [one for one in weighed if one.problem and not one.checked.uncertain]
        known = {one.piece for one in doubted}
        doubted += [Held(one, Checked(HEADLESS)) for one in order.headless() if one not in known]
        mending = _Mending({}, set(), {})
        held: list[Held] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._mend, tuple(doubted), order, self._step, mending)
            held += await self._reader.held(weighed)
        known = {one.piece for one in doubted}
        faulted = [one for one in held if one.problem and one.piece not in known]
        await self._mend(faulted, order, self._step.part("faulted"), mending)
        # A judgement is shown as ours: one that is too sure stands where no model could be asked to word it anew.
        kept = {one.piece for one in faulted if one.piece in mending.unasked and is_too_sure(one)}
        doubted += [one for one in faulted if one.piece not in kept]
        mended = {piece: said for piece, said in mending.texts.items() if piece not in kept}
        renamed = {one.piece: said for one in held if (said := amended(one, self._checked))}
        mended.update({piece: kind for piece, kind in renamed.items() if piece not in mended})
        reworded, orphans = order.settled(mended, mending.led, language)
        mended.update(reworded | dict.fromkeys(orphans))
        doubted += [Held(one, Checked(ORPHANED)) for one in orphans if one not in {each.piece for each in doubted}]
        unasked = mending.unasked.union(orphans)
        # A topic sentence tells nothing of its own: what it rests on is told by the sentences around it.
        stating = [one for one in sections if one.sentence not in self._topics]
        in_opening = retold(opening, stating, mended)
        left = [one for one in opening if one not in in_opening and one.sentence not in self._topics]
        in_opening = {**in_opening, **restored(left, mended, self._claims, self._standing, unasked)}
        in_sections = restored(stating, mended, self._claims, self._standing, unasked)
        empty = self._left_over(draft, sections, mended, in_sections)
        mended.update(empty)
        doubted += [Held(one, Checked(EMPTIED)) for one, said in empty.items() if said is None]

        gone = [one for one in doubted if mended.get(one.piece) is None]
        result = draft.model_copy(
            update={
                "in_short": edited(draft.in_short, change(mended, in_opening), language),
                "described": edited(draft.described, change(mended), language, described=True),
                "sections": led_in(edited_sections(draft, change(mended, in_sections), language), in_sections),
                "differences": edited(draft.differences, change(mended), language),
            }
        )
        return Audited(
            result,
            tuple(map(_removed, gone)),
            len(doubted) - len(gone) + len(renamed) + len(reworded),
            sum(one.piece in in_opening or one.piece in in_sections for one in gone),
        )

    def _left_over(
        self, draft: Draft, sections: Sequence[Piece], mended: Mapping[Piece, Sentence | None], replaced: Replaced
    ) -> dict[Piece, Sentence | None]:
        """What else goes, or loses a word, because what it speaks of is gone; as it stands after the repair."""
        gone = [one.sentence for one in sections if mended.get(one, one.sentence) is None and one not in replaced]
        found = left_over(draft, frozenset(gone), self._topics, self._claims)
        now = {one: mended.get(one, one.sentence) for one in sections if one.sentence in found and not one.is_whole}
        return {
            one: found[one.sentence] for one, said in now.items() if said is not None and said.text == one.sentence.text
        }

    async def _weighed(self, pieces: Iterable[Piece]) -> list[Held]:
        """Each piece with what a machine makes of it, in order."""

        def weigh() -> list[Held]:
            return [Held(one, self._checked(one)) for one in pieces]

        # Hundreds of sentences against hundreds of claims take seconds.
        return await anyio.to_thread.run_sync(weigh, abandon_on_cancel=True)

    def _checked(self, piece: Piece) -> Checked:
        # Writers see text around the quotes too, and a reader may obey it as well.
        if is_screened(piece.sentence.text) or is_beside_the_point(piece.sentence.text, self._asked):
            return Checked(_ORDER)
        if piece.sentence in self._topics:
            return check_topic(piece, self._claims, self._titles, self._known)
        if piece.sentence.absence and not piece.sentence.rests_on:
            if unbacked(piece.statement, self._known):
                return Checked(NOT_ABSENT)
            # Where the words stand on some page, only a reader can tell whether it is said there.
            return (
                Checked() if self._pages.are_silent_on(piece.statement) else Checked(NOT_ABSENT, self._pages.are_known)
            )
        return check_piece(piece, self._claims, self._titles, self._brief.language, self._known)

    async def _mend(self, doubted: Sequence[Held], order: ReadingOrder, step: Step, mending: _Mending) -> None:
        """Put into `mending` each doubted piece mended, or None where it has to go, and what leans on it."""
        own = {one.piece: one for one in doubted}
        asked = [
            own.get(one, Held(one, Checked(LEANS))) for one in order.with_leaning(own, {*mending.texts, *mending.led})
        ]
        own = {one.piece: one for one in asked}
        doubts = {one.piece: self._doubt(one, order, own) for one in asked}
        # Code is not worded anew: it stands or goes.
        mending.unasked.update(piece for piece in doubts if piece.code)
        mendable = {one: doubt for one, doubt in doubts.items() if not one.code and self._is_mendable(doubt)}
        proposals = [
            without_typed_marks(one)
            for one in await repaired(list(mendable.values()), self._claims, self._brief, self._thinker, step)
        ]
        if len(proposals) < len(mendable):
            mending.unasked.update(list(mendable)[len(proposals) :])
        proposed = dict(zip(mendable, proposals, strict=False))
        now = {piece: said or Sentence(text="") for piece, said in mending.texts.items()} | proposed
        offered = {
            piece: placed(piece, said, order.before(piece, now), self._brief.language)
            for piece, said in proposed.items()
            if said != piece.sentence or own[piece].checked.problem == LEANS
        }
        parts = dict.fromkeys(part for some in offered.values() for part in some)
        again = {held.piece: held for held in await self._reader.held(await self._weighed(parts), again=True)}
        mending.texts.update({one.piece: self._labelled(one.piece.sentence) for one in doubted})
        for piece, some in offered.items():
            held, doubt = [again[part] for part in some], own[piece]
            sound = all(mends(one, doubt) for one in held)
            result = called(joined(some), held, self._checked) if sound else None
            if doubt.checked.problem == LEANS:
                mending.led[piece] = result
            elif sound:
                mending.texts[piece] = result
            elif any(one.checked.uncertain and one.fault is None for one in held):
                mending.unasked.add(piece)

    def _doubt(self, held: Held, order: ReadingOrder, doubted: Collection[Piece]) -> Doubt:
        piece, leans = held.piece, held.checked.problem == LEANS
        beside = () if leans else self._beside.of(piece)
        if piece.sentence.absence:
            beside = tuple(name for name in beside if may_answer(piece.statement, self._claims[name].text))
        standing = order.standing(piece, doubted) if leans else ""
        words = () if leans else self._reader.sweeping(piece)
        return Doubt(piece.sentence, held.problem, piece.place, beside, order.before(piece), standing, words)

    def _is_mendable(self, doubt: Doubt) -> bool:
        return bool(doubt.beside) or any(name in self._claims for name in doubt.sentence.rests_on)

    def _labelled(self, sentence: Sentence) -> Sentence | None:
        """The sentence with its kind behind it, where nothing else is wrong with it; else None."""
        kind = unowned(sentence.text, [self._claims[name] for name in sentence.claim_ids if name in self._claims])
        if not kind:
            return None
        text = labelled(sentence.text, kind, self._brief.language)
        named = sentence.model_copy(update={"text": text})
        return None if self._problem(named) else named

    def _standing(self, sentence: Sentence) -> Sentence | None:
        """A claim's own words as they may be written; None where they may not."""
        return self._labelled(sentence) if self._problem(sentence) else sentence

    def _problem(self, sentence: Sentence) -> str:
        return self._checked(Piece(sentence)).problem


_ORDER = "it tells its reader, or a machine, what to do, which was not asked for"


def _removed(held: Held) -> Removed:
    # A model may read the record of a run, so an order is not repeated there.
    text = "" if held.problem == _ORDER else held.piece.statement
    return Removed(text=text, reason=held.problem, kind=held.piece.sentence.kind)


async def audit(
    brief: Brief,
    draft: Draft,
    claims: Mapping[str, Claim],
    titles: Mapping[str, str],
    thinker: Thinker,
    step: Step,
    pages: StoredPages | None = None,
) -> Audited:
    """See `Auditor.audit`; the keys of its steps are `step` for the repair and `step`/hold/… for what is judged."""
    return await Auditor(brief, claims, titles, thinker, step, pages).audit(draft)
