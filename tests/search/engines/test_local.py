from collections.abc import Collection, Sequence

import pytest

from deepresearch_mcp.exceptions import UnknownCollection
from deepresearch_mcp.ports.documents import CollectionRow, FileStamp
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.search.engines.local import Local


class Shelf:
    """Two collections, of which only searching matters here."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str, ...], str, int]] = []
        self.conditions: list[Condition] = []

    async def search(
        self, names: Collection[str], query: str, limit: int, where: Sequence[Condition] = ()
    ) -> list[Hit]:
        if unknown := set(names) - {"notes", "papers"}:
            raise UnknownCollection(f"There is no collection {min(unknown)!r}.")
        self.asked.append((tuple(names), query, limit))
        self.conditions = list(where)
        return [Hit(url="library://notes/ice.md", title="Ice", snippet="It floats.")]

    async def put(self, name: str, path: str, now: float) -> None: ...
    async def stamps(self, name: str) -> dict[str, FileStamp]:
        return {}

    async def add(self, name: str, stamp: FileStamp, document: Document) -> None: ...
    async def drop(self, name: str, paths: Collection[str]) -> None: ...
    async def all(self) -> list[CollectionRow]:
        return []

    async def remove(self, name: str) -> bool:
        return False

    async def document(self, url: str) -> Document | None:
        return None


async def test_only_the_collections_that_the_query_names_are_searched() -> None:
    shelf = Shelf()

    [hit] = await Local(shelf).search(Query("ice", collections=("notes",), limit=3))

    assert shelf.asked == [(("notes",), "ice", 3)]
    assert (hit.url, hit.engines) == ("library://notes/ice.md", ("local",))


async def test_the_documents_must_meet_the_conditions_of_the_query() -> None:
    shelf = Shelf()

    await Local(shelf).search(Query("ice", collections=("notes",), where=("type=pdf", "date >= 2024")))

    assert shelf.conditions == [Condition("type", "=", "pdf"), Condition("date", ">=", "2024")]


async def test_a_query_that_names_none_finds_nothing_here() -> None:
    shelf = Shelf()

    assert await Local(shelf).search(Query("ice")) == []
    assert shelf.asked == []


async def test_an_unknown_collection_is_said_to_be_unknown() -> None:
    with pytest.raises(UnknownCollection, match="secret"):
        await Local(Shelf()).search(Query("ice", collections=("notes", "secret")))
