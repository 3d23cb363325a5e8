"""A search engine over a fixed list of pages. Ask it with `--set search.engines=handbook`."""

from typing import Self

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.records.spec_types import EngineSpec, RateSpec
from deepresearch_mcp.search.parts import EngineParts

PAGES = {
    "https://handbook.example/compound-statements": "Compound statements: try, except, finally",
    "https://handbook.example/simple-statements": "Simple statements: global, nonlocal, return",
}


class Handbook(SearchEngine):
    """Finds the pages whose titles share a word with the query."""

    spec = EngineSpec(name="handbook", title="Handbook", adapter="", rate=RateSpec(per_second=5))

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        del parts  # parts.http is an HTTP client, parts.settings the user's search settings, parts.clock the time.
        return cls()

    @property
    def name(self) -> str:
        return "handbook"

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        del needs  # Keys of the run's journal, for wrappers.
        wanted = set(query.text.lower().split())
        return [Hit(url=url, title=title) for url, title in PAGES.items() if wanted & _words(title)]


def _words(title: str) -> set[str]:
    return {word.strip(":,") for word in title.lower().split()}
