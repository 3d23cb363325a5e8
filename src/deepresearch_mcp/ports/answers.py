"""Stored answers of search engines, used when no engine can be asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.records.sources import Hit, Query


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The stored answer of a search engine to one query."""

    hits: tuple[Hit, ...]
    kept: float
    """When it was stored, in seconds since the epoch."""
    limit: int = 0
    """The most hits that were asked for; 0: unknown."""


class EngineAnswers(Protocol):
    """The last answer of each engine to each query, for all runs."""

    async def find(self, subjects: Collection[str]) -> dict[str, KeptAnswer]:
        """Return the stored answers by subject (a hash of engine and query); unknown subjects are left out."""
        ...

    async def keep(self, subject: str, hits: Sequence[Hit], until: float, *, limit: int = 0) -> None:
        """Add or replace an answer to a query for `limit` hits; delete those stored before `until`.

        Args:
            subject: A hash of engine and query.
            hits: The answer.
            until: Seconds since the epoch.
            limit: The most hits that were asked for; 0: unknown.
        """
        ...


class EarlierAnswers(Protocol):
    """The answers of earlier runs, looked up by a search that no engine answers."""

    async def find(self, query: Query, engines: Sequence[str]) -> Mapping[str, KeptAnswer]:
        """Return the last answer of each engine to an equal query, by engine name; expired answers are left out."""
        ...

    def age(self, answers: Mapping[str, KeptAnswer]) -> float:
        """The age of the oldest answer, in seconds."""
        ...
