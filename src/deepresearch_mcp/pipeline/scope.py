"""Scope: from the arguments of a call to the brief that every later stage starts from."""

from datetime import date

from deepresearch_mcp.pipeline.queries import usable_queries
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.topics import is_another_topic


def carried_over(request: AnyRequest, background: str) -> str:
    """What a follow-up takes from the run before it: its words, or "" where the question has another topic."""
    if isinstance(request, CheckRequest) or not background:
        return background
    return "" if is_another_topic(request.question, background) else background


def scope(request: ResearchRequest, today: date, background: str = "") -> Brief:
    """Settle the question, its language and the day it is asked on."""
    question = " ".join(request.question.split())
    return Brief(
        question=question,
        language=request.language or guess(question),
        today=today,
        request=request,
        background=background,
    )


def default_plan(brief: Brief) -> Plan:
    """The question as its only sub-question."""
    part = SubQuestion(
        id="q1", text=brief.question[:1000], priority="high", queries=usable_queries((), brief.question, brief)
    )
    return Plan(sub_questions=(part,), made_by="default")
