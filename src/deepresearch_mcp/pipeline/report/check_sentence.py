"""Check a written sentence against its claims: what the audit makes of the evidence room's findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.entailment.check import Evidence, check, untold_kind
from deepresearch_mcp.records.evidence import KEPT, Claim
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.text.citations import strip_marks
from deepresearch_mcp.text.keywords import content_words
from deepresearch_mcp.text.markdown import plain
from deepresearch_mcp.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Checked:
    """What a machine makes of a sentence."""

    problem: str = ""
    """Why it may not stand; empty when it may."""
    uncertain: bool = False
    """Only a reader can tell: it is no near repetition of its claims, or the problem is a denial that may be none."""


def check_sentence(
    sentence: Sentence, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = ""
) -> Checked:
    """What can be told without understanding: in doubt, nearly a repetition of its claims, or neither.

    In doubt is a sentence without a claim that may be written, with an address, number, date, name or denial that its
    sources do not hold, with an opinion told as a fact, or mostly of words that its sources do not hold; with one
    clause mostly of such words; with a cause, a comparison or an extreme that no source knows of. A sentence in the
    report's `language` over sources in another cannot be compared word by word: there its addresses, numbers and dates
    are held to the sources, and the rest is uncertain.

    The rules were adjusted on the first 93 wordings of tests/audit_cases.py and then tried on 22 more, all of the same
    hand; test_check_sentence.py holds the bars. Of 62 false ones 48 are in doubt and 14 uncertain, of 53 honest ones
    5 and 46.
    """
    if not any(char.isalnum() for char in sentence.text):
        return Checked("it says nothing")
    own = [claims[name] for name in sentence.claim_ids if name in claims]
    if not own or len(own) < len(sentence.claim_ids):
        return Checked("it names no claim" if not sentence.claim_ids else "it names a claim that there is not")
    if any(claim.verdict not in KEPT for claim in own):
        return Checked("its claim is not supported")
    finding = check(sentence.text, evidence_of(own, titles), language)
    return Checked(finding.why, finding.uncertain)


def evidence_of(own: Sequence[Claim], titles: Mapping[str, str]) -> Evidence:
    """All that may carry a sentence of these claims; a claim that is partly supported lends no words of its own."""
    quotes = [quote for claim in own for quote in claim.quotes]
    said = [claim.text for claim in own if claim.verdict != "partly"]
    around = [part for one in quotes for part in (one.context or one.text, titles.get(one.source_id, ""))]
    words = "\n\n".join(dict.fromkeys((*said, *around)))
    return Evidence(
        words=words,
        titles="\n".join(f"{titles.get(one.source_id, '')}\n{one.heading}" for one in quotes),
        addresses=words,
        pieces=(*said, *(plain(one.context or one.text) for one in quotes)),
        claimed=tuple(claim.text for claim in own if claim.verdict == "supported"),
        limited=" ".join(claim.text for claim in own),
        kinds=tuple(claim.kind for claim in own),
    )


def without_typed_marks(sentence: Sentence) -> Sentence:
    """Without marks that a writer may have typed all the same: the program numbers."""
    text = " ".join(strip_marks(sentence.text).split())
    return Sentence(text=text, claim_ids=tuple(dict.fromkeys(sentence.claim_ids)))


def pieces_of(sentence: Sentence) -> tuple[Sentence, ...]:
    """Two sentences handed in as one, taken apart: each has to be carried, and to carry the marks.

    A word or two, as "Yes.", stay with what follows.
    """
    whole = without_typed_marks(sentence)
    parts: list[str] = []
    glued = False
    for span in sentences(whole.text):
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


def unowned(text: str, own: Sequence[Claim]) -> str:
    """The kind of claim that a sentence tells as a fact: `estimate`, `opinion` or `forecast`; empty for none."""
    return untold_kind(text, [claim.kind for claim in own])
