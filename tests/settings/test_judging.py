from deepresearch_mcp.settings.judging import JudgingSettings
from deepresearch_mcp.settings.schema import Settings


def test_no_run_is_judged_by_default_and_a_judge_has_a_small_ceiling() -> None:
    assert Settings().judging == JudgingSettings(model="", max_usd=0.10)
