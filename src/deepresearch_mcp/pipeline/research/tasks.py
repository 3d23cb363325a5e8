"""Tasks: what each sub-question asks in a round, and how far it has come."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.context import SubQuestionTask
from deepresearch_mcp.records.evidence import FollowUp
from deepresearch_mcp.records.plan import SubQuestion, TaskStatus
from deepresearch_mcp.thinkers.base import SubQuestionEvidence


def first_tasks(
    sub_questions: Sequence[SubQuestion], breadth: int, asked: Collection[str], leads: int
) -> list[SubQuestionTask]:
    """The queries of the plan: one for each sub-question by priority, then a second for each, up to the breadth.

    The question itself was the first query of the round. What the plan leaves of the breadth goes to leads, at most
    `leads` for each sub-question, the most urgent first.
    """
    parts = sorted(sub_questions, key=lambda part: part.urgency)
    queries: dict[str, list[str]] = {part.id: [] for part in parts}
    left, taken = breadth - 1, set(asked)
    for turn in range(max(len(part.queries) for part in parts)):
        for part in parts:
            if left and turn < len(part.queries) and (key := query_key(part.queries[turn])) not in taken:
                taken.add(key)
                queries[part.id].append(part.queries[turn])
                left -= 1
    return _made(queries, parts, 1, left, leads, steps.PLAN)


def next_tasks(
    follow_ups: Sequence[FollowUp], sub_questions: Sequence[SubQuestion], number: int, breadth: int, leads: int
) -> list[SubQuestionTask]:
    """The follow-ups of round `number` by sub-question; those of other sub-questions are left out."""
    queries: dict[str, list[str]] = {}
    known = {part.id: part for part in sub_questions}
    for follow_up in follow_ups:
        if follow_up.sub_question in known:
            queries.setdefault(follow_up.sub_question, []).append(follow_up.query)
    parts = [known[name] for name in queries]
    left, towards = max(0, breadth - len(follow_ups)), frozenset(one.query for one in follow_ups if one.lead)
    made = _made(queries, parts, number, left, leads, steps.assess(number - 1))
    return [replace(task, towards=towards.intersection(task.queries)) for task in made]


def _made(
    queries: dict[str, list[str]], parts: Sequence[SubQuestion], number: int, left: int, leads: int, need: str
) -> list[SubQuestionTask]:
    def share(index: int) -> int:
        return min(leads, left // len(parts) + (1 if index < left % len(parts) else 0))

    return [
        SubQuestionTask(part, number, tuple(queries[part.id]), share(index), (need,))
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
