"""Who asks what in a round."""

from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.tasks import first_tasks, marked_as, next_tasks
from deepresearch_mcp.records.evidence import Assessment, Claim, FollowUp
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import brief, claim, page, part

URGENT = part("q2", "Why does ice float?", ("ice density", "hydrogen bonds"), priority="high")
LATER = part("q1", "How do lakes freeze?", ("lake ice winter", "frozen lake fish"), priority="low")
ICE = page("https://one.example/ice", "Ice floats. Lakes freeze from above.")


def test_every_part_asks_once_before_any_asks_twice_and_the_urgent_go_first() -> None:
    two, three = (first_tasks([LATER, URGENT], breadth, (), 2) for breadth in (3, 4))

    assert [(one.sub_question.id, one.queries) for one in two] == [
        ("q2", ("ice density",)),
        ("q1", ("lake ice winter",)),
    ]
    assert [one.queries for one in three] == [("ice density", "hydrogen bonds"), ("lake ice winter",)]
    assert {one.needs for one in two} == {("plan",)}


def test_what_was_asked_already_is_not_asked_again() -> None:
    [task] = first_tasks([URGENT], 5, {query_key("density of ice")}, 0)

    assert task.queries == ("hydrogen bonds",)


def test_what_the_plan_leaves_goes_to_leads_as_far_as_the_settings_let_it() -> None:
    many, few = first_tasks([LATER, URGENT], 10, (), 5), first_tasks([LATER, URGENT], 10, (), 1)

    assert [one.leads for one in many] == [3, 2]
    assert [one.leads for one in few] == [1, 1]


@given(
    breadth=some.integers(min_value=1, max_value=10),
    counts=some.lists(some.integers(min_value=1, max_value=4), min_size=1, max_size=7),
)
def test_a_round_never_asks_more_than_its_breadth(breadth: int, counts: list[int]) -> None:
    parts = [
        part(f"q{n}", f"Question {n}?", tuple(f"topic{n} aspect{m}" for m in range(count)))
        for n, count in enumerate(counts, 1)
    ]

    tasks = first_tasks(parts, breadth, (), 10)

    assert 1 + sum(len(one.queries) + one.leads for one in tasks) <= breadth


def test_follow_ups_are_gathered_by_sub_question_and_strangers_left_out() -> None:
    wanted = [
        FollowUp(sub_question="q1", query="a b"),
        FollowUp(sub_question="q9", query="c d"),
        FollowUp(sub_question="q1", query="e f"),
    ]

    [task] = next_tasks(wanted, [LATER, URGENT], 3, 4, 2)

    assert (task.sub_question.id, task.round, task.queries) == ("q1", 3, ("a b", "e f"))
    assert (task.leads, task.needs) == (1, ("assess/2",))
    assert next_tasks([], [LATER], 2, 4, 2) == []


def test_a_part_is_marked_with_how_far_it_came() -> None:
    findings = Findings(brief())
    findings.of("q1").asked, findings.of("q2").asked = False, True
    one, two = claim(ICE, "Ice floats."), claim(ICE, "Lakes freeze from above.")

    def status(sub_question: SubQuestion, *claims: Claim) -> str:
        return marked_as(SubQuestionEvidence(sub_question, claims), findings).status

    assert [status(LATER), status(URGENT), status(URGENT, one), status(URGENT, one, two)] == [
        "todo",
        "blocked",
        "in_progress",
        "done",
    ]
    findings.assessment = Assessment(sufficiency=9, answered=("q2",))
    assert status(URGENT, one) == "done"
