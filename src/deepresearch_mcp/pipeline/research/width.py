"""Width: how many queries the rounds of a research have, as planned and as expected before there is a plan."""

from collections.abc import Collection

from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.records.plan import MOST_PARTS, Plan, most_hypotheses
from deepresearch_mcp.records.request import Shape

_QUERIES_A_PART = 2.5
"""Queries of one sub-question in one round, on average: at least one, at most three."""


def planned_queries(parts: int) -> int:
    """How many queries so many sub-questions have in a round, about."""
    return round(_QUERIES_A_PART * parts)


def first_round(shape: Shape) -> int:
    """How many queries the first round is expected to have: the question, the sub-questions and the hypotheses."""
    breadth = min(shape.breadth, MOST_PARTS)
    return 1 + planned_queries(breadth) + min(planned_queries(breadth), most_hypotheses(breadth))


def all_rounds(shape: Shape) -> int:
    """How many queries all rounds are expected to have together; later rounds ask what is still open."""
    if not shape.depth:
        return 0
    return first_round(shape) + (shape.depth - 1) * planned_queries(shape.breadth)


def queries_of(plan: Plan, asked: Collection[str] = ()) -> int:
    """How many different queries a plan has, its hypotheses' among them, without those that were `asked` before."""
    texts = [query for part in plan.sub_questions for query in part.queries]
    return len({query_key(text) for text in (*texts, *(one.query for one in plan.hypotheses))} - set(asked))
