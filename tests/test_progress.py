from deepresearch_mcp.events import PlanMarked, Planned
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.plan import ChecklistItem


def test_the_checklist_follows_the_marks_of_the_plan() -> None:
    progress = Progress("r1")

    for event in (
        Planned("planner", ("Why?", "How?")),
        PlanMarked("q1", "Why?", "in_progress"),
        PlanMarked("q1", "Why?", "done"),
        PlanMarked("q3", "A further one?", "todo"),
    ):
        progress = progress.after(event, 1.0)

    assert progress.checklist == (
        ChecklistItem("q1", "Why?", "done"),
        ChecklistItem("q2", "How?"),
        ChecklistItem("q3", "A further one?"),
    )
    assert progress.done == 1


def test_a_plan_that_is_told_again_keeps_its_marks() -> None:
    progress = Progress("r1", checklist=(ChecklistItem("q1", "Why?", "done"),))

    again = progress.after(Planned("planner", ("Why?", "How?")), 1.0)

    assert [one.status for one in again.checklist] == ["done", "todo"]
