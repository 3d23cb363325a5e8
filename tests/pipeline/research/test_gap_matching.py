"""Which claims and queries belong to a gap."""

import pytest

from deepresearch_mcp.pipeline.research.gap_matching import fills, is_about
from deepresearch_mcp.records.report import Gap
from pipeline_fakes import claim, page

GAP = Gap(missing="Who first explained why ice floats.", query="ice explained first")


@pytest.mark.parametrize(
    ("said", "found"),
    [("Galileo first explained why ice floats.", True), ("Ice floats because it is lighter.", False)],
)
def test_a_claim_fills_a_gap_whose_words_it_has(said: str, found: bool) -> None:
    assert fills(claim(page("https://a.example/", said), said), GAP) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [("first explained ice", True), ("ICE explained first", True), ("salt mines of Torm", False)],
)
def test_a_query_is_about_a_gap_that_has_most_of_its_words(query: str, found: bool) -> None:
    assert is_about(GAP, query) is found
