from typing import Any

import pytest

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Draft, SectionPlan, Sketch
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldSentences, RepairSentences
from deepresearch_mcp.thinkers.base import HeldStatement, ThinkerTask
from deepresearch_mcp.thinkers.sparing import FewerCalls
from deepresearch_mcp.thinkers.tasks import (
    AnswerDirectly,
    AssessCoverage,
    CheckGaps,
    ConsolidateClaims,
    EditReport,
    FillSpots,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
    ReviewReport,
    SketchReport,
    WriteOpening,
    WriteSection,
)
from pipeline_fakes import ScriptedThinker, brief
from task_kinds import KINDS

AT = Step("step")
ASKED: dict[str, ThinkerTask[object]] = {
    "plan": PlanResearch(brief(), 4, 8),
    "read": ReadPassages(brief(), SubQuestion(id="q1", text="Why?"), [], 6),
    "assess": AssessCoverage(brief(), [], 4),
    "consolidate": ConsolidateClaims(brief(), []),
    "gap_check": CheckGaps(brief(), []),
    "fill": FillSpots(brief(), [], {}),
    "direct": AnswerDirectly(brief()),
    "sketch": SketchReport(brief(), [], {}, 900),
    "section": WriteSection(brief(), SectionPlan(heading="Ice"), Sketch(title="Ice"), [], [], {}, 90),
    "opening": WriteOpening(brief(), Draft(title="Ice"), [], []),
    "edit": EditReport(brief(), Draft(title="Ice"), [], [], {}, 900),
    "review": ReviewReport(brief(), Draft(title="Ice"), [], [], 3),
    "repair": RepairSentences(brief(), [], []),
}


class Named:
    """A thinker whose every answer is its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def ask(self, task: object, step: Step) -> Any:
        return self.name


@pytest.mark.parametrize("doing", ASKED)
async def test_what_would_take_rounds_of_its_own_is_not_asked_of_the_first(doing: str) -> None:
    said = await FewerCalls(Named("first"), Named("second")).ask(ASKED[doing], AT)

    assert said == ("second" if doing in {"consolidate", "gap_check", "review"} else "first")


async def test_what_follows_of_one_s_own_judgements_is_marked_as_judged_by_oneself() -> None:
    said = Judgement(claim_id="s1", verdict="supported")
    client = ScriptedThinker("client", hold_judgements=[said])

    found = await FewerCalls(client, client).ask(HoldJudgements(brief(), [HeldStatement("s1", "Take ice.")]), AT)

    assert found == [said.model_copy(update={"by": "self"})]


@pytest.mark.parametrize("kind", [JudgeClaims, HoldSentences])
async def test_judgements_of_one_s_own_work_are_marked_as_such(kind: type[JudgeClaims]) -> None:
    judge = ScriptedThinker(
        "client",
        judge=[
            Judgement(claim_id="c1", verdict="supported"),
            Judgement(claim_id="c2", verdict="supported", by="machine"),
        ],
    )
    sparing = FewerCalls(judge, judge)

    assert [one.by for one in await sparing.ask(kind(brief(), []), AT)] == ["self", "machine"]
    assert sparing.name == "client"


def test_every_kind_of_task_is_among_those_asked() -> None:
    judging = {one for one in KINDS if issubclass(one, (JudgeClaims, HoldJudgements))}
    assert {type(task) for task in ASKED.values()} == KINDS - judging
