from typing import Any

from deepresearch_mcp.jobs.shelves import look_up
from deepresearch_mcp.ports.documents import FoundPassage


class Shelf:
    """Documents that find what they are given, as full text does: any passage with any word."""

    def __init__(self, *texts: str) -> None:
        self._texts = texts
        self.asked: list[tuple[Any, int]] = []

    async def search(self, query: str, *, collections: Any = None, run_id: str = "", limit: int = 20) -> Any:
        self.asked.append((collections, limit))
        found = [FoundPassage("s1", "https://a.example", "", "", text, 0, len(text), 1.0) for text in self._texts]
        return found[:limit]


async def test_a_passage_with_few_words_of_the_query_is_passed_over() -> None:
    shelf = Shelf("A note on tables.", "Row locks in PostgreSQL are held in tables.", "PostgreSQL", "locking rows")

    found = await look_up(shelf, "How are row locks held in PostgreSQL tables?", limit=10)  # type: ignore[arg-type]

    assert [one.text for one in found] == ["Row locks in PostgreSQL are held in tables."]


async def test_no_more_is_given_than_was_asked_for_however_much_is_looked_at() -> None:
    shelf = Shelf(*("row locks" for _ in range(9)))

    found = await look_up(shelf, "row locks", collections=["notes"], limit=2)  # type: ignore[arg-type]

    assert len(found) == 2
    assert shelf.asked == [(["notes"], 8)]
