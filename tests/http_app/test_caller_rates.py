from clocks import HandClock
from deepresearch_mcp.http_app.caller_rates import CallerRates


def test_a_caller_may_ask_so_often_at_once_and_then_evenly() -> None:
    clock = HandClock()
    rates = CallerRates(60, clock)

    assert [rates.wait("a") for _ in range(60)] == [0.0] * 60
    assert rates.wait("a") == 1.0
    assert rates.wait("b") == 0.0
    clock.advance(1.0)
    assert rates.wait("a") == 0.0
    assert rates.wait("a") > 0.0


def test_no_limit_is_none() -> None:
    assert {CallerRates(0, HandClock()).wait("a") for _ in range(1000)} == {0.0}


def test_callers_that_do_not_ask_are_forgotten() -> None:
    rates = CallerRates(1, HandClock())
    rates.wait("first")
    assert rates.wait("first") > 0.0
    for number in range(10_000):
        rates.wait(str(number))

    assert rates.wait("first") == 0.0


def test_a_caller_may_have_a_limit_of_its_own() -> None:
    rates = CallerRates(1, HandClock())

    assert [rates.wait("a", 2) for _ in range(3)] == [0.0, 0.0, 30.0]
    assert rates.wait("b") == 0.0
    assert rates.wait("b") > 0.0
