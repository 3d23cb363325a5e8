"""What search engines answered, for when they cannot be asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.records.sources import Hit, Query


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What a search engine once answered."""

    hits: tuple[Hit, ...]
    kept: float
    """Seconds since the epoch."""


class Answers(Protocol):
    """The last answer of each engine to each query, for all runs."""

    async def find(self, subjects: Collection[str]) -> dict[str, KeptAnswer]:
        """Those that are known, by subject (a hash of engine and query)."""
        ...

    async def keep(self, subject: str, hits: Sequence[Hit], until: float) -> None:
        """Add or replace; what was kept before the moment `until` (seconds since the epoch) is forgotten."""
        ...


class EarlierAnswers(Protocol):
    """What engines answered in earlier runs, as a search asks for it where no engine answers."""

    async def find(self, query: Query, engines: Sequence[str]) -> Mapping[str, KeptAnswer]:
        """What these engines last answered to an equal query, by name; what is too old is not found."""
        ...

    def age(self, answers: Mapping[str, KeptAnswer]) -> float:
        """Seconds since the oldest of them was given."""
        ...
