from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.shelves import conditions_of, look_up
from deepresearch_mcp.ports.documents import FoundPassage
from deepresearch_mcp.records.principal import LOCAL_CALLER


class Shelf:
    """Documents that find what they are given, as full text does: any passage with any word."""

    def __init__(self, *texts: str) -> None:
        self._texts = texts
        self.asked: list[tuple[Any, int]] = []

    async def search(
        self,
        query: str,
        *,
        caller: str,
        collections: Any = None,
        limit: int = 20,
        where: Any = (),
    ) -> Any:
        self.asked.append((collections, limit))
        found = [FoundPassage("s1", "https://a.example", "", "", text, 0, len(text), 1.0) for text in self._texts]
        return found[:limit]


async def test_a_passage_with_many_words_of_the_query_comes_first_and_the_others_in_their_order() -> None:
    shelf = Shelf("A note on tables.", "Row locks in PostgreSQL are held in tables.", "PostgreSQL", "locking rows")

    found = await look_up(shelf, "How are row locks held in PostgreSQL tables?", caller=LOCAL_CALLER, limit=10)  # type: ignore[arg-type]

    assert [one.text for one in found] == [
        "Row locks in PostgreSQL are held in tables.",
        "A note on tables.",
        "PostgreSQL",
        "locking rows",
    ]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("Wie lange hielten die Wärmepumpen in alten Häusern?", "Eine Wärmepumpe hält im alten Haus 20 Jahre."),
        ("Сколько лет служат тепловые насосы?", "Тепловой насос служит двадцать лет."),
        ("热泵能用多少年？", "热泵的寿命约为二十年。"),
    ],
)
async def test_a_stored_passage_that_answers_in_other_forms_of_the_words_is_found(query: str, said: str) -> None:
    found = await look_up(Shelf(said), query, caller=LOCAL_CALLER, limit=5)  # type: ignore[arg-type]

    assert [one.text for one in found] == [said]


async def test_no_more_is_given_than_was_asked_for_however_much_is_looked_at() -> None:
    shelf = Shelf(*("row locks" for _ in range(9)))

    found = await look_up(shelf, "row locks", caller=LOCAL_CALLER, collections=["notes"], limit=2)  # type: ignore[arg-type]

    assert len(found) == 2
    assert shelf.asked == [(["notes"], 8)]


def test_conditions_are_read_or_refused_in_one_sentence() -> None:
    assert [one.key for one in conditions_of(["type=pdf", "date>=2024"])] == ["type", "date"]
    with pytest.raises(InvalidRequest, match="is no condition"):
        conditions_of(["type=pdf", "draft"])
