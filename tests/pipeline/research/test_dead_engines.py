from deepresearch_mcp.pipeline.research.dead_engines import engines_dead
from deepresearch_mcp.records.sources import EngineFailure


def failed(*engines: str, reason: str = "it cannot be reached") -> list[EngineFailure]:
    return [EngineFailure(engine=name, query="ice", reason=reason) for name in engines]


def test_where_no_engine_can_be_reached_the_cause_is_said_once() -> None:
    dead = engines_dead(failed("wikipedia", "duckduckgo", "duckduckgo"))

    assert str(dead) == (
        "You seem to be offline: no search engine can be reached (wikipedia, duckduckgo)."
        " Check the network; behind a proxy, set web.proxy."
    )


def test_where_engines_refuse_each_reason_is_said_once() -> None:
    dead = engines_dead([*failed("searxng", "searxng"), *failed("brave", reason="HTTP 401: the key is wrong.")])

    assert "(searxng: it cannot be reached; brave: HTTP 401: the key is wrong)" in str(dead)


def test_a_searxng_of_ones_own_that_does_not_run_is_no_missing_network() -> None:
    assert "offline" not in str(engines_dead(failed("searxng")))


def test_where_no_engine_was_there_to_be_asked_it_says_so_and_what_to_do() -> None:
    assert str(engines_dead([])) == (
        "No search engine is configured for the web. Name one in search.engines; `doctor` shows which work."
    )
