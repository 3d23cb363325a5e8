"""Judge: the machine's own opinion on a claim, from its words and the words it quotes."""

from collections.abc import Iterator, Sequence

from deepresearch_mcp.entailment.alignment import TURNS, Around, carries
from deepresearch_mcp.entailment.explain import absent, instead, nearest
from deepresearch_mcp.entailment.support import Evidence
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.negations import denied
from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.versions import lacking
from deepresearch_mcp.thinkers.extractive.prose import clean
from deepresearch_mcp.thinkers.extractive.terms import stems

_NEAR = 0.65
"""Score from which on a claim is `partly` carried whatever its share of words: most of what it says stands there."""
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
    contexts = tuple(dict.fromkeys((quote.context or quote.text, quote.heading) for quote in claim.quotes))
    evidence = "\n\n".join(dict.fromkeys(clean(quote.context or quote.text) for quote in claim.quotes))
    headings = "\n".join(quote.heading for quote in claim.quotes)
    details = lacking(claim.text, evidence, headings)
    score = Evidence.of(evidence).score(claim.text)
    found = [(one, around) for context, heading in contexts for one, around in _sentences(context, heading)]
    # What a sentence calls "it" may be named by the headings alone.
    stands = not details or not lacking(claim.text, f"{headings}\n{evidence}", headings)
    if stands and any(carries(claim.text, one, around) for one, around in found):
        return Judgement(claim_id=claim.claim_id, verdict="supported", score=score, by="machine")
    held = frozenset(stems(evidence, language))
    wanted = tuple(dict.fromkeys(stems(claim.text, language)))
    lost = [stem for stem in wanted if stem not in held]
    share = (len(wanted) - len(lost)) / max(1, len(wanted))
    # A wrong figure, name or polarity is no half-truth unless most of the rest stands.
    most = share >= _PARTLY or score >= _NEAR
    partly = most and (not details or share >= _MOST) and "negation" not in details
    denial = denied(claim.text, evidence) if "negation" in details else None
    told = [denial.said if one == "negation" and denial else one for one in details]
    absent_words = list(dict.fromkeys([*told, *(word for word in stated if _is_absent(word, lost, language))]))
    return Judgement(
        claim_id=claim.claim_id,
        verdict="partly" if partly else "unsupported",
        reason=_reason(claim.text, absent_words, [one for one, _ in found], partly=partly),
        score=score,
        by="machine",
    )


def _sentences(context: str, heading: str) -> Iterator[tuple[str, Around]]:
    """The sentences of a context, each with what it may refer back to; a heading states nothing."""
    headings = headings_of(heading)
    before = ""
    for span in sentences(context):
        if context.startswith("#", context.rfind("\n", 0, span.start) + 1):
            continue
        one = clean(context[span.start : span.end])
        yield one, Around(before, headings)
        before = one


def _reason(claim: str, missing: Sequence[str], found: Sequence[str], *, partly: bool) -> str:
    closest = nearest(claim, found)
    if partly and (differing := instead(claim, closest)):
        theirs, own = differing
        return f"the page says “{theirs}”, not “{own}”"
    more = absent(claim, "\n".join(found)) if partly else []
    nowhere: dict[str, str] = {}
    for word in (*missing, *more):
        nowhere.setdefault(word.casefold(), word)
    if nowhere:
        return f"not in the quoted words: {', '.join([*nowhere.values()][:_SHOWN])}"
    if not partly:
        return "the quoted words say something else"
    if apart := absent(claim, closest):
        return f"the words stand there, but not together ({', '.join(apart[:_SHOWN])}); no model judged it"
    return "the words stand there, but not as they are put here; no model judged it"


def _holds(quoted: list[str], stated: list[str]) -> bool:
    """Tell whether the claim is a stretch of the quote, word for word, and most of it."""
    size = len(stated)
    if not size or size > len(quoted):
        return False
    at = next((at for at in range(len(quoted) - size + 1) if quoted[at : at + size] == stated), None)
    # "Some say that" it is so leaves it without an author.
    return at is not None and size >= _WHOLE * len(quoted) and not TURNS.intersection(quoted[:at])


def _is_absent(word: str, absent: list[str], language: str) -> bool:
    found = stems(word, language)
    return bool(found) and found[0] in absent
