"""Audit: check every sentence of the finished text against its claims; repair it once, or replace it by them."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import anyio

from deepresearch_mcp.entailment.check import NEGATION, details_missing_from, untold_ties
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.machine_gate import is_readers_word
from deepresearch_mcp.pipeline.report.check_sentence import (
    Checked,
    check_sentence,
    pieces_of,
    unowned,
    without_typed_marks,
)
from deepresearch_mcp.pipeline.report.restoring import Replaced, restored
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, Removed, Sentence, WrittenSection
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.urls import typed_addresses
from deepresearch_mcp.thinkers.base import Doubt, Thinker
from deepresearch_mcp.thinkers.tasks import HoldRewordedSentences, HoldSentences, RepairSentences

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
    """A sentence, what a machine makes of it, and what a thinker does: None where none was asked or answered."""

    sentence: Sentence
    checked: Checked
    fault: str | None = None

    @property
    def problem(self) -> str:
        return self.checked.problem if self.fault is None else self.fault


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

    async def audit(self, draft: Draft) -> Audited:
        """Keep only sentences that their claims carry.

        What a machine can neither prove wrong nor recognise as a repetition is held by the thinker, all of it at
        once, while what the machine proved wrong is repaired already; where it does not answer, the machine's word
        stands. A sentence in doubt is repaired once, or labelled where an opinion, estimate or forecast was told as a
        fact; else it goes, and of its claims those that are supported and told nowhere else stand in its place.

        Raises:
            KeyRefused: Every later call would fail too; in an exception group.
        """
        sections = [piece for w in draft.sections for p in w.paragraphs for s in p for piece in pieces_of(s)]
        opening = [piece for written in draft.in_short for piece in pieces_of(written)]
        differences = [piece for written in draft.differences for piece in pieces_of(written)]
        weighed = self._weighed(list(dict.fromkeys((*opening, *sections, *differences))))
        doubted = [one for one in weighed if one.problem and not one.checked.uncertain]
        mended: dict[Sentence, Sentence | None] = {}
        faulted: list[_Held] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._mend, tuple(doubted), self._step, mended)
            faulted += [one for one in await self._held(weighed) if one.problem and one not in doubted]
        await self._mend(faulted, self._step.part("faulted"), mended)
        doubted += faulted

        def keep(sentences: Sequence[Sentence], replaced: Replaced) -> tuple[Sentence, ...]:
            kept: list[Sentence] = []
            for sentence in (piece for written in sentences for piece in pieces_of(written)):
                instead = mended.get(sentence, sentence)
                kept += replaced.get(sentence, ()) if instead is None else pieces_of(instead)
            return tuple(kept)

        in_opening = restored(opening, mended, self._claims, self._standing)
        in_sections = restored(sections, mended, self._claims, self._standing)
        gone = [one for one in doubted if mended.get(one.sentence) is None]
        return Audited(
            _each(draft, keep, in_opening, in_sections),
            tuple(Removed(text=one.sentence.text, reason=one.problem) for one in gone),
            len(doubted) - len(gone),
            sum(one.sentence in in_opening or one.sentence in in_sections for one in gone),
        )

    def _weighed(self, sentences: Sequence[Sentence]) -> list[_Held]:
        """Each sentence with what a machine makes of it, in order."""
        return [_Held(one, check_sentence(one, self._claims, self._titles, self._brief.language)) for one in sentences]

    async def _held(self, weighed: Sequence[_Held], *, again: bool = False) -> list[_Held]:
        """The same with what the thinker makes of those of which the machine is not sure."""
        unsure = [one.sentence for one in weighed if one.checked.uncertain]
        groups = [unsure[first : first + _AT_ONCE] for first in range(0, len(unsure), _AT_ONCE)]
        faults: dict[Sentence, str] = {}
        for found in await anyio.amap(partial(self._ask, again=again), groups):
            faults |= found
        return [_Held(one.sentence, one.checked, faults.get(one.sentence)) for one in weighed]

    async def _ask(self, sentences: Sequence[Sentence], *, again: bool) -> dict[Sentence, str]:
        """What the thinker finds wrong with each, "" for nothing; those without an opinion of its own are left out."""
        asked = {_name(one): one for one in sentences}
        posed = [self._as_claim(name, one) for name, one in asked.items()]
        kind = HoldRewordedSentences if again else HoldSentences
        try:
            judgements = await self._thinker.ask(kind(self._brief, posed), steps.hold(self._step, asked, again=again))
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return {}
        # Without a model the words would only be compared once more.
        return {
            asked[one.claim_id]: self._fault(asked[one.claim_id], one)
            for one in judgements
            if one.claim_id in asked and is_readers_word(one)
        }

    def _as_claim(self, name: str, sentence: Sentence) -> Claim:
        own = [self._claims[one] for one in sentence.claim_ids]
        # What a claim was read from carries it: further witnesses only cost.
        quotes = tuple(dict.fromkeys(claim.quotes[0] for claim in own))
        return Claim(claim_id=name, sub_question=own[0].sub_question, text=sentence.text, quotes=quotes)

    def _fault(self, sentence: Sentence, judgement: Judgement) -> str:
        own = [self._claims[one] for one in sentence.claim_ids]
        contested = any(claim.verdict == "disputed" or claim.disputes for claim in own)
        if judgement.verdict == "supported" or (judgement.verdict == "disputed" and contested):
            return ""
        return f"{_FAULTS[judgement.verdict]}{f': {judgement.reason}' if judgement.reason else ''}"

    async def _mend(self, doubted: Sequence[_Held], step: Step, result: dict[Sentence, Sentence | None]) -> None:
        """Put into `result` each doubted sentence mended, or None where it has to go."""
        mendable = [one for one in doubted if any(name in self._claims for name in one.sentence.claim_ids)]
        proposals = await self._proposals([Doubt(one.sentence, one.problem) for one in mendable], step)
        offered = {
            one.sentence: (one, without_typed_marks(proposal))
            for one, proposal in zip(mendable, proposals, strict=False)
            if proposal.text != one.sentence.text
        }
        pieces = dict.fromkeys(piece for _, proposal in offered.values() for piece in pieces_of(proposal))
        again = {held.sentence: held for held in await self._held(self._weighed(list(pieces)), again=True)}
        result |= {one.sentence: self._labelled(one.sentence) for one in doubted}
        for sentence, (doubt, proposal) in offered.items():
            if all(_mends(again[piece], doubt) for piece in pieces_of(proposal)):
                result[sentence] = proposal

    async def _proposals(self, doubts: Sequence[Doubt], step: Step) -> Sequence[Sentence]:
        if not doubts:
            return ()
        needed = dict.fromkeys(name for doubt in doubts for name in doubt.sentence.claim_ids if name in self._claims)
        try:
            claims = [self._claims[name] for name in needed]
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
        return check_sentence(sentence, self._claims, self._titles, self._brief.language).problem


_FAULTS = {
    "partly": "its sources say less",
    "disputed": "its sources give it as one side of a dispute",
    "unsupported": "its sources do not say it",
}
_LABELS = {
    "de": {"estimate": "eine Schätzung", "opinion": "eine Meinung", "forecast": "eine Prognose"},
    "fr": {"estimate": "une estimation", "opinion": "une opinion", "forecast": "une prévision"},
    "es": {"estimate": "una estimación", "opinion": "una opinión", "forecast": "una previsión"},
}


def _mends(held: _Held, doubt: _Held) -> bool:
    """Whether a new wording may stand; where a thinker faulted the old one, only its word or a repetition will do."""
    if held.problem:
        return False
    return not held.checked.uncertain or held.fault is not None or doubt.fault is None


def _name(sentence: Sentence) -> str:
    said = "\0".join((sentence.text, *sentence.claim_ids))
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
    written = [s for section in draft.sections for paragraph in section.paragraphs for s in paragraph]
    pieces = [piece for sentence in written for piece in pieces_of(sentence)]
    sound = sum(not problem_of(piece, claims, titles, language) for piece in pieces)
    return sound / max(1, len(pieces))


def unbacked(text: str, known: str) -> tuple[str, ...]:
    """The addresses, numbers and dates of a text without a citation, as a gap, that nothing known holds.

    They could not be checked. Names may be new: a gap has to call things by theirs.
    """
    strange = typed_addresses(text, known, known)
    if not any(char.isdigit() for char in text):
        return strange
    own = {NEGATION, *names_in(text)}
    return (*strange, *(detail for detail in details_missing_from(text, known) if detail not in own))


def unproven(heading: str, known: str) -> tuple[str, ...]:
    """What a heading states that nothing known does: what `unbacked` finds, names, causes, comparisons, extremes.

    Where every word has a capital, by title case or in German, only acronyms and the like are taken for names.
    """
    behind = [word for word in heading.split()[1:] if len(word) >= _TITLED]
    titled = len(behind) > 1 and all(word[0].isupper() for word in behind)
    flat = re.sub(r"\b[^\W\d_a-z][^\W\d_A-Z]+\b", lambda word: word.group().casefold(), heading)
    called = names_in(flat if titled or guess(known) == "de" else heading)
    strange = (one for one in details_missing_from(heading, known) if one in called)
    return (*unbacked(heading, known), *strange, *untold_ties(heading, known))


_TITLED = 4
"""Letters of a word from which on title case gives it a capital."""


def _each(
    draft: Draft,
    keep: Callable[[Sequence[Sentence], Replaced], tuple[Sentence, ...]],
    in_opening: Replaced,
    in_sections: Replaced,
) -> Draft:
    sections: list[WrittenSection] = []
    for section in draft.sections:
        paragraphs = tuple(kept for paragraph in section.paragraphs if (kept := keep(paragraph, in_sections)))
        if paragraphs:
            sections.append(section.model_copy(update={"paragraphs": paragraphs}))
    return draft.model_copy(
        update={
            "in_short": keep(draft.in_short, in_opening),
            "sections": tuple(sections),
            "differences": keep(draft.differences, {}),
        }
    )
