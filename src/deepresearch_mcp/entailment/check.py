"""The room's only entrance: checks whether words carry a statement. Code outside imports nothing else of this room.

`check` returns a `Finding`, whose parts are computed on first use: what is missing or denied, how much is covered,
whether the whole statement is contained, whether only a reader can decide, and the reason in words. The caller decides
what follows from a finding (a verdict, a removed sentence, a question to a model).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from deepresearch_mcp.entailment.alignment import carries
from deepresearch_mcp.entailment.clauses import clauses_of
from deepresearch_mcp.entailment.containment import is_verbatim, repeats, restates
from deepresearch_mcp.entailment.coverage import SHOWN, SentenceIndex, covered, held_terms, lost_words
from deepresearch_mcp.entailment.denial import Denied, contradicts, denied, flatly_denied, negations
from deepresearch_mcp.entailment.details import (
    NEGATION,
    PageNames,
    PageWords,
    details_missing_from,
    missing_below,
    missing_details,
)
from deepresearch_mcp.entailment.evidence import Evidence, is_foreign
from deepresearch_mcp.entailment.explain import shortfall, what_is_wrong
from deepresearch_mcp.entailment.rewording import Around
from deepresearch_mcp.entailment.rules import threshold
from deepresearch_mcp.entailment.ties import lost_limits, untold_kind, untold_ties, without_samples
from deepresearch_mcp.entailment.unknown_words import mostly_unknown, unknown_clause
from deepresearch_mcp.text.attributions import unattributed
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.urls import typed_addresses

__all__ = [
    "NEGATION",
    "SHOWN",
    "Around",
    "Denied",
    "Evidence",
    "Finding",
    "PageNames",
    "PageWords",
    "SentenceIndex",
    "check",
    "clauses_of",
    "contradicts",
    "details_missing_from",
    "held_terms",
    "missing_details",
    "negations",
    "untold_kind",
    "untold_ties",
    "without_samples",
]


_HARDLY = threshold("check.hardly")
_SUBJECT = threshold("check.subject")
_NEARLY = threshold("check.nearly")
_MOSTLY_BY_SCORE = threshold("check.mostly_by_score")


@dataclass(frozen=True)
class Finding:
    """How far evidence carries a statement, by a comparison of words."""

    statement: str
    evidence: Evidence
    language: str = ""
    """ISO 639-1 code of the statement's report; "": guessed from the statement, and no words are foreign."""

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Numbers, dates and names that neither the words nor their substitutes hold."""
        evidence = self.evidence
        missing = missing_below(self.statement, self._held, evidence.titles)
        # A self-contained statement names what its quote calls "it".
        own = names_in(self.statement) if missing and evidence.page else frozenset[str]()
        if not evidence.page or not own:
            return missing
        # Near the words, a name may be inflected or spelt out; elsewhere it must occur unchanged.
        near = missing_details(self.statement, evidence.near) if evidence.near else missing
        return tuple(one for one in missing if one not in own or (one in near and not evidence.page.names(one)))

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Addresses in the statement that the words do not hold."""
        if self.evidence.addresses is None:
            return ()
        return typed_addresses(self.statement, self.evidence.words, self.evidence.addresses)

    @cached_property
    def denial(self) -> Denied | None:
        """What one side denies and the other states; None for nothing."""
        return None if self._is_claimed else denied(self.statement, self._held)

    @cached_property
    def flatly_denied(self) -> bool:
        """Whether one sentence says the same and only one of the two denies it, so that no reader need decide."""
        return flatly_denied(self.statement, self.evidence.words)

    @property
    def perhaps_denied(self) -> bool:
        """Whether a denial that may mean something else is the only thing against the statement."""
        return bool(self.denial) and not (self.missing or self.addresses or self.flatly_denied)

    @property
    def lacks(self) -> tuple[str, ...]:
        """All details that speak against it: `missing`, then `NEGATION` for a denial."""
        return (*self.missing, NEGATION) if self.denial else self.missing

    @cached_property
    def covered(self) -> float:
        """The share of the statement's content words that the evidence holds, 0 to 1."""
        said = unattributed(self.statement) if self.evidence.is_source else self.statement
        return covered(said, self.evidence.words, self.language)

    @property
    def hardly_covered(self) -> bool:
        """Whether it shares so few words with the evidence that no judge can have found it there."""
        return self.covered < _HARDLY

    @property
    def on_the_subject(self) -> bool:
        """Whether it shares enough words with the evidence to be about the same thing."""
        return self.covered >= _SUBJECT

    @property
    def mostly_covered(self) -> bool:
        """Whether the evidence holds most of what it says: by the share of words, or by the score."""
        return self.on_the_subject or self.score >= _MOSTLY_BY_SCORE

    @property
    def nearly_covered(self) -> bool:
        """Whether hardly any of its words are missing."""
        return self.covered >= _NEARLY

    @cached_property
    def score(self) -> float:
        """How well the words carry the statement, 0 to 1; see `SentenceIndex.score`."""
        return SentenceIndex.of(self.evidence.words).score(self.statement)

    @cached_property
    def verbatim(self) -> bool:
        """Whether a quote is the statement, word for word, and hardly more."""
        return any(is_verbatim(self.statement, quote) for quote in self.evidence.quotes)

    @cached_property
    def contained(self) -> bool:
        """Whether the evidence says all of it: word for word, in one sentence in another order, or clause by clause."""
        return self.verbatim or (self._stands and self.aligned) or self._restated

    @cached_property
    def aligned(self) -> bool:
        """Whether one sentence says all of it, in the same or another order."""
        return any(carries(self.statement, one, around) for one, around in self.evidence.sentences)

    @cached_property
    def foreign(self) -> bool:
        """Whether the statement is in the report's language and the words are in another; False if unsure."""
        return is_foreign(self.statement, self.evidence.words, self.language)

    @cached_property
    def faults(self) -> str:
        """What is missing or denied, in words; "" for nothing."""
        lost = (*self.missing, *self.addresses)
        return what_is_wrong(self.evidence.lacks, lost, self.denial)

    @cached_property
    def why(self) -> str:
        """Why the words do not carry the statement; "" if nothing speaks against it."""
        if self._proved or self.foreign or self._repeated:
            return self._proved
        return self.denial.told if self.denial else self._doubted

    @cached_property
    def uncertain(self) -> bool:
        """Whether only a reader can decide.

        That is so if the statement is no near repetition, or if the only thing against it is a denial that may be none.

        If the languages differ, words decide nothing.
        """
        if self._proved or self.foreign:
            return not self._proved
        if self._repeated:
            return False
        if self.why:
            return not self._doubted and not self.flatly_denied
        return not self.contained

    def settled(self) -> Self:
        """Compute what is missing, denied and covered now; return this finding."""
        _ = self.lacks, self.covered, self.perhaps_denied
        return self

    def explained(self, *, partly: bool) -> str:
        """Say what the quoted sentences lack or say instead; `partly`: they carry a part of the statement."""
        denial = (self.denial.said,) if self.denial else ()
        missing = (*self.missing, *denial, *lost_words(self.statement, self.evidence.words, self.language))
        return shortfall(self.statement, missing, [one for one, _ in self.evidence.sentences], partly=partly)

    @cached_property
    def _held(self) -> str:
        beside, words = self.evidence.beside, self.evidence.words
        return f"{beside}\n\n{words}" if beside else words

    @property
    def _stands(self) -> bool:
        """Whether nothing is missing or denied; the headings alone may name what a sentence calls "it"."""
        if not self.lacks:
            return True
        titles = self.evidence.titles
        below = f"{titles}\n{self.evidence.words}"
        return not missing_below(self.statement, below, titles) and not contradicts(self.statement, below)

    @cached_property
    def _repeated(self) -> bool:
        return not self.denial and repeats(self.statement, self.evidence.pieces)

    @cached_property
    def _restated(self) -> bool:
        pieces = self.evidence.pieces
        if not pieces:
            return False
        return self._repeated or (
            not lost_limits(self.statement, self.evidence.limited) and restates(self.statement, pieces)
        )

    @cached_property
    def _is_claimed(self) -> bool:
        """Whether it restates a statement that is known to be carried, with as many negations."""
        return any(
            negations(self.statement) == negations(one) and restates(self.statement, [one])
            for one in self.evidence.claimed
        )

    @cached_property
    def _proved(self) -> str:
        """What is surely wrong, whatever else holds; "" for nothing."""
        statement, words = self.statement, self.evidence.words
        if self.addresses:
            return f"its sources do not hold the address {self.addresses[0][:80]}"
        # Other languages spell names differently.
        spared = names_in(statement) if self.foreign else frozenset[str]()
        if missing := tuple(one for one in self.missing if one not in spared):
            return what_is_wrong(self.evidence.lacks, missing, None if self.foreign else self.denial)
        if not self.foreign and mostly_unknown(statement, words):
            return "most of its words are not in its sources"
        if kind := untold_kind(statement, self.evidence.kinds):
            return f"its claim is {'an' if kind[0] in 'eo' else 'a'} {kind}, and it does not say so"
        return ""

    @cached_property
    def _doubted(self) -> str:
        """A clause of words unknown to the evidence, or a cause, comparison or extreme without any ground there."""
        if clause := unknown_clause(self.statement, self.evidence.words):
            return f"{self.evidence.lacks}: “{clause}”"
        untold = untold_ties(self.statement, self.evidence.words)
        return f"its sources give no ground for: {', '.join(f'“{word}”' for word in untold)}" if untold else ""


def check(statement: str, evidence: Evidence, language: str = "") -> Finding:
    """Compare a statement with the words that should carry it.

    Args:
        statement: The statement to check.
        evidence: The words, and what may stand in for them.
        language: ISO 639-1 code of the statement's report. Its stopwords are ignored, and words in another language
            cannot be compared one by one. "": guessed from the statement.
    """
    return Finding(statement, evidence, language)
