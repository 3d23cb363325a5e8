"""Shares of a ceiling: what each stage of a research leaves to those that follow it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from deepresearch_mcp.events import Level

SET_ASIDE = 1 / 3
"""Share of money, tokens and time that research may not use: it is for checking, writing and review."""

Stage = Literal["", "research", "writing", "review", "audit"]
"""What a research is at, in this order; "" for a run without stages."""

PLANNED: Mapping[str, float] = MappingProxyType(
    {"rounds": 0.395, "closing": 0.05, "writing": 0.235, "gaps": 0.08, "review": 0.10, "audit": 0.14}
)
"""Share of all tokens that each part of a research with several rounds is planned with; they add up to 1.

`closing`: the last assessment and the consolidation; `gaps`: what is read and searched for what a report in the making
lacks, which nothing else uses.
"""
GAPS_OF_WRITING = 0.45
"""Share of `gaps` that is for what a sketch lacks; the rest is for what the finished draft lacks."""
KEPT: Mapping[Stage, float] = MappingProxyType(
    {
        "": 0.0,
        "research": 0.33,
        "writing": PLANNED["gaps"] + PLANNED["review"] + PLANNED["audit"],
        "review": PLANNED["audit"],
        "audit": 0.0,
    }
)
"""Share of money and tokens that a stage leaves to later ones, by what its calls are likely to use. In the research
stage it bounds the judging of claims, which may go beyond the share of research."""
KEPT_TIME: Mapping[Stage, float] = MappingProxyType(
    {"": 0.0, "research": 0.0, "writing": 0.12, "review": 0.06, "audit": 0.0}
)
"""The same of the time, beside what research leaves."""
LIKELY = 0.6
"""What a call uses of the bound that is held for it, as whole runs show."""


GAP_SEARCHES = 3
"""Searches for what a report in the making lacks, which research leaves to it."""
_PAGES = 10
"""Pages that these may fetch."""
_MOST_KEPT = 1 / 8
"""Share of a ceiling that is left to them at most: a small research has other needs."""
_KEPT_FOR_GAPS: Mapping[Stage, float] = MappingProxyType({"research": 1.0, "writing": 2 / 3})
"""Share of these that a stage leaves to later ones: most of them serve the finished draft."""


def kept_for_gaps(ceiling: str, whole: float, stage: Stage) -> int:
    """How many searches or pages of the whole ceiling a stage leaves to what a report in the making lacks."""
    most = {"max_searches": GAP_SEARCHES, "max_pages": _PAGES}.get(ceiling, 0)
    return round(min(most, int(whole * _MOST_KEPT)) * _KEPT_FOR_GAPS.get(stage, 0.0))


REPLAYED = 90.0
"""Seconds in which a resumed run takes up what earlier attempts did, whatever time is left: a standard run of 440,000
tokens needs about 15 on a quiet machine of two cores, and a deep one three times as many."""
_LEVELS: tuple[tuple[float, Level], ...] = ((1.0, "spent"), (0.9, "narrow"), (0.8, "warned"))


def level_of(fraction: float) -> Level:
    """How far a ceiling is used, of which this share is."""
    for least, level in _LEVELS:
        if fraction >= least:
            return level
    return "ok"
