"""What a research still asks near its ceilings, and that it keeps to what it decided."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger
from deepresearch_mcp.events import Degraded
from deepresearch_mcp.pipeline.research.context import SubQuestionTask
from deepresearch_mcp.pipeline.research.estimating import NEW_PAGES
from deepresearch_mcp.pipeline.research.pace import Load, Pacer, RoundRoom, still_asked
from deepresearch_mcp.pipeline.research.width import planned_queries
from deepresearch_mcp.ports.journal import FORKED, Step, kind_named
from deepresearch_mcp.records.plan import Priority
from deepresearch_mcp.records.request import EFFORTS, Shape
from pipeline_fakes import Heard, MemoryJournal, part

SHAPE = EFFORTS["standard"]
LOAD = Load(page_tokens=1_500.0, page_usd=0.002)
PAGES = 4
TWO_FREE = Load({"wikipedia": 0.0, "duckduckgo": 0.0})
WIDTH = 4
A_PAGE = NEW_PAGES * LOAD.page_tokens
"""Tokens for one of the pages that a query brings: some of them were read before."""
A_ROUND = WIDTH * PAGES * A_PAGE
"""Tokens that a whole round is expected to use."""


def shaped(**changes: float) -> Shape:
    return SHAPE.model_copy(update=changes)


def research_tokens(shape: Shape) -> float:
    return shape.max_tokens * (1 - SET_ASIDE)


def pacer(
    journal: MemoryJournal,
    left: float,
    heard: Heard | None = None,
    *,
    load: Load = LOAD,
    used: Amount | None = None,
    **changes: float,
) -> Pacer:
    """One whose research may use so many tokens more."""
    shape = shaped(**changes)
    carried = Amount(tokens=int(research_tokens(shape) - left)) + (used or Amount())
    books = Ledger(shape, HandClock(), carried=carried)
    return Pacer(shape, journal, books, (Heard() if heard is None else heard).append, load)


@pytest.mark.parametrize(
    ("left", "room"),
    [
        (A_ROUND, RoundRoom(4)),
        (A_ROUND - 1, RoundRoom(4, 2, "max_tokens")),
        (3 * 2 * A_PAGE, RoundRoom(3, 2, "max_tokens")),
        (1 * 2 * A_PAGE, RoundRoom(1, 2, "max_tokens")),
        (1 * 1 * LOAD.page_tokens, RoundRoom(1, 1, "max_tokens")),
    ],
)
async def test_a_round_is_narrowed_to_what_is_left(left: float, room: RoundRoom) -> None:
    heard = Heard()
    pace = pacer(MemoryJournal(), left, heard)

    assert pace.spent(2) == ""
    assert await pace.of_round(2, PAGES, WIDTH) == room
    assert heard.of(Degraded) == []


async def test_a_first_round_that_is_narrowed_says_so_as_planned_queries_are_cut() -> None:
    heard, shape = Heard(), shaped(max_searches=3)
    pace = Pacer(shape, MemoryJournal(), Ledger(shape, HandClock()), heard.append, LOAD)

    assert await pace.of_round(1, PAGES, WIDTH) == RoundRoom(3, 2, "max_searches")
    assert [event.what for event in heard.of(Degraded)] == [
        "max_searches leaves room for 3 of 4 queries in round 1, with 2 pages each; the least important are left out."
    ]


async def test_a_first_round_of_all_queries_with_fewer_pages_each_cuts_nothing_that_was_planned() -> None:
    heard, shape = Heard(), shaped(max_pages=6)
    pace = Pacer(shape, MemoryJournal(), Ledger(shape, HandClock()), heard.append, LOAD)

    assert await pace.of_round(1, PAGES, WIDTH) == RoundRoom(4, 1, "max_pages")
    assert heard.of(Degraded) == []


async def test_a_round_is_left_out_only_where_not_one_query_with_one_page_fits() -> None:
    assert pacer(MemoryJournal(), LOAD.page_tokens).spent(2) == ""
    assert pacer(MemoryJournal(), LOAD.page_tokens - 1).spent(2) == "max_tokens"


@pytest.mark.parametrize(
    ("changes", "load", "used", "ceiling"),
    [
        ({"max_searches": 5}, TWO_FREE, Amount(searches=3), "max_searches"),
        ({"max_pages": 10}, LOAD, Amount(pages=7), "max_pages"),
        ({"max_usd": 0.10}, Load({"brave": 0.02}), Amount(usd=0.03), "max_usd"),
    ],
)
async def test_searches_pages_and_what_queries_cost_narrow_a_round_too(
    changes: dict[str, float], load: Load, used: Amount, ceiling: str
) -> None:
    pace = pacer(MemoryJournal(), 200_000, load=load, used=used, **changes)

    room = await pace.of_round(2, PAGES, WIDTH)

    assert room.ceiling == ceiling
    assert 1 <= room.queries < WIDTH


async def test_one_search_left_is_enough_for_a_round_though_two_engines_would_be_asked() -> None:
    pace = pacer(MemoryJournal(), 200_000, load=TWO_FREE, used=Amount(searches=4), max_searches=5)

    assert pace.spent(2) == ""
    assert await pace.of_round(2, PAGES, WIDTH) == RoundRoom(1, 1, "max_searches")


async def test_the_first_round_counts_what_its_own_first_query_has_used() -> None:
    quick = EFFORTS["quick"]
    books = Ledger(quick, HandClock(), carried=Amount(tokens=6_000, pages=4, searches=1))
    pace = Pacer(quick, MemoryJournal(), books, Heard().append, LOAD)

    assert await pace.of_round(1, PAGES) == RoundRoom(planned_queries(quick.breadth))


async def test_a_query_of_a_later_round_costs_what_there_is_room_to_read_and_not_all_of_its_pages() -> None:
    dear = pacer(MemoryJournal(), 2 * A_ROUND, used=Amount(pages=10))

    room = await dear.of_round(2, PAGES, WIDTH)

    # Some 270,000 tokens for ten pages in the first round: its queries were read whole.
    assert room.queries > 1


@given(
    some.floats(0, 250_000), some.floats(0, 1), some.integers(0, 40), some.integers(0, 50), some.integers(1, 10),
    some.builds(
        Load,
        prices=some.dictionaries(
            some.sampled_from(["local", "brave", "tavily", "wikipedia"]), some.floats(0, 0.03), min_size=1
        ),
        groups=some.integers(1, 2),
        page_tokens=some.floats(0, 20_000),
        page_usd=some.floats(0, 0.05),
    ),
)  # fmt: skip
def test_what_a_round_is_expected_to_use_always_fits_into_what_is_left(
    tokens: float, usd: float, searches: int, pages: int, breadth: int, load: Load
) -> None:
    shape = shaped(max_tokens=400_000, max_usd=2.0, max_searches=40, max_pages=50, breadth=breadth)
    research = 1 - SET_ASIDE
    used = Amount(
        usd=2.0 * research - usd,
        tokens=int(400_000 * research) - int(tokens),
        searches=40 - searches,
        pages=50 - pages,
    )
    books = Ledger(shape, HandClock(), carried=used)
    pace = Pacer(shape, MemoryJournal(), books, Heard().append, load)

    room = pace._room(breadth, PAGES, shape.depth)

    assert 0 <= room.queries <= breadth
    if room.queries > 1 or room.pages != 1:
        prices = {name: price for name, price in load.prices.items() if name not in room.without}
        wanted = replace(pace._measured, prices=prices).of(room.pages or PAGES)
        for left in books.left():
            assert room.queries * wanted[left.what] <= left.amount + 1e-4
    assert bool(room.ceiling) == (room.queries < breadth or room.pages > 0)


async def test_a_resumed_run_decides_as_before_though_more_is_used_by_then() -> None:
    first = MemoryJournal()
    waited = SubQuestionTask(part("q2"), 1, ("ice", "lake"), 0)
    assert await pacer(first, A_ROUND).of_round(2, PAGES, WIDTH) == RoundRoom(4)
    assert await pacer(first, 3_000).of_task(waited, PAGES) == RoundRoom(1, 2, "max_tokens")

    again = first.next_life()
    assert pacer(again, 0).spent(2) == ""
    assert await pacer(again, 0).of_round(2, PAGES, WIDTH) == RoundRoom(4)
    assert await pacer(again, 200_000).of_task(waited, PAGES) == RoundRoom(1, 2, "max_tokens")


async def test_a_run_recorded_before_rounds_were_fitted_goes_by_what_it_recorded() -> None:
    recorded = MemoryJournal()

    async def near() -> str:
        return "max_usd"

    await recorded.step(Step("pace/2"), near, kind="decision", result=str, request=SHAPE)

    assert await pacer(recorded.next_life(), 200_000).of_round(2, PAGES, WIDTH) == RoundRoom(2, 2, "max_usd")


async def test_under_higher_ceilings_it_decides_anew() -> None:
    first = MemoryJournal()
    assert (await pacer(first, 3_000).of_round(2, PAGES, WIDTH)).ceiling == "max_tokens"

    higher = pacer(first.next_life(), 200_000, max_tokens=2 * SHAPE.max_tokens)
    assert await higher.of_round(2, PAGES, WIDTH) == RoundRoom(4)


@pytest.mark.parametrize(("usd", "without"), [(0.0, ("brave",)), (0.01, ("brave",)), (1.0, ())])
async def test_an_engine_whose_price_does_not_fit_is_left_out_and_the_free_ones_are_asked(
    usd: float, without: tuple[str, ...]
) -> None:
    heard, journal = Heard(), MemoryJournal()
    load = Load({"brave": 0.005, "wikipedia": 0.0, "duckduckgo": 0.0})
    pace = pacer(journal, 200_000, heard, load=load, max_usd=usd)

    assert pace.spent(2) == ""
    assert await pace.of_round(2, PAGES, WIDTH) == RoundRoom(4, without=without)
    assert [event.what for event in heard.of(Degraded)] == [
        f"{name} is not asked in round 2, as its price does not fit into what is left of the money; the other engines"
        " are."
        for name in without
    ]
    assert (
        await pacer(journal.next_life(), 200_000, load=load, max_usd=usd).of_round(2, PAGES, WIDTH)
    ).without == without


async def test_several_engines_are_left_out_the_dearest_first_and_named_together() -> None:
    heard, load = Heard(), Load({"brave": 0.005, "tavily": 0.008, "wikipedia": 0.0})

    some_money = await pacer(MemoryJournal(), 200_000, load=load, max_usd=0.03).of_round(2, PAGES, WIDTH)
    no_money = await pacer(MemoryJournal(), 200_000, heard, load=load, max_usd=0.0).of_round(2, PAGES, WIDTH)

    assert (some_money.without, no_money.without) == (("tavily",), ("brave", "tavily"))
    assert [event.what for event in heard.of(Degraded)] == [
        "brave and tavily are not asked in round 2, as their prices do not fit into what is left of the money; the"
        " other engines are."
    ]


async def test_the_only_engine_of_the_web_is_not_left_out_for_a_collection() -> None:
    load = Load({"local": 0.0, "brave": 0.005})

    assert await pacer(MemoryJournal(), 200_000, load=load, max_usd=0.01).of_round(2, PAGES, WIDTH) == RoundRoom(
        1, 2, "max_usd"
    )


@pytest.mark.parametrize("recorded", ["", "max_usd 0 1"], ids=["not recorded", "by an earlier version"])
async def test_a_sub_question_that_nothing_was_left_for_is_looked_at_again_in_the_next_life(recorded: str) -> None:
    journal, waited = MemoryJournal(), SubQuestionTask(part("q3"), 2, ("ice", "lake"), 0)

    async def nothing() -> str:
        return recorded

    if recorded:
        await journal.step(Step("pace/2/q3"), nothing, kind="decision", result=str, request=SHAPE)
    else:
        assert await pacer(journal, 0).of_task(waited, PAGES) == RoundRoom(0, 1, "max_tokens")

    assert await pacer(journal.next_life(), 200_000).of_task(waited, PAGES) == RoundRoom(2)


async def test_that_nothing_fits_is_not_kept_for_the_next_life() -> None:
    first = MemoryJournal()
    assert pacer(first, 0).spent(2) == "max_tokens"

    assert pacer(first.next_life(), 100_000).spent(2) == ""


async def test_a_round_that_the_time_left_is_too_short_for_asks_less() -> None:
    clock = HandClock()
    shape = shaped(max_minutes=6)
    pace = Pacer(shape, MemoryJournal(clock=clock), Ledger(shape, clock), Heard().append)
    assert await pace.of_round(1, PAGES, 8) == RoundRoom(8)

    clock.advance(120)

    # Of four minutes for research two are left, and a round of eight took two; then one is left, and four took one.
    assert await pace.of_round(2, PAGES, WIDTH) == RoundRoom(4)
    clock.advance(60)
    assert await pace.of_round(3, PAGES, 6) == RoundRoom(4, 2, "max_minutes")
    clock.advance(61)
    assert pace.spent(4) == "max_minutes"


@given(some.lists(some.sampled_from(["high", "medium", "low"]), max_size=7))
def test_near_a_ceiling_low_priority_is_left_out_and_something_is_always_asked(priorities: list[Priority]) -> None:
    parts = [part(f"q{number}", priority=one) for number, one in enumerate(priorities)]

    left = still_asked(parts, "max_usd")
    assert still_asked(parts, "") == parts
    assert bool(left) == bool(parts)
    assert left == [one for one in parts if one.priority != "low"] or {one.priority for one in parts} == {"low"}
    assert [one for one in still_asked(parts, "max_usd", alone=False) if one.priority == "low"] == []


def test_the_first_of_several_rounds_leaves_a_quarter_of_the_pages_and_a_few_for_what_a_draft_lacks() -> None:
    books = Ledger(SHAPE, HandClock())
    books.enter("research")
    pace = Pacer(SHAPE, MemoryJournal(), books, Heard().append, LOAD)

    first, last = pace.pages_of(1), pace.pages_of(SHAPE.depth)

    assert SHAPE.max_pages / 4 <= last - first < SHAPE.max_pages / 3
    assert 3 <= SHAPE.max_pages - last <= 10, "for searches while the report is written"
    assert first < pace.pages_of(2) + last - first < last + first
    books.enter("review")
    assert pace.pages_of(SHAPE.depth + 1) == SHAPE.max_pages


async def test_where_pages_are_short_queries_keep_their_best_page_rather_than_a_few_two() -> None:
    shape = shaped(max_pages=12, depth=1)
    pace = Pacer(shape, MemoryJournal(), Ledger(shape, HandClock()), Heard().append, Load())

    assert await pace.of_round(1, PAGES, 10) == RoundRoom(10, 1, "max_pages")


async def test_a_small_ceiling_of_pages_still_has_a_second_round() -> None:
    shape = shaped(max_pages=8)
    books = Ledger(shape, HandClock(), carried=Amount(pages=6))
    pace = Pacer(shape, MemoryJournal(), books, Heard().append, Load())

    assert pace.spent(2) == ""
    assert (await pace.of_round(2, PAGES, 4)).queries == 2


@pytest.mark.parametrize(("redone", "last"), [(("sketch", "section"), 2), (("pace", "sketch"), 3), (None, 3)])
async def test_a_fork_searches_no_further_than_the_rounds_that_it_keeps(
    redone: tuple[str, ...] | None, last: int
) -> None:
    origin = MemoryJournal()
    for number in (1, 2):
        await pacer(origin, A_ROUND).of_round(number, PAGES, WIDTH)

    fork = origin.next_life(without=lambda key: bool(redone) and kind_named(key) in (redone or ()))
    if redone is not None:
        fork = MemoryJournal({FORKED: list(redone)} | {key: "" for key in origin.keys if fork.left(key) == "done"})

    assert pacer(fork, 200_000, depth=3).last() == last
