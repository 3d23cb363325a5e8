from deepresearch_mcp.records.eval_specs import EVALS


def test_every_evaluation_holds_a_figure_to_a_bar() -> None:
    assert [spec.name for spec in EVALS if not spec.at_least and not spec.at_most] == []
