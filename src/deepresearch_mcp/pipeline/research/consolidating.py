"""Consolidate: find claims that state one fact, among all claims of a run, before a report is written from them."""

import math
from collections.abc import Iterator, Sequence

import anyio.to_thread

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.research.comparing import promise, weights_of
from deepresearch_mcp.pipeline.same_fact import of_one_place
from deepresearch_mcp.records.evidence import Claim, Comparison
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import ConsolidateClaims

_ALIKE = 0.62
"""Share of the shorter claim's words that two claims on one fact have in common; rare words weigh most."""
_SHARED = 3
"""The fewest words with a weight that they share."""
_OF_ONE_PLACE = 0.35
"""The same share for two claims from the same words of a page."""
_LARGEST = 8
"""Claims of one cluster; more of them share words of the subject and not a fact."""
_ROOM = 28_000
"""Characters of the claims that are shown, about 6,500 tokens: the clusters most likely to hold one fact."""


async def consolidated(
    brief: Brief, claims: Sequence[Claim], thinker: Thinker, depends_on: tuple[str, ...]
) -> tuple[Comparison, ...]:
    """Which claims are the same and which contradict each other; nothing where the thinker cannot be asked.

    Raises:
        KeyRefused: Every later call would fail too.
    """
    found = await anyio.to_thread.run_sync(clusters, claims, abandon_on_cancel=True)
    if not found:
        return ()
    names = [claim.claim_id for cluster in found for claim in cluster]
    try:
        return tuple(await thinker.ask(ConsolidateClaims(brief, found), steps.consolidate(names, depends_on)))
    except KeyRefused:
        raise
    except (ProviderError, BudgetExceeded):
        return ()


def clusters(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Claims that may state one fact or contradict each other, in groups of two to eight; no claim stands in two.

    Those most alike come first, and as many as there is room for. A cluster grows around the claims that are most
    alike, so a chain of resemblances does not join everything.
    """
    distinct = sorted({claim.claim_id: claim for claim in claims}.values(), key=lambda claim: claim.claim_id)
    near = sorted(_near(distinct), key=lambda edge: (-edge[0], edge[1], edge[2]))
    own: dict[int, list[int]] = {}
    found: list[list[int]] = []
    for _, one, other in near:
        mine, theirs = own.get(one), own.get(other)
        if mine is None and theirs is None:
            own[one] = own[other] = [one, other]
            found.append(own[one])
        elif mine is None or theirs is None:
            group, new = (theirs, one) if mine is None else (mine, other)
            if group is not None and len(group) < _LARGEST:
                group.append(new)
                own[new] = group
    room = _ROOM
    chosen: list[list[Claim]] = []
    for group in found:
        room -= sum(len(distinct[at].text) + _LINE for at in group)
        if room < 0:
            break
        chosen.append([distinct[at] for at in group])
    return chosen


_LINE = 12
"""Characters around a claim on its line."""


def _near(claims: Sequence[Claim]) -> Iterator[tuple[float, int, int]]:
    """The pairs that are alike, with how much: what each says of one thing, by its rare words, names and figures."""
    weights = weights_of(claims)
    words = [_words(claim) for claim in claims]
    rare = math.log(1 + len(claims))
    for one, mine in enumerate(words):
        for other in range(one + 1, len(claims)):
            theirs = words[other]
            shared = mine & theirs
            if not shared:
                continue
            shorter = min(mine, theirs, key=len)
            share = sum(weights.get(word, rare) for word in shared) / sum(weights.get(word, rare) for word in shorter)
            if of_one_place(claims[one].quotes, claims[other].quotes):
                if share >= _OF_ONE_PLACE:
                    yield 1 + share, one, other
            elif share >= _ALIKE and len(shared) >= _SHARED:
                yield share, one, other
            elif promise(claims[one], claims[other], weights):
                yield 1.0, one, other


def _words(claim: Claim) -> frozenset[str]:
    return frozenset(map(stem, content_words(claim.text)))
