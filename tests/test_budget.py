import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocks import HandClock
from deepresearch_mcp.budget import REPLAYED, SET_ASIDE, Amount, Ledger, Purpose, Reservation
from deepresearch_mcp.events import Level
from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.records.request import EFFORTS, Shape

STANDARD = EFFORTS["standard"]
RESEARCH = 1 - SET_ASIDE


def shaped(**given: float) -> Shape:
    return STANDARD.model_copy(update=given)


def ledger(shape: Shape = STANDARD) -> Ledger:
    return Ledger(shape, HandClock())


SHAPES = st.builds(
    shaped,
    max_usd=st.floats(0, 2),
    max_tokens=st.integers(1, 5_000),
    max_searches=st.integers(0, 8),
    max_pages=st.integers(0, 8),
)
AMOUNTS = st.builds(
    Amount, usd=st.floats(0, 0.5), tokens=st.integers(0, 1_000), searches=st.integers(0, 2), pages=st.integers(0, 2)
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("reserve"), AMOUNTS, st.sampled_from(["research", "finish"])),
        st.tuples(st.just("settle"), st.integers(0, 30), st.floats(0, 1)),
        st.tuples(st.just("release"), st.integers(0, 30), st.none()),
    ),
    max_size=60,
)


def part(amount: Amount, share: float) -> Amount:
    """What a call really used of what it held."""
    return Amount(
        amount.usd * share, int(amount.tokens * share), int(amount.searches * share), int(amount.pages * share)
    )


@given(SHAPES, STEPS)
def test_whatever_is_reserved_settled_and_released_no_ceiling_is_ever_passed(
    shape: Shape, steps: list[tuple[str, Amount | int, Purpose | float | None]]
) -> None:
    books = ledger(shape)
    held: list[Reservation] = []
    for what, first, second in steps:
        if isinstance(first, Amount):
            try:
                held.append(books.reserve(first, second))  # pyright: ignore[reportArgumentType] - drawn as a Purpose
            except BudgetExceeded:
                continue
        elif held:
            chosen = held[first % len(held)]
            if what == "release":
                chosen.release()
            else:
                chosen.settle(part(chosen.held, second))  # pyright: ignore[reportArgumentType] - drawn as a float
        total = books.used + books.held
        assert total.usd <= shape.max_usd + 1e-6
        assert total.tokens <= shape.max_tokens
        assert total.searches <= shape.max_searches
        assert total.pages <= shape.max_pages
    for reservation in held:
        reservation.release()
    assert books.held.tokens == books.held.searches == books.held.pages == 0
    assert books.held.usd == pytest.approx(0, abs=1e-9)


@given(SHAPES, st.lists(AMOUNTS, max_size=40))
def test_research_never_touches_what_is_set_aside_for_finishing(shape: Shape, amounts: list[Amount]) -> None:
    books = ledger(shape)
    for amount in amounts:
        try:
            books.reserve(amount).settle(amount)
        except BudgetExceeded:
            continue

    assert books.used.usd <= shape.max_usd * RESEARCH + 1e-6
    assert books.used.tokens <= shape.max_tokens * RESEARCH + 1e-6
    aside = Amount(usd=shape.max_usd * SET_ASIDE, tokens=int(shape.max_tokens * SET_ASIDE))
    assert books.reserve(aside, "finish").held == aside


async def test_calls_at_once_cannot_share_the_same_money() -> None:
    books = ledger(shaped(max_usd=1.0))
    made: list[int] = []
    refused: list[int] = []

    async def call(number: int) -> None:
        try:
            reservation = books.reserve(Amount(usd=0.1), "finish")
        except BudgetExceeded:
            refused.append(number)
            return
        await anyio.lowlevel.checkpoint()
        reservation.settle(Amount(usd=0.1))
        made.append(number)

    async with anyio.create_task_group() as group:
        for number in range(50):
            group.start_soon(call, number)

    assert (len(made), len(refused)) == (10, 40)


def test_what_a_call_did_not_use_can_be_used_by_the_next() -> None:
    books = ledger(shaped(max_tokens=1000))
    first = books.reserve(Amount(tokens=600))
    with pytest.raises(BudgetExceeded):
        books.reserve(Amount(tokens=100))

    first.settle(Amount(tokens=10))

    books.reserve(Amount(tokens=600))


def test_a_reservation_is_closed_once() -> None:
    books = ledger()
    reservation = books.reserve(Amount(pages=1))

    reservation.settle(Amount(pages=1))
    reservation.settle(Amount(pages=1))
    reservation.release()

    assert not reservation.open
    assert (books.used.pages, books.held.pages) == (1, 0)


@pytest.mark.parametrize(
    ("kind", "amount"),
    [
        ("max_usd", Amount(usd=STANDARD.max_usd + 0.01)),
        ("max_tokens", Amount(tokens=STANDARD.max_tokens + 1)),
        ("max_searches", Amount(searches=STANDARD.max_searches + 1)),
        ("max_pages", Amount(pages=STANDARD.max_pages + 1)),
    ],
)
def test_a_call_that_could_pass_a_ceiling_is_refused_by_name_and_nothing_is_held(kind: str, amount: Amount) -> None:
    books = ledger()

    with pytest.raises(BudgetExceeded) as caught:
        books.reserve(amount, "finish")

    assert caught.value.kind == kind
    assert books.held == Amount()


def test_a_ceiling_of_zero_forbids_the_thing_and_nothing_else() -> None:
    books = ledger(shaped(max_searches=0))

    with pytest.raises(BudgetExceeded):
        books.reserve(Amount(searches=1))
    books.reserve(Amount(pages=1)).settle(Amount(pages=1))

    assert books.level() == "ok"


def test_when_the_minutes_for_research_are_over_there_is_still_time_to_finish() -> None:
    clock = HandClock()
    books = Ledger(shaped(max_minutes=3), clock)
    assert books.research_seconds_left == pytest.approx(120)

    clock.advance(121)

    with pytest.raises(BudgetExceeded) as caught:
        books.reserve(Amount())
    assert caught.value.kind == "max_minutes"
    assert books.research_seconds_left == 0
    assert books.seconds_left == 59
    books.reserve(Amount(tokens=1), "finish")

    clock.advance(59)

    with pytest.raises(BudgetExceeded):
        books.reserve(Amount(), "finish")
    assert (books.seconds, books.seconds_left) == (180, 0)


def test_a_resumed_run_has_time_to_take_up_what_it_had_and_begins_nothing_new_in_it() -> None:
    clock = HandClock()
    books = Ledger(shaped(max_minutes=3), clock, seconds=179)

    assert books.research_seconds_left == books.seconds_left == REPLAYED
    with pytest.raises(BudgetExceeded):
        books.reserve(Amount())

    clock.advance(REPLAYED)

    assert books.research_seconds_left == books.seconds_left == 0


def test_each_level_of_a_ceiling_is_told_once_as_it_is_reached() -> None:
    heard: list[tuple[str, Level]] = []
    clock = HandClock()
    books = Ledger(shaped(max_pages=10), clock, emit=lambda kind, level: heard.append((kind, level)))

    for _ in range(10):
        books.reserve(Amount(pages=1)).settle(Amount(pages=1))

    assert heard == [("max_pages", "warned"), ("max_pages", "narrow"), ("max_pages", "spent")]
    assert books.level() == "spent"


def test_the_level_of_the_minutes_is_told_with_the_next_call() -> None:
    heard: list[tuple[str, Level]] = []
    clock = HandClock()
    books = Ledger(shaped(max_minutes=10), clock, emit=lambda kind, level: heard.append((kind, level)))
    reservation = books.reserve(Amount())

    clock.advance(600 * RESEARCH * 0.91)
    reservation.release()

    assert heard == [("max_minutes", "narrow")]
    assert books.level() == "narrow"


def test_anyone_who_asks_hears_the_totals_after_each_call() -> None:
    heard: list[Amount] = []
    books = Ledger(STANDARD, HandClock(), moved=heard.append)

    books.reserve(Amount(pages=2)).settle(Amount(pages=1))
    books.reserve(Amount(tokens=50)).settle(Amount(tokens=40))

    assert heard == [Amount(pages=1), Amount(tokens=40, pages=1)]


def test_a_level_no_one_listens_to_is_still_known() -> None:
    books = ledger(shaped(max_pages=1))

    books.reserve(Amount(pages=1)).settle(Amount(pages=1))

    assert books.level() == "spent"


def test_amounts_add_and_subtract_by_kind() -> None:
    one, two = Amount(0.5, 1, 2, 3), Amount(1.0, 10, 20, 30)

    assert one + two == Amount(1.5, 11, 22, 33)
    assert two - one == Amount(0.5, 9, 18, 27)
