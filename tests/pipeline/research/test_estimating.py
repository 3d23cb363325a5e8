"""What a run of some shape is expected to use."""

from dataclasses import dataclass
from typing import Any

import pytest

from deepresearch_mcp.pipeline.means import NoModels
from deepresearch_mcp.pipeline.research.estimating import (
    NEW_PAGES,
    engines_asked,
    estimated_use,
    pages_of_query,
    pages_of_site,
)
from deepresearch_mcp.pipeline.research.width import all_rounds
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.request import EFFORTS, Effort, ResearchRequest


@dataclass
class Priced:
    """A price of a million tokens in, and of a million out."""

    sent: float
    written: float

    def model(self, role: Role) -> str:
        return "openai:x"

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        return None if self.sent < 0 else (self.sent * sent + self.written * written) / 1e6


ASKED = ((NoModels(), False), (Priced(-1, 0), True))


def test_an_estimate_grows_with_the_shape_and_is_not_cut_to_its_ceilings() -> None:
    quick, deep = EFFORTS["quick"], EFFORTS["deep"]

    small = estimated_use(quick, 4, 2, Priced(1, 5), models=True)
    large = estimated_use(deep, 4, 2, Priced(1, 5), models=True)
    dear = estimated_use(deep, 200, 90, Priced(900, 900), models=True)

    assert (small.searches, small.pages) == (2 * all_rounds(quick), round(4 * NEW_PAGES * all_rounds(quick)))
    assert 0 < (small.usd or 0) < (large.usd or 0)
    assert small.tokens < large.tokens
    assert small.seconds < large.seconds
    assert dear.searches == 90 * all_rounds(deep)
    assert dear.usd == pytest.approx(900 * dear.tokens / 1e6)
    assert (dear.usd or 0) > deep.max_usd
    assert dear.tokens > deep.max_tokens


def test_what_queries_cost_is_in_the_estimate_with_and_without_a_model() -> None:
    quick = EFFORTS["quick"]

    thought = estimated_use(quick, 4, 2, Priced(1, 5), models=True, query_usd=0.013)
    by_rule = estimated_use(quick, 4, 2, NoModels(), models=False, query_usd=0.013)

    assert thought.search_usd == by_rule.search_usd == by_rule.usd == pytest.approx(all_rounds(quick) * 0.013)
    assert thought.usd == pytest.approx(sum(stage.usd or 0 for stage in thought.stages) + thought.search_usd)


def test_an_estimate_without_models_costs_nothing_and_an_unknown_price_stays_unknown() -> None:
    nothing, unknown = (estimated_use(EFFORTS["quick"], 4, 2, price, models=model) for price, model in ASKED)

    assert (nothing.tokens, nothing.usd, nothing.stages) == (0, 0.0, ())
    assert unknown.usd is None
    assert all(stage.usd is None for stage in unknown.stages)


@pytest.mark.parametrize("effort", list(EFFORTS))
def test_the_stages_of_an_estimate_add_up_to_it(effort: Effort) -> None:
    for price in (Priced(1, 5), Priced(900, 900)):
        found = estimated_use(EFFORTS[effort], 4, 2, price, models=True)

        assert [stage.stage for stage in found.stages] == ["planner", "reader", "verifier", "analyst", "writer"]
        assert sum(stage.tokens for stage in found.stages) == found.tokens
        assert sum(stage.usd or 0 for stage in found.stages) == pytest.approx(found.usd)
        assert {stage.model for stage in found.stages} == {"openai:x"}


def test_a_query_brings_at_least_one_page_and_no_more_than_the_ceiling_has_for_it() -> None:
    deep = EFFORTS["deep"]

    assert pages_of_query(deep.model_copy(update={"max_pages": 999}), 4, 1) == 4
    assert pages_of_query(deep.model_copy(update={"max_pages": 1}), 4, 2) == 1
    assert pages_of_query(EFFORTS["quick"].model_copy(update={"breadth": 1}), 4, 1) == 4
    assert engines_asked(deep.model_copy(update={"max_searches": 1, "depth": 0}), ["brave"]) == 1


@pytest.mark.parametrize(
    ("arguments", "setting", "pages"),
    [
        ({}, 0, 40),
        ({"effort": "quick"}, 0, 12),
        ({"max_pages": 4}, 0, 10),
        ({"include_domains": ["docs.example"]}, 0, 80),
        ({"include_domains": ["docs.example", "wiki.example"]}, 0, 40),
        ({"include_domains": ["docs.example"]}, 7, 7),
    ],
)
def test_one_documentation_site_may_fill_half_a_run_and_the_whole_where_it_is_the_only_one(
    arguments: dict[str, Any], setting: int, pages: int
) -> None:
    assert pages_of_site(ResearchRequest(question="Why?", **arguments), setting) == pages


def test_few_searches_leave_the_web_beside_a_collection() -> None:
    few = EFFORTS["standard"].model_copy(update={"max_searches": 2})

    assert engines_asked(few, ["local", "brave", "tavily"]) == 2
    assert engines_asked(few, ["earlier", "local", "brave", "tavily"]) == 3


@pytest.mark.parametrize("effort", list(EFFORTS))
def test_the_pages_of_all_queries_use_most_of_what_an_effort_may_read_and_no_more(effort: Effort) -> None:
    shape = EFFORTS[effort]

    pages = estimated_use(shape, pages_of_query(shape, 4, 1), 1, NoModels(), models=False).pages

    assert 0.6 * shape.max_pages <= pages <= shape.max_pages
