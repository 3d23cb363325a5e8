"""Means: what a research is priced by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deepresearch_mcp.ports.model import Role


class ModelPrices(Protocol):
    """What the models of a run cost."""

    def model(self, role: Role) -> str:
        """`PROVIDER:NAME`; empty: none is asked."""
        ...

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """So many tokens in and out; None where the price is unknown."""
        ...


class NoModels:
    """A price of nothing."""

    def model(self, role: Role) -> str:
        """See `Price.model`."""
        del role
        return ""

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """See `Price.usd`."""
        del role, sent, written
        return 0.0


SHELVES = frozenset({"local", "earlier"})
"""Engines over what lies in our own store: collections, and what an earlier run has read."""


@dataclass(frozen=True, slots=True)
class Past:
    """Earlier runs of the same shape: what each used, as a multiple of what was expected of it."""

    tokens: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Means:
    """What a research is priced by."""

    engines: Sequence[str] = ()
    """All that could be asked, in their order."""
    query_usd: Mapping[str, float] = field(default_factory=dict[str, float])
    """Engine → USD a query."""
    pages_per_query: int = 4
    price: ModelPrices = field(default_factory=NoModels)
    models: bool = False
    """Whether a language model thinks."""
    past: Past = Past()
    day: Mapping[str, float] = field(default_factory=dict[str, float])
    """What is left of the day's ceilings of money and tokens, by `limits.` name."""

    def groups(self, names: Sequence[str]) -> int:
        """Groups of engines that are asked side by side, each bringing pages of its own."""
        return len({name in SHELVES for name in names}) or 1
