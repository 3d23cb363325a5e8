"""Conclude: the sentences that answer the question most directly."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence, WrittenSection
from deepresearch_mcp.thinkers.extractive.answers import expected, fits
from deepresearch_mcp.thinkers.extractive.candidates import relevance
from deepresearch_mcp.thinkers.extractive.parts import sentence_case
from deepresearch_mcp.thinkers.extractive.prose import clauses, clip, dangles, finished, points, shortened
from deepresearch_mcp.thinkers.extractive.terms import coverage, stems, wanted

_MOST = 3
_SHORT = 200
"""Up to this many characters, the answer is one sentence."""
_LONGEST = 300
_ALIKE = 0.6
_OPENS_ONE = 0.25
"""The worth of being the first sentence of a section: the writer puts the one that answers the heading there."""
_OPENS_PART = 0.8
"""The same where each section answers a part of the question and need not hold its other words."""
_OF_A_PART = 0.4
"""The share of the first sentence's worth that a sentence of another section needs."""
_BESIDE_BEST = 0.6
"""A second sentence must be worth at least this share of the first."""


@dataclass(frozen=True, slots=True)
class _Option:
    text: str
    claim_ids: tuple[str, ...]
    section: int
    """Position of its section; -1 for a claim that no section states."""
    stems: frozenset[str]
    score: float


def conclude(
    brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int
) -> tuple[Sentence, ...]:
    """Return one to three sentences with their claims, together at most `max_chars` characters.

    Each section gives one sentence before any gives a second. If none fits, the best clause is cut between words;
    without any sentence the answer is empty.
    """
    language = brief.language or "en"
    options = _options(brief.question, sections, claims, language)
    if not options or max_chars < 1:
        return ()
    if max_chars <= _SHORT:
        return _one(brief.question, options, max_chars, language)
    chosen: list[_Option] = []
    length = 0
    for option in _by_section(options):
        text = _shown(option.text)
        if len(chosen) >= _MOST or length + len(text) + bool(chosen) > max_chars or _repeats(option, chosen):
            continue
        opens = all(option.section != other.section for other in chosen)
        if chosen and option.score < (_OF_A_PART if opens else _BESIDE_BEST) * options[0].score:
            continue
        chosen.append(option)
        length += len(text) + (len(chosen) > 1)
    if not chosen:
        return _one(brief.question, options, max_chars, language)
    chosen.sort(key=lambda option: (option.section, -option.score))
    return tuple(Sentence(text=_shown(option.text), claim_ids=option.claim_ids) for option in chosen)


def _shown(text: str) -> str:
    return finished(sentence_case(shortened(text, _LONGEST)))


def _options(
    question: str, sections: Sequence[WrittenSection], claims: Sequence[Claim], language: str
) -> list[_Option]:
    """Return the possible sentences, best first: those of the sections, or the claims where there are none."""
    rows = [
        (sentence.text, sentence.claim_ids, at, place)
        for at, section in enumerate(sections)
        for place, sentence in enumerate(section.sentences)
        if sentence.claim_ids and sentence.text
    ]
    rows = rows or [(claim.text, (claim.claim_id,), -1, 1) for claim in claims]
    by_id = {claim.claim_id: claim for claim in claims}
    sort = expected(question)
    options: list[_Option] = []
    found = relevance(question, [text for text, _, _, _ in rows], language=language, first=1)
    for (text, claim_ids, at, place), candidate in zip(rows, found, strict=True):
        score = (
            candidate.score
            + 0.5 * candidate.covered
            + 0.2 * fits(sort, text, question)
            + (_OPENS_ONE if len(sections) == 1 else _OPENS_PART) * (place == 0 and at >= 0)
        )
        score += (
            0.1 * (len(claim_ids) > 1)
            - 0.4 * dangles(text)
            - 0.15 * points(text)
            - 0.2 * any(claim_id in by_id and by_id[claim_id].verdict == "disputed" for claim_id in claim_ids)
        )
        options.append(_Option(text, claim_ids, at, frozenset(candidate.stems), score))
    return sorted(options, key=lambda option: (-option.score, option.section, option.text))


def _by_section(options: Sequence[_Option]) -> list[_Option]:
    """Put the best of each section first, then the rest."""
    seen: set[int] = set()
    first = [option for option in options if option.section not in seen and not seen.add(option.section)]
    return [*first, *(option for option in options if option not in first)]


def _repeats(option: _Option, chosen: Sequence[_Option]) -> bool:
    return any(
        len(option.stems & other.stems) >= _ALIKE * max(1, min(len(option.stems), len(other.stems))) for other in chosen
    )


def _one(question: str, options: Sequence[_Option], max_chars: int, language: str) -> tuple[Sentence, ...]:
    """Return the best sentence that fits, or a much better one that is cut to fit."""
    best = options[0]
    fitting = next((option for option in options if len(_shown(option.text)) <= max_chars), None)
    if fitting is not None and fitting.score >= 0.7 * best.score:
        return (Sentence(text=_shown(fitting.text), claim_ids=fitting.claim_ids),)
    text = _window(question, best.text, max_chars, language)
    return (Sentence(text=text, claim_ids=best.claim_ids),) if text else ()


_TURNS = re.compile(
    r"\b(?:not|no|never|den(?:y|ies|ied)|false|myth|claim\w*|sa(?:y|ys|id)|alleg\w+|argu\w+|believ\w+|if|unless|except|only|although|"
    r"though|but)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words that may change the meaning of nearby clauses, so they are never left out."""


def _window(question: str, text: str, max_chars: int, language: str) -> str:
    """Cut out the run of clauses that holds most of what is asked for; `…` marks what is left out."""
    query = wanted(question, language)
    sort = expected(question)

    def worth(piece: str) -> float:
        return coverage(query, stems(piece, language)) + 0.4 * fits(sort, piece, question)

    parts = clauses(text)
    best = clip(text, max_chars)
    best_worth = worth(best)
    for low in range(len(parts)):
        for high in range(len(parts), low, -1):
            if any(_TURNS.search(part) for part in (*parts[:low], *parts[high:])):
                continue
            piece = _framed("".join(parts[low:high]), low > 0, high < len(parts))
            if len(piece) <= max_chars and worth(piece) > best_worth:
                best, best_worth = piece, worth(piece)
    return best


def _framed(piece: str, cut_before: bool, cut_behind: bool) -> str:
    piece = piece.strip(" ,;:–—-")
    opened = f"…{piece}" if cut_before else sentence_case(piece)
    return f"{opened.rstrip('.')}…" if cut_behind else finished(opened)
