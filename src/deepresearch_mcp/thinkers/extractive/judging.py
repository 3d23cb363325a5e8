"""Judge: the machine's own opinion on a claim, from its words and the words it quotes."""

from collections.abc import Sequence

from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.negations import denial
from deepresearch_mcp.text.support import Evidence
from deepresearch_mcp.text.versions import lacking
from deepresearch_mcp.thinkers.extractive.prose import clean
from deepresearch_mcp.thinkers.extractive.terms import stems

_SUPPORTED = 0.65
"""Least score of support, with no detail missing. On WiCE and FactCheckGPT 21 % of what passes is not wholly supported
in people's judgement, as of what holds 85 % of the words (22 %), and a ninth more is found. At .6 it is 24 %: a false
`supported` costs more than a false `partly`."""
_MOST = 0.85
_PARTLY = 0.5
"""Shares of the claim's content words. For telling `partly` from nothing the score does no better than they."""
_WHOLE = 0.6
"""Least part of a quote that is taken at its word: a smaller one may say what the whole denies."""
_SHOWN = 5


def judge(claims: Sequence[Claim], language: str) -> tuple[Judgement, ...]:
    """Return one judgement a claim, in order, with its score of support (1: word for word).

    Where the verdict is not `supported` the reason names what is missing.
    """
    return tuple(_judged(claim, language or "en") for claim in claims)


def _judged(claim: Claim, language: str) -> Judgement:
    stated = words(claim.text)
    if any(_holds(words(clean(quote.text)), stated) for quote in claim.quotes):
        return Judgement(claim_id=claim.claim_id, verdict="supported", score=1.0, by="machine")
    evidence = " \n".join(dict.fromkeys(clean(quote.context or quote.text) for quote in claim.quotes))
    details = lacking(claim.text, evidence, "\n".join(quote.heading for quote in claim.quotes))
    score = Evidence.of(evidence).score(claim.text)
    if not details and score >= _SUPPORTED:
        return Judgement(claim_id=claim.claim_id, verdict="supported", score=score, by="machine")
    found = frozenset(stems(evidence, language))
    wanted = tuple(dict.fromkeys(stems(claim.text, language)))
    absent = [stem for stem in wanted if stem not in found]
    share = (len(wanted) - len(absent)) / max(1, len(wanted))
    # A wrong figure, name or polarity is no half-truth unless most of the rest stands.
    partly = share >= _PARTLY and (not details or share >= _MOST) and "negation" not in details
    told = [denial(claim.text, evidence) if one == "negation" else one for one in details]
    absent_words = list(dict.fromkeys([*told, *(word for word in stated if _is_absent(word, absent, language))]))
    return Judgement(
        claim_id=claim.claim_id,
        verdict="partly" if partly else "unsupported",
        reason=_reason(absent_words, partly=partly),
        score=score,
        by="machine",
    )


def _reason(absent: Sequence[str], *, partly: bool) -> str:
    if absent:
        return f"not in the quoted words: {', '.join(absent[:_SHOWN])}"
    return "its words are there, but too few to be sure" if partly else "the quoted words say something else"


def _holds(quoted: list[str], stated: list[str]) -> bool:
    """Tell whether the claim is a stretch of the quote, word for word, and most of it."""
    size = len(stated)
    if not size or size > len(quoted):
        return False
    at = next((at for at in range(len(quoted) - size + 1) if quoted[at : at + size] == stated), None)
    return at is not None and size >= _WHOLE * len(quoted)


def _is_absent(word: str, absent: list[str], language: str) -> bool:
    found = stems(word, language)
    return bool(found) and found[0] in absent
