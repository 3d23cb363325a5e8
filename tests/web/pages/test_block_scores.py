import pytest

from deepresearch_mcp.web.pages.block_features import FEATURES, PageSigns
from deepresearch_mcp.web.pages.block_scores import Trees, block_scores, cut, learned, summed


def test_rows_go_down_each_tree_by_their_values() -> None:
    trees = Trees(("a", "b"), 0.5, ([0, 1.0, [1, 0.0, -0.25, 0.25], 2.0], 1.0))

    assert summed(trees, {"a": [0.0, 1.0, 3.0], "b": [0.0, 1.0, 9.0]}) == [1.25, 1.75, 3.5]


def test_every_feature_of_the_learned_trees_is_measured() -> None:
    unknown = {name for name in learned().features if name not in FEATURES and not name.startswith("quick")}

    assert not unknown


@pytest.mark.parametrize(
    ("scores", "sizes", "least"),
    [([1.0, 0.9, 0.1], [10, 10, 10], 0.9), ([0.6, 0.1], [10, 10], 0.6), ([], [], 1.0), ([-0.1], [10], 1.0)],
)
def test_blocks_are_kept_while_they_raise_what_is_to_be_expected(
    scores: list[float], sizes: list[int], least: float
) -> None:
    assert cut(scores, sizes, 1.0) == least


def test_a_page_without_blocks_has_no_scores() -> None:
    assert block_scores([], PageSigns("", "", "", frozenset(), ""), []) == []
