import pytest

from deepresearch_mcp.thinkers.audit_tasks import HoldRewordedSentences, HoldSentences
from deepresearch_mcp.thinkers.base import Handlers
from deepresearch_mcp.thinkers.tasks import AnswerDirectly, JudgeClaims
from pipeline_fakes import brief


async def judge(task: JudgeClaims) -> list[str]:
    return ["judged"]


async def hold(task: HoldSentences) -> list[str]:
    return ["held"]


async def test_a_task_has_the_handler_of_its_class_or_of_the_nearest_class_above() -> None:
    handlers = Handlers(JudgeClaims.by(judge), HoldSentences.by(hold))

    answers = [
        await handlers.of(kind(brief(), []))(kind(brief(), []))
        for kind in (JudgeClaims, HoldSentences, HoldRewordedSentences)
    ]

    assert answers == [["judged"], ["held"], ["held"]]


async def test_of_two_handlers_for_one_kind_the_later_one_counts() -> None:
    task = JudgeClaims(brief(), [])

    assert await Handlers(JudgeClaims.by(judge), JudgeClaims.by(hold)).of(task)(task) == ["held"]


def test_a_task_without_a_handler_is_named() -> None:
    handlers = Handlers(JudgeClaims.by(judge))

    assert handlers.find(AnswerDirectly(brief())) is None
    with pytest.raises(LookupError, match="No handler for AnswerDirectly"):
        handlers.of(AnswerDirectly(brief()))
