from collections.abc import Collection, Sequence
from typing import Any

import pytest

from deepresearch_mcp.exceptions import ProviderError, StoreError
from deepresearch_mcp.ports.answers import KeptAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.answer_cache import AnswerCache, CachingEngine, ReusingEngine

ICE = Query("Why does ice float")
HIT = Hit(url="https://physics.test/ice", title="Ice")
DAY = 86_400


class MemoryAnswers:
    """Implements `ports.answers.EngineAnswers`."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.kept: dict[str, KeptAnswer] = {}
        self.full = False

    async def find(self, subjects: Collection[str]) -> dict[str, KeptAnswer]:
        return {subject: self.kept[subject] for subject in self.kept.keys() & set(subjects)}

    async def keep(self, subject: str, hits: Sequence[Hit], until: float, *, limit: int = 0) -> None:
        if self.full:
            raise StoreError("The disk is full.")
        self.kept[subject] = KeptAnswer(tuple(hits), self.clock.now().timestamp(), limit)


class Engine:
    name = "one"

    def __init__(self, said: list[Hit] | Exception) -> None:
        self.said = said
        self.asked = 0

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        self.asked += 1
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


async def asked(keeper: AnswerCache, said: list[Hit] | Exception, query: Query = ICE) -> list[Hit]:
    return await CachingEngine(Engine(said), keeper).search(query)


async def test_what_an_engine_answers_is_found_again_with_its_age(clock: Any) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 30)
    assert await asked(keeper, [HIT]) == [HIT]
    await clock.sleep(3 * DAY)

    found = await keeper.find(Query("  WHY does ice\n float", limit=3), ["two", "one"])

    assert {name: answer.hits for name, answer in found.items()} == {"one": (HIT,)}
    assert keeper.age(found) == 3 * DAY


@pytest.mark.parametrize("other", [Query("Why does ice melt"), Query(ICE.text, Filters(region="de"))])
async def test_another_query_or_other_limits_find_nothing(clock: Any, other: Query) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 30)
    await asked(keeper, [HIT])

    assert await keeper.find(other, ["one"]) == {}
    assert await keeper.find(ICE, ["two"]) == {}


async def test_that_nothing_was_found_takes_the_place_of_no_answer(clock: Any) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 30)
    await asked(keeper, [HIT])
    await asked(keeper, [])

    assert set(await keeper.find(ICE, ["one"])) == {"one"}


async def test_a_failure_passes_and_keeps_nothing(clock: Any) -> None:
    answers = MemoryAnswers(clock)

    with pytest.raises(ProviderError):
        await asked(AnswerCache(answers, clock, 30), ProviderError("one", "HTTP 503"))
    assert answers.kept == {}


async def test_what_is_too_old_is_not_found(clock: Any) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 2)
    await asked(keeper, [HIT])
    await clock.sleep(2 * DAY + 1)

    assert await keeper.find(ICE, ["one"]) == {}


async def test_with_no_days_nothing_is_kept_or_found(clock: Any) -> None:
    answers = MemoryAnswers(clock)
    await asked(AnswerCache(answers, clock, 30), [HIT])
    off = AnswerCache(answers, clock, 0)

    await asked(off, [HIT], Query("another"))

    assert (len(answers.kept), await off.find(ICE, ["one"])) == (1, {})


async def test_a_full_disk_costs_no_answer(clock: Any) -> None:
    answers = MemoryAnswers(clock)
    answers.full = True

    assert await asked(AnswerCache(answers, clock, 30), [HIT]) == [HIT]


OTHER = Hit(url="https://physics.test/water", title="Water")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (ICE, [HIT, OTHER]),
        (Query("why does  ICE float", limit=1), [HIT]),
        (Query(ICE.text, limit=11), None),
        (Query(ICE.text, page=2), None),
        (Query(ICE.text, Filters(region="de")), None),
        (Query("Why does ice melt"), None),
    ],
)
async def test_an_answer_of_the_last_minutes_stands_for_equal_queries_for_as_many_hits_or_fewer(
    clock: Any, query: Query, found: list[Hit] | None
) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 30, reuse=15)
    await asked(keeper, [HIT, OTHER])
    await clock.sleep(899)

    assert await keeper.recent(query, "one") == found
    assert await keeper.recent(query, "two") is None


@pytest.mark.parametrize(("days", "reuse", "later"), [(30, 15, 900), (30, 0, 1), (0, 15, 1), (30, 15, -1)])
async def test_an_answer_that_is_too_old_or_not_wanted_stands_for_nothing(
    clock: Any, days: float, reuse: float, later: float
) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, days, reuse=reuse)
    await asked(keeper, [HIT])
    await clock.sleep(later)

    assert await keeper.recent(ICE, "one") is None


async def test_hits_of_a_later_page_are_those_of_their_limit(clock: Any) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 30, reuse=15)
    await asked(keeper, [HIT], Query(ICE.text, limit=20, page=2))

    assert await keeper.recent(Query(ICE.text, limit=10, page=2), "one") is None
    assert await keeper.recent(Query(ICE.text, limit=20, page=2), "one") == [HIT]


async def test_an_engine_is_not_asked_what_it_answered_a_moment_ago(clock: Any) -> None:
    keeper = AnswerCache(MemoryAnswers(clock), clock, 30, reuse=15)
    inner = Engine([HIT])
    engine = ReusingEngine(CachingEngine(inner, keeper), keeper)

    assert await engine.search(ICE) == await engine.search(ICE) == [HIT]
    assert inner.asked == 1
