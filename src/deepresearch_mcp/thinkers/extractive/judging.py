"""Judge: the machine's own opinion on a claim, from its words and the words it quotes."""

from collections.abc import Iterator, Sequence

from deepresearch_mcp.entailment.check import Around, Evidence, check
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.prose import clean


def judge(claims: Sequence[Claim], language: str) -> tuple[Judgement, ...]:
    """Return one judgement a claim, in order, with its score of support (1: word for word).

    Where the verdict is not `supported` the reason names what is missing.
    """
    return tuple(_judged(claim, language or "en") for claim in claims)


def _judged(claim: Claim, language: str) -> Judgement:
    finding = check(claim.text, _evidence(claim), language)
    if finding.contained:
        score = 1.0 if finding.verbatim else finding.score
        return Judgement(claim_id=claim.claim_id, verdict="supported", score=score, by="machine")
    # With a wrong figure, name or polarity, most of the rest must hold for a half-truth.
    partly = finding.mostly_covered and (not finding.missing or finding.nearly_covered) and not finding.denial
    return Judgement(
        claim_id=claim.claim_id,
        verdict="partly" if partly else "unsupported",
        reason=finding.explained(partly=partly),
        score=finding.score,
        by="machine",
    )


def _evidence(claim: Claim) -> Evidence:
    contexts = dict.fromkeys((quote.context or quote.text, quote.heading) for quote in claim.quotes)
    return Evidence(
        words="\n\n".join(dict.fromkeys(clean(quote.context or quote.text) for quote in claim.quotes)),
        titles="\n".join(quote.heading for quote in claim.quotes),
        quotes=tuple(clean(quote.text) for quote in claim.quotes),
        sentences=tuple(one for context, heading in contexts for one in _sentences(context, heading)),
    )


def _sentences(context: str, heading: str) -> Iterator[tuple[str, Around]]:
    """The sentences of a context without its headings, each with what it may refer back to."""
    headings = headings_of(heading)
    before = ""
    for span in sentences(context):
        if context.startswith("#", context.rfind("\n", 0, span.start) + 1):
            continue
        one = clean(context[span.start : span.end])
        yield one, Around(before, headings)
        before = one
