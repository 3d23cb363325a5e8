"""Plan: split a brief into sub-questions and queries that can be worked on in parallel."""

from collections.abc import Sequence

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.pipeline.queries import is_query, query_key, usable_queries, without_page_addresses
from deepresearch_mcp.pipeline.scope import default_plan
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.text.keywords import discriminative_words
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import PlanResearch

MAX_PARTS = 7


_MIN_QUERIES = 3


def parts_for(breadth: int, depth: int) -> int:
    """How many sub-questions a plan may have: few, as every run waits for the planner.

    In a single round each needs a query beside that of the question itself, or it would never be asked.
    """
    parts = 1 if breadth == 1 else min(MAX_PARTS, 3 + max(0, breadth - 4) // 3)
    return min(parts, max(1, breadth - 1)) if depth == 1 else parts


async def make_plan(brief: Brief, thinker: Thinker, step: Step) -> Plan:
    """A sound plan, whatever the thinker answers: its plan repaired, or else the question itself.

    Raises:
        BudgetExceeded: The call of the planner could cross a ceiling.
        KeyRefused: Every later call would fail too.
    """
    shape = brief.request.shape
    task = PlanResearch(brief, parts_for(shape.breadth, shape.depth), max(shape.breadth - 1, _MIN_QUERIES))
    try:
        proposed = await thinker.ask(task, step)
    except KeyRefused:
        raise
    except ProviderError:
        return default_plan(brief)
    parts = sound(proposed.sub_questions, brief)
    return proposed.model_copy(update={"sub_questions": parts}) if parts else default_plan(brief)


def as_given(texts: Sequence[str], plan: Plan, brief: Brief) -> Plan:
    """The plan with the sub-questions as the user wrote them; those that it had already keep their queries."""
    known = {part.text: part for part in plan.sub_questions}
    kept: list[SubQuestion] = []
    for text in dict.fromkeys(" ".join(text.split()) for text in texts):
        before = known.get(text)
        part = before or SubQuestion(id="", text=text, priority="high", queries=usable_queries((), text, brief))
        # A sub-question that this one waited for may be gone.
        kept.append(part.model_copy(update={"id": f"q{len(kept) + 1}", "depends_on": ()}))
    return plan.model_copy(update={"sub_questions": tuple(kept), "questions": ()})


def sound(proposed: Sequence[SubQuestion], brief: Brief) -> tuple[SubQuestion, ...]:
    """The sub-questions that make sense: distinct, numbered, with usable queries and no circular dependency."""
    result: list[SubQuestion] = []
    renamed: dict[str, str] = {}
    seen: dict[str, str] = {}
    asked: set[str] = set()
    for part in proposed:
        if len(result) == MAX_PARTS:
            break
        text = " ".join(part.text.split())[:1000]
        same = " ".join(discriminative_words(text)) or text.casefold()
        if not any(map(str.isalnum, text)) or same in seen:
            renamed.setdefault(part.id, seen.get(same, ""))
            continue
        # If another part asks all its proposed queries, its own words can still be asked.
        own = (*usable_queries((), text, brief), *filter(is_query, (without_page_addresses(text)[:300],)))
        queries = _new(usable_queries(part.queries, text, brief), asked) or _new(own, asked)[:1]
        if not queries:
            continue
        name = f"q{len(result) + 1}"
        # A part may wait for earlier ones only, so there can be no circle.
        needs = dict.fromkeys(new for old in part.depends_on if (new := renamed.get(old, "")))
        result.append(
            part.model_copy(
                update={"id": name, "text": text, "queries": queries, "depends_on": tuple(needs), "status": "todo"}
            )
        )
        seen[same] = renamed[part.id] = name
    return tuple(result)


def _new(queries: Sequence[str], asked: set[str]) -> tuple[str, ...]:
    """The queries that no earlier part asks; they count as asked now."""
    return tuple(query for query in queries if not ((key := query_key(query)) in asked or asked.add(key)))
