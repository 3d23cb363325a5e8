import pytest

from clocks import HandClock
from deepresearch_mcp.breaker import FAILURES, MOST, PAUSE, CircuitBreaker, CircuitOpen


def down(breaker: CircuitBreaker, name: str = "one", times: int = 1) -> None:
    for _ in range(times):
        with breaker.guard(name):
            breaker.failed(name)


def test_five_failures_in_a_row_are_followed_by_half_a_minute_of_rest():
    clock = HandClock()
    breaker = CircuitBreaker(clock)
    down(breaker, times=4)
    with breaker.guard("one"):
        assert breaker.failed("one")

    for passed, left in ((0, 30), (29.5, 0.5)):
        clock.advance(passed)
        with (
            pytest.raises(CircuitOpen, match="one is left alone after 5 failures in a row") as caught,
            breaker.guard("one"),
        ):
            pytest.fail("it was asked")
        assert caught.value.left == left

    clock.advance(0.5)
    down(breaker)
    assert (FAILURES, PAUSE) == (5, 30)


def test_others_are_asked_meanwhile():
    breaker = CircuitBreaker(HandClock())
    down(breaker, "one", FAILURES)

    down(breaker, "two")


def test_a_sign_of_life_in_between_starts_the_count_anew():
    breaker = CircuitBreaker(HandClock())
    for _ in range(3):
        down(breaker, times=FAILURES - 1)
        breaker.worked("one")

    down(breaker)


def test_while_one_call_tries_the_others_are_turned_away():
    clock = HandClock()
    breaker = CircuitBreaker(clock)
    down(breaker, times=FAILURES)
    clock.advance(PAUSE)

    with breaker.guard("one"):
        with pytest.raises(CircuitOpen) as caught, breaker.guard("one"):
            pytest.fail("it was asked")
        assert caught.value.left == 0
        breaker.worked("one")

    down(breaker, times=FAILURES - 1)


def test_a_failed_try_begins_another_pause():
    clock = HandClock()
    breaker = CircuitBreaker(clock)
    down(breaker, times=FAILURES)
    clock.advance(PAUSE)
    down(breaker)

    with pytest.raises(CircuitOpen), breaker.guard("one"):
        pytest.fail("it was asked")
    clock.advance(PAUSE)
    down(breaker)


def test_a_try_that_says_nothing_lets_another_one_try():
    clock = HandClock()
    breaker = CircuitBreaker(clock)
    down(breaker, times=FAILURES)
    clock.advance(PAUSE)
    with pytest.raises(KeyError), breaker.guard("one"):
        raise KeyError

    with breaker.guard("one"):
        breaker.worked("one")


def test_the_one_that_has_failed_for_longest_is_forgotten():
    breaker = CircuitBreaker(HandClock(), failures=1)
    for number in range(MOST + 1):
        breaker.failed(str(number))

    down(breaker, "0")
    with pytest.raises(CircuitOpen), breaker.guard("5"):
        pytest.fail("it was asked")
