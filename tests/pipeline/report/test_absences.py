"""Whether a report may say that its pages do not tell something."""

import pytest

from deepresearch_mcp.pipeline.report.absences import StoredPages
from deepresearch_mcp.records.report import Gap
from pipeline_fakes import page

LIMITS = page(
    "https://one.example/limits",
    f"{'Other words. ' * 90}The size of a tsvector must be less than 1 megabyte. {'And more of them. ' * 60}",
    title="Limitations",
)
INDEX = page("https://two.example/gin", "GIN is the preferred index type for text search.", title="Index types")
PAGES = {one.source_id: one for one in (LIMITS, INDEX)}


@pytest.mark.parametrize(
    "text",
    [
        "The documentation consulted gives no size limit for tsvector.",
        "Die gelesenen Seiten nennen keine Limits für die Size eines tsvector.",
        "The pages name no preferred index type.",
    ],
)
def test_what_a_page_may_answer_is_not_told_as_absent(text: str) -> None:
    assert not StoredPages(PAGES).are_silent_on(text)


@pytest.mark.parametrize(
    "text",
    [
        "The documentation consulted gives no price for support contracts.",
        "The pages name no benchmark of concurrent writers.",
    ],
)
def test_what_no_passage_has_the_words_of_may_be_told(text: str) -> None:
    assert StoredPages(PAGES).are_silent_on(text)


def test_a_gap_that_was_searched_for_may_be_told_whatever_words_stand_on_the_pages() -> None:
    text = "The documentation consulted gives no size limit for tsvector."
    searched = Gap(missing="the size limit of a tsvector", pages=2)

    assert StoredPages(PAGES, [searched]).are_silent_on(text)
    assert not StoredPages(PAGES, [searched.model_copy(update={"pages": 0})]).are_silent_on(text)
    assert not StoredPages(PAGES, [searched.model_copy(update={"ceiling": "max_tokens"})]).are_silent_on(text)
    assert not StoredPages(PAGES, [Gap(missing="the price of support", pages=2)]).are_silent_on(text)


def test_what_names_nothing_that_can_be_searched_for_is_not_told() -> None:
    assert not StoredPages(PAGES).are_silent_on("The documentation consulted gives no default.")
    assert not StoredPages({}).are_silent_on("The documentation gives no price for support contracts.")
