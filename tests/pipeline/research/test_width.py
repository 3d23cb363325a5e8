"""How many queries the rounds of a research have."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.width import all_rounds, first_round, planned_queries, queries_of
from deepresearch_mcp.records.plan import MOST_PARTS, PART_QUERIES, Hypothesis, Plan, most_hypotheses
from deepresearch_mcp.records.request import EFFORTS, Effort
from pipeline_fakes import part


@pytest.mark.parametrize("effort", list(EFFORTS))
def test_every_effort_has_searches_for_all_that_it_is_expected_to_ask_and_for_the_widest_plan(effort: Effort) -> None:
    shape = EFFORTS[effort]

    assert all_rounds(shape) <= 0.9 * shape.max_searches
    assert 1 + PART_QUERIES * shape.breadth + most_hypotheses(shape.breadth) <= shape.max_searches


@given(some.integers(1, MOST_PARTS), some.integers(1, 5))
def test_later_rounds_ask_less_than_the_first_which_has_the_hypotheses_too(breadth: int, depth: int) -> None:
    shape = EFFORTS["standard"].model_copy(update={"breadth": breadth, "depth": depth})

    assert breadth <= planned_queries(breadth) < first_round(shape)
    assert all_rounds(shape) == first_round(shape) + (depth - 1) * planned_queries(breadth)


def test_without_rounds_nothing_is_asked() -> None:
    assert all_rounds(EFFORTS["standard"].model_copy(update={"depth": 0})) == 0


def test_a_plan_asks_each_query_once_and_none_that_was_asked_before() -> None:
    plan = Plan(
        sub_questions=(part("q1", queries=("ice density", "hydrogen bonds")), part("q2", queries=("lake ice",))),
        hypotheses=(
            Hypothesis(id="h1", statement="Ice is light.", query="density of ice"),
            Hypothesis(id="h2", statement="Lakes freeze.", query="lakes freeze above"),
        ),
    )

    assert queries_of(plan) == 4
    assert queries_of(plan, {query_key("hydrogen bonds"), "other"}) == 3
