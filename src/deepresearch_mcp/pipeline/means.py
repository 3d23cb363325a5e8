"""Means: what a research is priced by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deepresearch_mcp.ports.model import Role


class ModelPrices(Protocol):
    """What the models of a run cost."""

    def model(self, role: Role) -> str:
        """`PROVIDER:NAME` of the model for a role; empty if none is asked."""
        ...

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """The price of so many tokens in and out; None if it is unknown."""
        ...


class NoModels:
    """Rules in the place of models: they cost nothing."""

    def model(self, role: Role) -> str:
        """See `ModelPrices.model`."""
        del role
        return ""

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """See `ModelPrices.usd`."""
        del role, sent, written
        return 0.0


SHELVES = frozenset({"local", "earlier", "given"})
"""Engines that ask no service: collections, what an earlier run has read, and the pages of the request."""


@dataclass(frozen=True, slots=True)
class Past:
    """What each earlier run of the same shape used, as a multiple of its estimate."""

    tokens: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()
    searches: tuple[float, ...] = ()
    pages: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Means:
    """What a research is priced by."""

    engines: Sequence[str] = ()
    """All engines that could be asked, in their order."""
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
        """The number of groups of engines that are asked side by side; each group brings pages of its own."""
        return len({name in SHELVES for name in names}) or 1
