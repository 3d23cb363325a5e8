"""Consolidate: find claims that state one fact, among all claims of a run, before a report is written from them."""

from collections.abc import Sequence

import anyio

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.evidence import Claim, Comparison
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import ConsolidateClaims

_ALIKE = 0.5
"""Share of the shorter claim's words that two claims of one cluster have in common: half, as in `comparing`."""
_LARGEST = 12
"""Claims of one cluster; more of them share words of the subject and not a fact."""
_AT_ONCE = 60
"""Claims in one call."""


async def consolidated(
    brief: Brief, claims: Sequence[Claim], thinker: Thinker, depends_on: tuple[str, ...]
) -> tuple[Comparison, ...]:
    """Which claims are the same and which contradict each other; nothing where the thinker cannot be asked.

    Raises:
        KeyRefused: Every later call would fail too.
    """
    groups = _packed(clusters(claims))

    async def one(group: Sequence[Sequence[Claim]]) -> Sequence[Comparison]:
        names = [claim.claim_id for cluster in group for claim in cluster]
        try:
            return await thinker.ask(ConsolidateClaims(brief, group), steps.consolidate(names, depends_on))
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return ()

    found = await anyio.amap(one, groups)
    return tuple(comparison for group in found for comparison in group)


def clusters(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Claims that share words, in groups of two to twelve; claims that resemble no other are left out.

    A cluster grows around the claims that have most neighbours, so a chain of resemblances does not join everything.
    """
    distinct = list({claim.claim_id: claim for claim in claims}.values())
    said = [frozenset(map(stem, content_words(claim.text))) for claim in distinct]
    near: dict[int, list[tuple[float, int]]] = {at: [] for at in range(len(distinct))}
    for one, words in enumerate(said):
        for other in range(one + 1, len(said)):
            share = len(words & said[other]) / max(1, min(len(words), len(said[other])))
            if share >= _ALIKE:
                near[one].append((share, other))
                near[other].append((share, one))
    found: list[list[Claim]] = []
    taken: set[int] = set()
    for at in sorted(near, key=lambda at: (-len(near[at]), distinct[at].claim_id)):
        others = [other for _, other in sorted(near[at], key=lambda pair: (-pair[0], pair[1])) if other not in taken]
        if at not in taken and others:
            members = [at, *others[: _LARGEST - 1]]
            taken.update(members)
            found.append([distinct[member] for member in members])
    return found


def _packed(found: Sequence[Sequence[Claim]]) -> list[list[Sequence[Claim]]]:
    groups: list[list[Sequence[Claim]]] = []
    size = 0
    for cluster in found:
        if not groups or size + len(cluster) > _AT_ONCE:
            groups.append([])
            size = 0
        groups[-1].append(cluster)
        size += len(cluster)
    return groups
