from typing import Any

import pytest

from deepresearch_mcp.records.evidence import Reading
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import (
    Draft,
    Review,
    SectionDraft,
    SectionPlan,
    Sentence,
    Sketch,
    WrittenSection,
)
from deepresearch_mcp.thinkers import audit_tasks, tasks
from deepresearch_mcp.thinkers.base import Doubt, Handlers, HeldStatement, ThinkerTask
from deepresearch_mcp.thinkers.extractive import thinker as extractive
from deepresearch_mcp.thinkers.prompted import thinker as prompted
from pipeline_fakes import brief, claim, page
from task_kinds import KINDS

ICE = page("https://a.example/1", "Ice floats on water.")
BRIEF, PLAN = brief(), SectionPlan(heading="Ice")
ASKED = SubQuestion(id="q1", text="Why?")
DOUBT = Doubt(Sentence(text="Ice sinks.", claim_ids=("c1",)), "not in the quote")
EXAMPLES: list[ThinkerTask[Any]] = [
    tasks.PlanResearch(BRIEF, 4, 8),
    tasks.ReadPassages(BRIEF, ASKED, [], 6),
    tasks.JudgeClaims(BRIEF, []),
    audit_tasks.HoldSentences(BRIEF, []),
    audit_tasks.HoldRewordedSentences(BRIEF, []),
    audit_tasks.HoldJudgements(BRIEF, []),
    tasks.AssessCoverage(BRIEF, [], 4),
    tasks.ConsolidateClaims(BRIEF, []),
    tasks.CheckGaps(BRIEF, []),
    tasks.FillSpots(BRIEF, [], {}),
    tasks.SketchReport(BRIEF, [], {}, 900),
    tasks.WriteSection(BRIEF, PLAN, Sketch(title="Ice"), [], [], {}, 90),
    tasks.WriteOpening(BRIEF, Draft(title="Ice"), [], []),
    tasks.EditReport(BRIEF, Draft(title="Ice"), [], [], {}, 900),
    tasks.ReviewReport(BRIEF, Draft(title="Ice"), [], [], 3),
    audit_tasks.RepairSentences(BRIEF, [DOUBT], []),
    tasks.AnswerDirectly(BRIEF),
]


def test_every_kind_has_a_name_and_words_of_its_own() -> None:
    assert {type(one) for one in EXAMPLES} == KINDS
    assert len({one.name for one in EXAMPLES}) == len({one.doing for one in EXAMPLES}) == len(KINDS)


@pytest.mark.parametrize("task", EXAMPLES, ids=lambda one: one.name)
def test_every_kind_has_its_prompt_and_its_rule(task: ThinkerTask[Any]) -> None:
    assert Handlers(*prompted.HANDLERS).find(task)
    assert Handlers(*extractive.HANDLERS).find(task) or task.nothing() is not None


@pytest.mark.parametrize("task", [one for one in EXAMPLES if one.is_moot], ids=lambda one: one.name)
def test_a_moot_task_has_an_answer_that_adds_nothing(task: ThinkerTask[Any]) -> None:
    empty = SectionDraft(section=WrittenSection(heading="Ice"), by_rule=True)
    assert task.nothing() in [(), Reading(), Draft(title="Ice"), empty]


def test_a_task_with_material_is_not_moot() -> None:
    held = [claim(ICE, "Ice floats on water.")]

    assert not tasks.JudgeClaims(BRIEF, held).is_moot
    assert not tasks.ConsolidateClaims(BRIEF, [[held[0], held[0]]]).is_moot
    assert not audit_tasks.HoldJudgements(BRIEF, [HeldStatement("s1", "Take ice.")]).is_moot
    assert not audit_tasks.RepairSentences(BRIEF, [DOUBT], held).is_moot


def test_where_rules_have_no_say_nothing_is_changed_and_nothing_invented() -> None:
    said = {task.name: task.nothing() for task in EXAMPLES}

    assert (said["review"], said["edit"], said["opening"], said["direct"]) == (Review(), Draft(title="Ice"), (), "")
    assert said["repair"] == (Sentence(text="", claim_ids=("c1",)),)
    assert (said["plan"], said["assess"]) == (None, None)


def test_a_sketch_by_rule_gives_each_sub_question_a_section():
    facts = [claim(ICE, "Ice floats on water.", sub_question=name) for name in ("q1", "q2", "q1")]

    sketch = tasks.SketchReport(BRIEF, facts, {}, 900).nothing()

    assert sketch.title == BRIEF.question
    assert [one.sub_questions for one in sketch.sections] == [("q1",), ("q2",)]
    assert [len(one.claim_ids) for one in sketch.sections] == [2, 1]


def test_a_section_by_rule_stays_as_it_is_or_tells_its_facts():
    fact, present = claim(ICE, "Ice floats on water."), WrittenSection(heading="Now")

    new = tasks.WriteSection(BRIEF, PLAN, Sketch(title="Ice"), [fact], [], {}, 90)
    again = tasks.WriteSection(BRIEF, PLAN, Sketch(title="Ice"), [fact], [], {}, 90, present)

    assert [one.text for one in new.nothing().section.sentences] == [fact.text]
    assert again.nothing() == SectionDraft(section=present, by_rule=True)
