"""Repair: have doubted sentences worded anew, each with the reason."""

from collections.abc import Mapping, Sequence

import anyio

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.audit_tasks import RepairSentences
from deepresearch_mcp.thinkers.base import Doubt, Thinker

_AT_ONCE = 8
"""Sentences of one call: a model takes some seconds for each."""


async def repaired(
    doubts: Sequence[Doubt], claims: Mapping[str, Claim], brief: Brief, thinker: Thinker, step: Step
) -> list[Sentence]:
    """A new wording for each, empty for none, asked for in several calls at once; from a call that failed on, nothing.

    Raises:
        KeyRefused: Every later call would fail too.
    """
    groups = [doubts[at : at + _AT_ONCE] for at in range(0, len(doubts), _AT_ONCE)]

    async def one(number: int) -> Sequence[Sentence]:
        needed = dict.fromkeys(name for doubt in groups[number] for name in (*doubt.sentence.rests_on, *doubt.beside))
        own = [claims[name] for name in needed if name in claims]
        try:
            task = RepairSentences(brief, groups[number], own)
            return await thinker.ask(task, step.part(f"{number + 1}") if number else step)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return ()

    found: list[Sentence] = []
    for group, said in zip(groups, await anyio.amap(one, range(len(groups))), strict=True):
        found += said
        if len(said) < len(group):
            break
    return found
