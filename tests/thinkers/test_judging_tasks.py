import pytest

from deepresearch_mcp.thinkers.base import ThinkerTask
from deepresearch_mcp.thinkers.judging_tasks import FindKeys, MarkRun, WeighReports
from pipeline_fakes import brief


@pytest.mark.parametrize(
    "task", [FindKeys(brief(), (), ("r",)), WeighReports(brief(), (), ("r",)), MarkRun(brief(), "r", "p")]
)
def test_no_rule_answers_in_a_judges_place(task: ThinkerTask[object]) -> None:
    assert task.nothing() is None
    assert not task.is_moot
