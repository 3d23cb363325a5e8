"""Scope: from the arguments of a call to the brief that every later stage starts from."""

from datetime import date

from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.text.language import guess


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
