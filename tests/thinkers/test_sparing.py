from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, SectionPlan, WrittenSection
from deepresearch_mcp.thinkers.base import DOING, Thinker
from deepresearch_mcp.thinkers.sparing import FewerCalls
from pipeline_fakes import brief

AT = Step("step")
ASKED: dict[str, Callable[[Thinker], Awaitable[object]]] = {
    "plan": lambda one: one.plan(brief(), 4, 8, AT),
    "read": lambda one: one.read(brief(), SubQuestion(id="q1", text="Why?"), [], 6, AT),
    "assess": lambda one: one.assess(brief(), [], 4, AT),
    "gaps": lambda one: one.assess(brief(), [], 0, AT),
    "outline": lambda one: one.outline(brief(), [], AT),
    "write": lambda one: one.write(brief(), SectionPlan(heading="Ice"), [], AT),
    "conclude": lambda one: one.conclude(brief(), [], [], 500, AT),
    "direct": lambda one: one.direct(brief(), AT),
    "compare": lambda one: one.compare(brief(), [], AT),
    "critique": lambda one: one.critique(brief(), Draft(title="Ice"), [], AT),
    "revise": lambda one: one.revise(brief(), WrittenSection(heading="Ice"), Critique(), [], AT),
    "repair": lambda one: one.repair(brief(), [], [], AT),
}


class Named:
    """A thinker whose every answer is its name."""

    paragraph_claims = 7

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, _: str) -> Any:
        async def say(*_: object) -> Any:
            return self.name

        return say


def test_every_question_is_one_or_the_other_s() -> None:
    assert ASKED.keys() | {"judge"} == DOING.keys()


@pytest.mark.parametrize("doing", ASKED)
async def test_what_would_take_rounds_of_its_own_is_not_asked_of_the_first(doing: str) -> None:
    first: Any = Named("first")
    second: Any = Named("second")
    said = await ASKED[doing](FewerCalls(first, second))

    assert said == ("second" if doing in {"compare", "critique", "revise"} else "first")


async def test_judgements_of_one_s_own_work_are_marked_as_such() -> None:
    class Judge:
        name = "client"
        paragraph_claims = 0

        async def judge(self, *_: object) -> list[Judgement]:
            return [
                Judgement(claim_id="c1", verdict="supported"),
                Judgement(claim_id="c2", verdict="supported", by="machine"),
            ]

    judge: Any = Judge()
    sparing = FewerCalls(judge, judge)

    assert [one.by for one in await sparing.judge(brief(), [], AT)] == ["self", "machine"]
    assert (sparing.name, sparing.paragraph_claims) == ("client", 0)
