"""Linked passages: those that answer nothing alone, and complete one that answers."""

from collections.abc import Sequence

from deepresearch_mcp.pipeline.report.passage_pool import PassagePool, RankedPassage
from deepresearch_mcp.pipeline.report.pool_passage import is_named, own_title
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.chains import Chains, TitledText
from deepresearch_mcp.thinkers.extractive.leads import is_a_chain
from deepresearch_mcp.thinkers.extractive.relevance import FLOOR

_LINKED = 7
"""Passages that a name joins to one that answers, at most."""
_FIRM = 0.5
"""How firmly the name must join the two pages, 0 to 1: see `text.chains`."""
_STRONG = 2.5 * FLOOR
_ENOUGH = 4
"""A question that so many passages answer strongly by themselves needs no chain."""
_FEW = 2
"""With fewer passages a chain may begin between two of which neither answers alone."""
_TOGETHER = 0.6
"""The share of the question, rare words weighing more, that these two must hold."""
_STEPS = 2
"""How far a chain leads from a passage that answers."""
_ADDS = 0.12
"""The share of the question that the joined passage must add."""
_COVERED = 0.99
"""A passage with this share of what is asked leaves nothing to be completed."""


def linked_passages(
    pool: PassagePool,
    asked: Sequence[SubQuestion],
    there: Sequence[RankedPassage],
    claims: Sequence[Claim],
    question: str,
    language: str,
) -> list[tuple[SubQuestion, RankedPassage]]:
    """Passages that answer nothing alone, and complete one that is `there`: a name joins the two.

    "Where was the builder of that lighthouse born?": the page on the builder holds hardly a word of the question.
    """
    claims = sorted(claims, key=lambda claim: (-claim.score, claim.claim_id))
    pages = {one.passage.document.source_id for one in there}
    nested = any(part.depends_on for part in asked)
    # In a chain the next page may be named by a passage alone, and no sentence of it was read.
    may_chain = nested or (len(asked) == 1 and is_a_chain(question))
    named_by = [one.passage.text for one in there] if may_chain else None
    found = pool.around(claims, question, language, named_by)
    others = [one for one in found if one.passage.document.source_id not in pages]
    firsts = {one.passage.document.source_id: one for one in reversed(others)}
    others = [one for one in others if firsts[one.passage.document.source_id] is one]
    every = [*there, *others]
    chains = Chains(question, [TitledText(one.passage.document.title, one.passage.text) for one in every])
    by_id = {part.id: part for part in asked}
    # A chain of facts leads to one answer; questions that stand side by side have none between them.
    strong = sum(one.relevance.score >= _STRONG or one.relevance.headed for one in there)
    chained = (len(asked) == 1 and strong < _ENOUGH) or nested
    full = max((chains.covered((at,)) for at in range(len(there))), default=0.0) >= _COVERED
    worth = chains.worth
    # A page on a thing that the question names says what that is, whatever else is asked of it.
    joined = {at: 1 + worth[at] for at in range(len(there), len(every)) if every[at].relevance.about}
    if chained and len(there) + len(joined) < _FEW:
        joined |= {at: 1 + worth[at] for at in _completing(chains, every) if at >= len(there)}
    for _ in range(_STEPS):
        seeds = {*range(len(there)), *joined}
        for pair, firm in chains.joined.items():
            for one, other in (pair, pair[::-1]):
                if one in seeds and other not in seeds and firm >= _FIRM:
                    adds = chains.covered((one, other)) - chains.covered((one,))
                    if adds >= _ADDS or (chained and not full and (nested or _is_next(every[other], every[one]))):
                        joined[other] = worth[other]
    best = sorted(joined, key=lambda at: (-joined[at], at))[:_LINKED]
    home = [next((claim.sub_question for claim in every[at].passage.claims), "") for at in best]
    return [(by_id.get(name, asked[-1]), every[at]) for at, name in zip(best, home, strict=True)]


def _is_next(other: RankedPassage, one: RankedPassage) -> bool:
    """Tell whether a passage was read for the question, or one of the two is what the other's page is called."""
    mine, its = one.passage, other.passage
    called = is_named(own_title([its.document.title]), mine.text) or is_named(
        own_title([mine.document.title]), its.text
    )
    return bool(its.claims) or called


def _completing(chains: Chains, every: Sequence[RankedPassage]) -> tuple[int, ...]:
    """The two passages that a name joins and that hold most of the question together; none if that is too little."""
    pairs = [
        (chains.covered(pair), firm, pair)
        for pair, firm in chains.joined.items()
        if firm >= _FIRM and all(every[at].relevance.exact for at in pair)
    ]
    best = max(pairs, default=None)
    return best[2] if best and best[0] >= _TOGETHER else ()
