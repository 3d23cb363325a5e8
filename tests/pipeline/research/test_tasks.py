"""Who asks what in a round."""

from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.context import SubQuestionTask
from deepresearch_mcp.pipeline.research.tasks import first_tasks, marked_as, next_tasks, with_links, with_pages
from deepresearch_mcp.records.evidence import Assessment, Claim, FollowUp
from deepresearch_mcp.records.plan import Hypothesis, SubQuestion
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import brief, claim, page, part

URGENT = part("q2", "Why does ice float?", ("ice density", "hydrogen bonds"), priority="high")
LATER = part("q1", "How do lakes freeze?", ("lake ice winter", "frozen lake fish"), priority="low")
ICE = page("https://one.example/ice", "Ice floats. Lakes freeze from above.")


def expecting(number: int, query: str, name: str = "", **more: bool) -> Hypothesis:
    return Hypothesis(id=f"h{number}", statement=f"{query} holds.", query=query, sub_question=name, **more)


def test_what_decides_most_is_asked_first() -> None:
    expected = [
        expecting(1, "water is heavier", "q2"),
        expecting(2, "ice is crystal", "q2"),
        expecting(3, "lakes freeze above", "q1"),
        expecting(4, "ice always floats", premise=True),
    ]

    def asked(room: int) -> list[tuple[str, ...]]:
        return [one.queries for one in first_tasks([LATER, URGENT], expected, room, (), 2)]

    # The question itself was the first query of the round.
    assert asked(1) == []
    assert asked(3) == [("ice density",), ("lake ice winter",)]
    assert asked(4) == [("ice density", "ice always floats"), ("lake ice winter",)]
    assert asked(6) == [
        ("ice density", "ice always floats", "water is heavier"),
        ("lake ice winter", "lakes freeze above"),
    ]
    assert asked(99) == [
        ("ice density", "ice always floats", "water is heavier", "hydrogen bonds", "ice is crystal"),
        ("lake ice winter", "lakes freeze above", "frozen lake fish"),
    ]


def test_a_task_carries_all_that_is_expected_of_its_sub_question_even_what_is_not_searched() -> None:
    expected = [
        expecting(1, "lakes freeze above", "q1"),
        expecting(2, "why float ice", "q7"),
        expecting(3, "ice density", "q2"),
    ]

    tasks = first_tasks([LATER, URGENT], expected, 3, (), 2)

    assert {one.sub_question.id: [h.id for h in one.hypotheses] for one in tasks} == {"q2": ["h2", "h3"], "q1": ["h1"]}
    assert {one.needs for one in tasks} == {("plan",)}


def test_what_was_asked_already_is_not_asked_again() -> None:
    [task] = first_tasks([URGENT], [expecting(1, "bonds hydrogen", "q2")], 5, {query_key("density of ice")}, 0)

    assert task.queries == ("bonds hydrogen",)


def test_what_the_plan_leaves_goes_to_leads_as_far_as_the_settings_let_it() -> None:
    many, few = first_tasks([LATER, URGENT], (), 10, (), 5), first_tasks([LATER, URGENT], (), 10, (), 1)

    assert [one.leads for one in many] == [3, 2]
    assert [one.leads for one in few] == [1, 1]


@given(
    room=some.integers(min_value=1, max_value=60),
    counts=some.lists(some.integers(min_value=1, max_value=3), min_size=1, max_size=10),
    owners=some.lists(some.integers(min_value=0, max_value=12), max_size=24),
)
def test_a_round_never_asks_more_than_it_has_room_for(room: int, counts: list[int], owners: list[int]) -> None:
    parts = [
        part(f"q{n}", f"Question {n}?", tuple(f"topic{n} aspect{m}" for m in range(count)))
        for n, count in enumerate(counts, 1)
    ]
    expected = [expecting(n, f"topic{owner} guess{n}", f"q{owner}") for n, owner in enumerate(owners)]

    tasks = first_tasks(parts, expected, room, (), 10)

    assert 1 + sum(len(one.queries) + one.leads for one in tasks) <= room
    queries = [query for one in tasks for query in one.queries]
    assert len(set(queries)) == len(queries)
    if room > sum(counts) + len(owners):
        assert len(queries) == sum(counts) + len(owners)
        assert sum(len(one.hypotheses) for one in tasks) == len(owners)


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


def test_the_second_round_looks_through_links_for_all_that_the_plan_asked() -> None:
    expected = [expecting(1, "water is heavier", "q2"), expecting(2, "lakes freeze above", "q1")]
    tasks = next_tasks([FollowUp(sub_question="q2", query="ice crystal lattice")], [LATER, URGENT], 2, 4, 0)

    [task] = with_links(tasks, [LATER, URGENT], expected)

    assert task.queries == ("ice crystal lattice",)
    assert set(task.linked) == {*URGENT.queries, *LATER.queries, "water is heavier", "lakes freeze above"}
    assert with_links([], [LATER, URGENT], expected) == []


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


@given(some.integers(0, 30), some.integers(1, 4), some.lists(some.integers(0, 4), min_size=1, max_size=5))
def test_each_query_may_bring_its_best_page_and_the_first_ones_of_all_sub_questions_more(
    pages: int, most: int, widths: list[int]
) -> None:
    tasks = [
        SubQuestionTask(part(f"q{at}"), 1, tuple(f"query {at} number {n}" for n in range(width)), 0)
        for at, width in enumerate(widths)
    ]

    given_ = [task.pages for task in with_pages(tasks, pages, most)]

    many = [number for own in given_ for number in own.values()]
    assert len(many) == sum(widths)
    assert all(1 <= one <= most for one in many)
    assert sum(many) <= max(pages, len(many))
    if len(many) * most >= pages >= len(many):
        assert sum(many) == pages, "no page is left over while a query may bring one more"
    for own in given_:
        assert list(own.values()) == sorted(own.values(), reverse=True)


def test_leads_come_last_and_are_named_by_no_query() -> None:
    tasks = [SubQuestionTask(part("q1"), 1, ("density", "bonds"), 2)]

    assert [dict(task.pages) for task in with_pages(tasks, 6, 2)] == [{"density": 2, "bonds": 2, "": 1}]
    assert [dict(task.pages) for task in with_pages(tasks, 8, 2)] == [{"density": 2, "bonds": 2, "": 2}]
