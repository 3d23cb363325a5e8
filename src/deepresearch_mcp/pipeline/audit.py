"""Audit: match every sentence of the finished text to its claims again; repair once, then drop."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.verifier import KEPT
from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, Removed, Sentence, WrittenSection
from deepresearch_mcp.text.citations import strip_marks
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.numbers import missing_details, names
from deepresearch_mcp.text.sentences import sentences as sentences_of
from deepresearch_mcp.text.urls import addresses_in
from deepresearch_mcp.thinkers.base import Doubt, Thinker

_COVERED = 0.6
"""Least share of a sentence's content words that its claims and their surroundings must hold."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What remains of a draft, and what was taken out."""

    draft: Draft
    removed: tuple[Removed, ...]


async def audit(
    brief: Brief, draft: Draft, claims: Mapping[str, Claim], titles: Mapping[str, str], thinker: Thinker, at: At
) -> Audited:
    """Keep only sentences that their claims carry; `titles` gives a source's title by its id."""
    everything = (*draft.in_short, *(s for w in draft.sections for p in w.paragraphs for s in p), *draft.differences)
    doubts = [
        Doubt(sentence, problem)
        for sentence in dict.fromkeys(piece for written in everything for piece in _pieces(written))
        if (problem := problem_of(sentence, claims, titles, brief.language))
    ]
    repaired = await _repair(brief, doubts, claims, titles, thinker, at) if doubts else {}

    def keep(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
        kept: list[Sentence] = []
        for sentence in (piece for written in sentences for piece in _pieces(written)):
            mended = repaired.get(sentence, sentence)
            if mended is not None:
                kept += _pieces(mended)
        return tuple(kept)

    removed = [
        Removed(text=doubt.sentence.text, reason=doubt.problem)
        for doubt in doubts
        if repaired.get(doubt.sentence) is None
    ]
    return Audited(_each(draft, keep), tuple(removed))


def problem_of(sentence: Sentence, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = "") -> str:
    """Why a sentence may not stand; empty when it may.

    A sentence in the report's `language` over sources in another cannot be compared word by word: there its
    numbers and dates are held to the sources, and its claims' verdicts carry the rest.
    """
    if not any(char.isalnum() for char in sentence.text):
        return "it says nothing"
    own = [claims[name] for name in sentence.claim_ids if name in claims]
    if not own or len(own) < len(sentence.claim_ids):
        return "it names no claim" if not sentence.claim_ids else "it names a claim that there is not"
    if any(claim.verdict not in KEPT for claim in own):
        return "its claim is not supported"
    evidence = "\n".join(
        part
        for claim in own
        for quote in claim.quotes
        for part in (quote.context or quote.text, titles.get(quote.source_id, ""))
    )
    said = "\n".join(claim.text for claim in own)
    if any(claim.verdict == "partly" for claim in own):
        said = ""
    if strange := _strange(sentence.text, evidence):
        return f"its sources do not hold the address {strange[0][:80]}"
    missing = missing_details(sentence.text, f"{evidence}\n{said}")
    foreign = _foreign(sentence.text, f"{evidence}\n{said}", language)
    if foreign:
        missing = tuple(detail for detail in missing if detail != "negation" and detail not in names(sentence.text))
    if missing:
        return f"its sources do not say: {', '.join(missing)}"
    words = {stem(word) for word in content_words(sentence.text)}
    known = {stem(word) for word in content_words(f"{evidence}\n{said}")}
    if words and not foreign and len(words & known) / len(words) < _COVERED:
        return "most of its words are not in its sources"
    return ""


def unbacked(text: str, known: str) -> tuple[str, ...]:
    """The addresses, numbers and dates of a text without a citation, a heading or a gap, that nothing known holds.

    Nobody could check them. Names may be new: a heading or a gap has to call things by theirs.
    """
    strange = tuple(_strange(text, known))
    if not any(char.isdigit() for char in text):
        return strange
    own = {"negation", *names(text)}
    return (*strange, *(detail for detail in missing_details(text, known) if detail not in own))


def _strange(text: str, known: str) -> list[str]:
    """Addresses that a model typed: those that its sources do not hold themselves."""
    found = addresses_in(text)
    there = known.casefold() if found else ""
    return [address for address in found if address.casefold() not in there]


def _foreign(text: str, evidence: str, language: str) -> bool:
    """Whether the text is in the report's language and its evidence in another; unsure: no."""
    return bool(language) and guess(evidence) not in {"", language} and guess(text) in {"", language}


async def _repair(
    brief: Brief,
    doubts: Sequence[Doubt],
    claims: Mapping[str, Claim],
    titles: Mapping[str, str],
    thinker: Thinker,
    at: At,
) -> dict[Sentence, Sentence | None]:
    """Each doubted sentence mended, or None where it has to go."""
    mendable = [doubt for doubt in doubts if any(name in claims for name in doubt.sentence.claim_ids)]
    proposals: Sequence[Sentence] = ()
    if mendable:
        needed = dict.fromkeys(name for doubt in mendable for name in doubt.sentence.claim_ids if name in claims)
        try:
            proposals = await thinker.repair(brief, mendable, [claims[name] for name in needed], at)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            proposals = ()
    result: dict[Sentence, Sentence | None] = {doubt.sentence: None for doubt in doubts}
    for doubt, proposal in zip(mendable, proposals, strict=False):
        if not any(problem_of(piece, claims, titles, brief.language) for piece in _pieces(proposal)):
            result[doubt.sentence] = _clean(proposal)
    return result


def _clean(sentence: Sentence) -> Sentence:
    """Without marks that a writer may have typed all the same: the program numbers."""
    text = " ".join(strip_marks(sentence.text).split())
    return Sentence(text=text, claim_ids=tuple(dict.fromkeys(sentence.claim_ids)))


def _pieces(sentence: Sentence) -> tuple[Sentence, ...]:
    """Two sentences handed in as one, taken apart: each has to be carried, and to carry the marks.

    A word or two, as "Yes.", stay with what follows.
    """
    whole = _clean(sentence)
    parts: list[str] = []
    glued = False
    for span in sentences_of(whole.text):
        part = whole.text[span.start : span.end]
        parts[-1:] = [f"{parts[-1]} {part}"] if glued else [*parts[-1:], part]
        glued = len(content_words(parts[-1])) < _SENTENCE_WORDS
    if glued and len(parts) > 1:
        parts[-2:] = [" ".join(parts[-2:])]
    if len(parts) < 2:
        return (whole,)
    return tuple(whole.model_copy(update={"text": part}) for part in parts)


_SENTENCE_WORDS = 2
"""Content words of the shortest sentence that states something by itself."""


def _each(draft: Draft, keep: Callable[[Sequence[Sentence]], tuple[Sentence, ...]]) -> Draft:
    sections: list[WrittenSection] = []
    for section in draft.sections:
        paragraphs = tuple(kept for paragraph in section.paragraphs if (kept := keep(paragraph)))
        if paragraphs:
            sections.append(section.model_copy(update={"paragraphs": paragraphs}))
    return draft.model_copy(
        update={
            "in_short": keep(draft.in_short),
            "sections": tuple(sections),
            "differences": keep(draft.differences),
        }
    )
