"""Which claims say nothing that another claim does not say: found by machine, without losing a detail."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deepresearch_mcp.entailment.check import details_missing_from, negations
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess

_OVERLAP = 0.5
"""Share of the shorter quote from which two quotes are of one place."""
_REWORDED = 0.25
"""Share of a claim's words that may be the reader's own way of saying it, on no page and in no other claim."""
_WEIGHTY = re.compile(
    r"\b(?:if|unless|except|only|until|when(?:ever)?|while|without|before|after|during|since|once|although|though|but|"
    r"because|may|might|could|can|should|must|need\w*|likely|probably|usually|typically|often|rarely|sometimes|"
    r"generally|mostly|almost|nearly|about|approximately|around|up to|at (?:least|most)|more|less|fewer|most|least|"
    r"some|many|few|several|all|every|each|any|always|never|both|either|neither|than|as long as|provided|default|"
    r"optional\w*|deprecated|removed|experimental)\b",
    re.IGNORECASE,
)
"""Small words that make a condition, a limit or a degree of certainty."""
_CODED = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]+|(?<!\w)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|(?<!\w)[A-Za-z_]\w*(?=\()"
    r"|(?<!\w)[A-Za-z]\w*_\w+|(?<!\w)_\w+|(?<!\w)[A-Za-z]*[a-z]\w*[A-Z]\w*|(?<![\w.])\d+(?:\.\d+)+"
)
"""What code, options and versions are called: `wait()`, `a.b`, `wait_for`, `--all`, `TaskGroup`, `3.11`."""
_ALIKE = (("so long as", "as long as"), ("whenever", "when"), ("needs", "need"), ("can't", "cannot"))


@dataclass(frozen=True, slots=True)
class _Said:
    words: frozenset[str]
    """Stems of the words with a meaning of their own."""
    weighty: frozenset[str]
    english: bool


@lru_cache(maxsize=4096)
def _said(text: str) -> _Said:
    plain = text.casefold()
    for one, other in _ALIKE:
        plain = plain.replace(one, other)
    return _Said(
        frozenset(map(stem, content_words(text))),
        frozenset(found.group().casefold() for found in _WEIGHTY.finditer(plain)),
        guess(text) in {"en", ""},
    )


def things_named(text: str) -> frozenset[str]:
    """The functions, options, settings and versions that a text names; `asyncio.wait()` is `wait`."""
    return frozenset(
        (one if one[0].isdigit() else one.rpartition(".")[2]).strip("-").casefold() for one in _CODED.findall(text)
    )


def things_missing(text: str, other: str) -> frozenset[str]:
    """Those that another text does not name, nor has as a plain word ("the Barrier class")."""
    plain = other.casefold()
    return frozenset(
        one
        for one in things_named(text) - things_named(other)
        if not re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", plain)
    )


def name_different_things(one: str, other: str) -> bool:
    """Whether each of two texts names a function, option or version that the other does not."""
    return bool(things_missing(one, other) and things_missing(other, one))


def absorbed(claims: Sequence[Claim]) -> dict[str, str]:
    """The ids of claims that say nothing more than another one of these, each with the id of that other.

    The other is never absorbed itself. Which comes first does not matter.
    """
    kept: list[Claim] = []
    found: dict[str, str] = {}
    for claim in sorted({one.claim_id: one for one in claims}.values(), key=_richest_first):
        holder = next((other for other in kept if says_no_more(claim, other)), None)
        if holder:
            found[claim.claim_id] = holder.claim_id
        else:
            kept.append(claim)
    return found


def _richest_first(claim: Claim) -> tuple[int, int, str]:
    return -len(_said(claim.text).words), -len(claim.text), claim.claim_id


def says_no_more(claim: Claim, other: Claim) -> bool:
    """Whether a claim is taken from the same words of a page as another one, and adds nothing to it.

    Every figure, name, condition and denial of the claim is in the other, and every word, except for a few of the
    reader's own that its quote does not have either.
    """
    return of_one_place(claim.quotes, other.quotes) and adds_nothing(claim, other)


def adds_nothing(claim: Claim, other: Claim) -> bool:
    """The same, wherever the two were taken from."""
    mine, theirs = _said(claim.text), _said(other.text)
    if details_missing_from(claim.text, other.text) or mine.weighty - theirs.weighty:
        return False
    if things_missing(claim.text, other.text):
        return False
    # One that denies and one that does not are never the same, whichever says more.
    if bool(negations(claim.text)) != bool(negations(other.text)):
        return False
    more = mine.words - theirs.words
    if not more:
        return True
    quoted = frozenset[str]().union(*(_said(quote.text).words for quote in claim.quotes))
    return mine.english and not more & quoted and len(more) <= _REWORDED * len(mine.words)


def of_one_place(mine: Iterable[Quote], theirs: Sequence[Quote]) -> bool:
    """Whether two claims are taken from the same words of a page."""
    return any(_share(one, other) >= _OVERLAP for one in mine for other in theirs)


def _share(one: Quote, other: Quote) -> float:
    if one.source_id != other.source_id:
        return 0.0
    shared = min(one.end, other.end) - max(one.start, other.start)
    return shared / max(1, min(one.end - one.start, other.end - other.start))


def with_what_it_stands_for(claim: Claim, others: Iterable[Claim]) -> Claim:
    """The claim with the weight and the points of those that it stands for."""
    own = [claim, *others]
    points: Mapping[str, None] = dict.fromkeys(point for one in own for point in one.covers)
    return claim.model_copy(update={"weight": max(one.weight for one in own), "covers": tuple(points)})
