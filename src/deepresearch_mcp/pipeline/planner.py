"""Plan: split a brief into sub-questions and queries that can be worked on at once."""

from collections.abc import Sequence

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.text.keywords import content_words, keywords
from deepresearch_mcp.text.urls import in_domains
from deepresearch_mcp.thinkers.base import Thinker

MAX_PARTS = 7
_MIN_QUERIES = 3


def parts_for(breadth: int) -> int:
    """How many sub-questions a breadth can keep supplied: the planner's answer is on every run's critical path."""
    return 1 if breadth == 1 else min(MAX_PARTS, 3 + max(0, breadth - 4) // 2)


async def make_plan(brief: Brief, thinker: Thinker, at: At) -> Plan:
    """A sound plan, whatever the thinker says: repaired where it can be, else the question itself is the plan.

    Raises:
        BudgetExceeded: Planning alone could cross a ceiling.
        KeyRefused: Going on would fail in the same way.
    """
    shape = brief.request.shape
    try:
        proposed = await thinker.plan(brief, parts_for(shape.breadth), max(shape.breadth - 1, _MIN_QUERIES), at)
    except KeyRefused:
        raise
    except ProviderError:
        return default_plan(brief)
    parts = sound(proposed.sub_questions, brief)
    return proposed.model_copy(update={"sub_questions": parts}) if parts else default_plan(brief)


def default_plan(brief: Brief) -> Plan:
    """The question as its only sub-question."""
    part = SubQuestion(
        id="q1", text=brief.question[:1000], priority="high", queries=_queries((), brief.question, brief)
    )
    return Plan(sub_questions=(part,), made_by="default")


def sound(proposed: Sequence[SubQuestion], brief: Brief) -> tuple[SubQuestion, ...]:
    """The sub-questions that make sense: distinct, numbered in order, with usable queries and no circle."""
    kept: list[SubQuestion] = []
    renamed: dict[str, str] = {}
    seen: set[str] = set()
    for part in proposed[:MAX_PARTS]:
        text = " ".join(part.text.split())
        same = " ".join(content_words(text)) or text.casefold()
        if not text or same in seen:
            continue
        seen.add(same)
        renamed[part.id] = f"q{len(kept) + 1}"
        kept.append(part.model_copy(update={"id": renamed[part.id], "text": text}))
    asked: set[str] = set()
    result: list[SubQuestion] = []
    for part in kept:
        queries = tuple(
            query
            for query in _queries(part.queries, part.text, brief)
            if not (_key(query) in asked or asked.add(_key(query)))
        )
        # Looking back only: a part may wait for an earlier one, so no circle can be.
        before = {earlier.id for earlier in result}
        needs = tuple(new for old in part.depends_on if (new := renamed.get(old, "")) in before)
        result.append(part.model_copy(update={"queries": queries, "depends_on": needs, "status": "todo"}))
    return tuple(part for part in result if part.queries)


def _queries(proposed: Sequence[str], question: str, brief: Brief) -> tuple[str, ...]:
    """Usable ones of those proposed, else one made of the question's keywords."""
    good: list[str] = []
    for text in proposed:
        query = " ".join(word for word in text.split() if _site_allowed(word, brief))[:300]
        if len(query.split()) > 1 or len(content_words(query)) > 1:
            good.append(query)
    if not good:
        words = keywords(question, 8)
        good.append(" ".join(words) if len(words) > 1 else question[:300])
    return tuple(dict.fromkeys(good))


def _site_allowed(word: str, brief: Brief) -> bool:
    if not word.lower().startswith("site:"):
        return True
    url, allowed = f"https://{word[5:]}/", brief.request.include_domains
    return not in_domains(url, brief.request.exclude_domains) and (not allowed or in_domains(url, allowed))


def _key(query: str) -> str:
    return " ".join(sorted(content_words(query))) or query.casefold()
