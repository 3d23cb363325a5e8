"""What a research is priced by."""

from deepresearch_mcp.pipeline.means import Means, NoModels


def test_our_own_store_is_asked_beside_the_web_as_a_group_of_its_own() -> None:
    means = Means()

    assert means.groups(["brave", "wikipedia"]) == 1
    assert means.groups(["local", "earlier", "brave"]) == 2
    assert means.groups([]) == 1


def test_rules_name_no_model_and_cost_nothing() -> None:
    assert (NoModels().model("reader"), NoModels().usd("reader", 1_000, 100)) == ("", 0.0)
