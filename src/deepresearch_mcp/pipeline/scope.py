"""Scope: the brief that all later stages start from, and the plan of a run that has no other."""

from datetime import date

from deepresearch_mcp.pipeline.queries import usable_queries
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.plan import Brief, Deliverable, Plan, Scope, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.topics import is_another_topic


def carried_over(request: AnyRequest, background: str) -> str:
    """The words that a follow-up takes over from the run before it; "" if the question has another topic."""
    if isinstance(request, CheckRequest) or not background:
        return background
    return "" if is_another_topic(request.question, background) else background


def scope(request: ResearchRequest, today: date, background: str = "") -> Brief:
    """The brief of a request: its question on one line, its language, and the day on which it is asked."""
    question = " ".join(request.question.split())
    return Brief(
        question=question,
        language=request.language or guess(question),
        today=today,
        request=request,
        background=background,
    )


def default_plan(brief: Brief) -> Plan:
    """A plan whose only sub-question is the question."""
    part = SubQuestion(
        id="q1", text=brief.question[:1000], priority="high", queries=usable_queries((), brief.question, brief)
    )
    return Plan(sub_questions=(part,), scope=default_scope(brief), made_by="default")


def default_scope(brief: Brief) -> Scope:
    """The question itself is what is to be delivered."""
    return Scope(deliverables=(Deliverable(id="d1", text=brief.question[:1000]),))
