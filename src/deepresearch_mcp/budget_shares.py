"""Shares of a ceiling: what each stage of a research leaves to those that follow it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

SET_ASIDE = 1 / 3
"""Share of money, tokens and time that research may not use: it is for checking, writing and review."""

Stage = Literal["", "research", "writing", "review", "audit"]
"""What a research is at, in this order; "" for a run without stages."""

KEPT: Mapping[Stage, float] = MappingProxyType(
    {"": 0.0, "research": 0.33, "writing": 0.17, "review": 0.11, "audit": 0.0}
)
"""Share of money and tokens that a stage leaves to later ones, by what its calls are likely to use. In the research
stage it bounds the judging of claims, which may go beyond the share of research."""
KEPT_TIME: Mapping[Stage, float] = MappingProxyType(
    {"": 0.0, "research": 0.0, "writing": 0.12, "review": 0.06, "audit": 0.0}
)
"""The same of the time, beside what research leaves."""
LIKELY = 0.6
"""What a call uses of the bound that is held for it, as whole runs show."""
