"""What is told of sub-questions while they are worked on."""

from deepresearch_mcp.events import PlanMarked, SubQuestionEnded, SubQuestionStarted
from pipeline_fakes import FakeEngine
from research_world import world


async def test_each_round_of_a_sub_question_is_told_from_its_beginning_to_its_end() -> None:
    ice = world()

    await ice.run()

    begun, ended = ice.heard.of(SubQuestionStarted), ice.heard.of(SubQuestionEnded)
    assert [one.sub_question for one in begun].count("q1") == 1
    assert {one.sub_question for one in begun} == {one.sub_question for one in ended}
    found = next(one for one in ended if one.sub_question == "q1")
    assert (found.round, found.status, found.failure) == (1, "found", "")
    assert found.sources >= 1
    assert found.claims >= 1


async def test_the_plan_is_marked_when_work_begins_and_when_it_is_weighed() -> None:
    ice = world()

    await ice.run()

    marks = [one.status for one in ice.heard.of(PlanMarked) if one.sub_question == "q1"]
    assert marks[0] == "in_progress"
    assert len(marks) == len(set(marks)) or marks[-1] != marks[-2]


async def test_a_sub_question_without_a_find_is_told_as_such() -> None:
    ice = world(engines=[FakeEngine({})])

    await ice.run()

    assert {one.status for one in ice.heard.of(SubQuestionEnded)} <= {"nothing"}
