from typing import Any

import pytest

from deepresearch_mcp.records.evidence import Reading
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.thinkers import tasks
from deepresearch_mcp.thinkers.base import Doubt, Handlers, HeldStatement, ThinkerTask
from deepresearch_mcp.thinkers.extractive import thinker as extractive
from deepresearch_mcp.thinkers.prompted import thinker as prompted
from pipeline_fakes import brief, claim, page

ICE = page("https://a.example/1", "Ice floats on water.")
BRIEF, SECTION = brief(), WrittenSection(heading="Ice")
ASKED = SubQuestion(id="q1", text="Why?")
DOUBT = Doubt(Sentence(text="Ice sinks.", claim_ids=("c1",)), "not in the quote")
KINDS = [one for one in vars(tasks).values() if isinstance(one, type) and issubclass(one, ThinkerTask)][1:]
EXAMPLES: list[ThinkerTask[Any]] = [
    tasks.PlanResearch(BRIEF, 4, 8),
    tasks.ReadPassages(BRIEF, ASKED, [], 6),
    tasks.JudgeClaims(BRIEF, []),
    tasks.HoldSentences(BRIEF, []),
    tasks.HoldRewordedSentences(BRIEF, []),
    tasks.HoldJudgements(BRIEF, []),
    tasks.ComparePairs(BRIEF, []),
    tasks.AssessCoverage(BRIEF, [], 4),
    tasks.OutlineReport(BRIEF, []),
    tasks.WriteParagraph(BRIEF, SectionPlan(heading="Ice"), []),
    tasks.ConcludeReport(BRIEF, [], [], 500),
    tasks.CritiqueDraft(BRIEF, Draft(title="Ice"), []),
    tasks.ReviseSection(BRIEF, SECTION, Critique(), []),
    tasks.RepairSentences(BRIEF, [DOUBT], []),
    tasks.AnswerDirectly(BRIEF),
]


def test_every_kind_has_a_name_and_words_of_its_own() -> None:
    assert {type(one) for one in EXAMPLES} == set(KINDS)
    assert len({one.name for one in EXAMPLES}) == len({one.doing for one in EXAMPLES}) == len(KINDS)


@pytest.mark.parametrize("task", EXAMPLES, ids=lambda one: one.name)
def test_every_kind_has_its_prompt_and_its_rule(task: ThinkerTask[Any]) -> None:
    assert Handlers(*prompted.HANDLERS).find(task)
    assert Handlers(*extractive.HANDLERS).find(task) or task.nothing() is not None


@pytest.mark.parametrize("task", [one for one in EXAMPLES if one.is_moot], ids=lambda one: one.name)
def test_a_moot_task_has_an_answer_that_adds_nothing(task: ThinkerTask[Any]) -> None:
    assert task.nothing() in [(), Reading()]


def test_a_task_with_material_is_not_moot() -> None:
    held = [claim(ICE, "Ice floats on water.")]

    assert not tasks.JudgeClaims(BRIEF, held).is_moot
    assert not tasks.HoldJudgements(BRIEF, [HeldStatement("s1", "Take ice.")]).is_moot
    assert not tasks.ComparePairs(BRIEF, [(held[0], held[0])]).is_moot
    assert not tasks.WriteParagraph(BRIEF, SectionPlan(heading="Ice"), held).is_moot
    assert not tasks.RepairSentences(BRIEF, [DOUBT], held).is_moot


def test_where_rules_have_no_say_nothing_is_changed_and_nothing_invented() -> None:
    said = {task.name: task.nothing() for task in EXAMPLES}

    assert (said["critique"], said["revise"], said["direct"]) == (Critique(), SECTION, "")
    assert said["repair"] == (Sentence(text="", claim_ids=("c1",)),)
    assert (said["plan"], said["assess"], said["outline"]) == (None, None, None)
