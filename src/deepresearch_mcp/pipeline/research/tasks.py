"""Tasks: what each sub-question asks in a round, and how far it has come."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.context import SubQuestionTask
from deepresearch_mcp.records.evidence import FollowUp
from deepresearch_mcp.records.plan import Hypothesis, SubQuestion, TaskStatus
from deepresearch_mcp.thinkers.base import SubQuestionEvidence


def first_tasks(
    sub_questions: Sequence[SubQuestion],
    hypotheses: Sequence[Hypothesis],
    room: int,
    asked: Collection[str],
    leads: int,
) -> list[SubQuestionTask]:
    """The queries of the plan for the first round, at most `room` with that of the question, which was asked before.

    What decides most is asked first: a query for each sub-question by priority, the premises, a hypothesis for each
    sub-question; then a second query and hypothesis for each. What the plan leaves of the room goes to leads, at most
    `leads` for each sub-question, the most urgent first.
    """
    parts = sorted(sub_questions, key=lambda part: part.urgency)
    expected = _expected(parts, hypotheses)
    queries: dict[str, list[str]] = {part.id: [] for part in parts}
    left, taken = room - 1, set(asked)
    for name, query in _by_worth(parts, expected):
        if left and (key := query_key(query)) not in taken:
            taken.add(key)
            queries[name].append(query)
            left -= 1
    made = _made(queries, parts, 1, left, leads, (steps.PLAN,))
    return [replace(task, hypotheses=tuple(expected[task.sub_question.id])) for task in made]


def _expected(parts: Sequence[SubQuestion], hypotheses: Sequence[Hypothesis]) -> dict[str, list[Hypothesis]]:
    """The hypotheses of each sub-question, premises first; one that belongs to none of them goes to the nearest."""
    found: dict[str, list[Hypothesis]] = {part.id: [] for part in parts}
    for one in sorted(hypotheses, key=lambda one: not one.premise):
        own = one.sub_question in found
        found[one.sub_question if own else nearest_sub_question(one.statement, parts)].append(one)
    return found


def _by_worth(parts: Sequence[SubQuestion], expected: Mapping[str, Sequence[Hypothesis]]) -> Iterator[tuple[str, str]]:
    """Each query with the sub-question that asks it, what decides most first."""
    tests = {name: [one.query for one in own if not one.premise] for name, own in expected.items()}
    premises = [(name, one.query) for name, own in expected.items() for one in own if one.premise]
    turns = max([len(part.queries) for part in parts] + [len(own) for own in tests.values()])
    for turn in range(turns):
        yield from ((part.id, query) for part in parts for query in part.queries[turn : turn + 1])
        yield from premises if turn == 0 else ()
        yield from ((part.id, query) for part in parts for query in tests[part.id][turn : turn + 1])


def next_tasks(
    follow_ups: Sequence[FollowUp],
    sub_questions: Sequence[SubQuestion],
    number: int,
    breadth: int,
    leads: int,
    hypotheses: Sequence[Hypothesis] = (),
    needs: tuple[str, ...] = (),
) -> list[SubQuestionTask]:
    """The follow-ups of round `number` by sub-question; those of other sub-questions are left out.

    A query that tests one of the `hypotheses` is read for it. `needs`: the steps that the queries come from; without
    any, the assessment of the round before.
    """
    queries: dict[str, list[str]] = {}
    known = {part.id: part for part in sub_questions}
    for follow_up in follow_ups:
        if follow_up.sub_question in known:
            queries.setdefault(follow_up.sub_question, []).append(follow_up.query)
    parts = [known[name] for name in queries]
    left, towards = max(0, breadth - len(follow_ups)), frozenset(one.query for one in follow_ups if one.lead)
    made = _made(queries, parts, number, left, leads, needs or (steps.assess(number - 1),))
    tests = {query_key(one.query): one for one in hypotheses}

    def tested(task: SubQuestionTask) -> tuple[Hypothesis, ...]:
        return tuple(tests[key] for query in task.queries if (key := query_key(query)) in tests)

    return [replace(task, towards=towards.intersection(task.queries), hypotheses=tested(task)) for task in made]


def with_links(
    tasks: Sequence[SubQuestionTask], sub_questions: Sequence[SubQuestion], hypotheses: Sequence[Hypothesis]
) -> list[SubQuestionTask]:
    """The tasks of the second round, with what the plan asked in the first: links may lead to what no engine returned.

    What a sub-question without a task asked belongs to the first task.
    """
    if not tasks:
        return []
    busy = {task.sub_question.id for task in tasks}
    asked: dict[str, list[str]] = {name: [] for name in busy}
    expected = _expected(sub_questions, hypotheses)
    for part in sub_questions:
        own = asked[part.id if part.id in busy else tasks[0].sub_question.id]
        own += [*part.queries, *(one.query for one in expected[part.id])]
    return [replace(task, linked=tuple(dict.fromkeys(asked[task.sub_question.id]))) for task in tasks]


def with_pages(tasks: Sequence[SubQuestionTask], pages: int, most: int) -> list[SubQuestionTask]:
    """The tasks with the new pages of each query: its best one, and from what is left of `pages` a second, a third.

    The first queries of all sub-questions come before their second ones, and leads come last.
    """
    asks = [
        (task.sub_question.id, query_key(task.queries[turn]))
        for turn in range(max((len(task.queries) for task in tasks), default=0))
        for task in tasks
        if turn < len(task.queries)
    ]
    leads = [(task.sub_question.id, "") for task in tasks if task.leads]
    number = {(task.sub_question.id, ""): task.leads for task in tasks}
    given = dict.fromkeys((*asks, *leads), 1)
    left = pages - sum(number.get(one, 1) for one in given)
    for one in (*asks, *leads) * (most - 1):
        if number.get(one, 1) <= left:
            given[one] += 1
            left -= number.get(one, 1)
    return [
        replace(task, pages={key: many for (name, key), many in given.items() if name == task.sub_question.id})
        for task in tasks
    ]


def open_hypotheses(findings: Findings) -> tuple[Hypothesis, ...]:
    """Those of the plan that no verified claim speaks of yet."""
    spoken = {name for claim in findings.claims for name in claim.covers}
    return tuple(one for one in (findings.plan.hypotheses if findings.plan else ()) if one.id not in spoken)


def _made(
    queries: dict[str, list[str]],
    parts: Sequence[SubQuestion],
    number: int,
    left: int,
    leads: int,
    needs: tuple[str, ...],
) -> list[SubQuestionTask]:
    def share(index: int) -> int:
        return min(leads, left // len(parts) + (1 if index < left % len(parts) else 0))

    return [
        SubQuestionTask(part, number, tuple(queries[part.id]), share(index), needs)
        for index, part in enumerate(parts)
        if queries[part.id]
    ]


def marked_as(part: SubQuestionEvidence, findings: Findings) -> SubQuestion:
    """The sub-question with its status: answered, begun, asked in vain, or never asked."""
    answered = findings.assessment is not None and part.sub_question.id in findings.assessment.answered
    status: TaskStatus = "todo"
    # A claim that was read for it answers it, even if it fits another one better.
    claims = max(len(part.claims), len(findings.of(part.sub_question.id).claims))
    if answered or claims > 1:
        status = "done"
    elif claims:
        status = "in_progress"
    elif findings.of(part.sub_question.id).asked:
        status = "blocked"
    if findings.assessment is not None and part.sub_question.id in findings.assessment.retired:
        status = "retired"
    return part.sub_question.model_copy(update={"status": status})
