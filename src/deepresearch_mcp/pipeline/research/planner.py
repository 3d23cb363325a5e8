"""Plan: split a brief into sub-questions and queries that can be worked on at once."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.pipeline.research.named_pages import searchable
from deepresearch_mcp.pipeline.research.searcher import SHELVES, is_query, query_key
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.plan import Brief, Estimate, Plan, StageEstimate, SubQuestion
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.text.keywords import discriminative_words, keywords
from deepresearch_mcp.text.urls import in_domains
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import PlanResearch

MAX_PARTS = 7

_TOKENS_A_PAGE = 1_900
_ANSWERED = 0.2
"""Share of a run's tokens that models write."""
_SECONDS_A_ROUND = 7.0

SHARES: Mapping[Role, float] = MappingProxyType(
    {"planner": 0.01, "reader": 0.62, "verifier": 0.18, "analyst": 0.05, "writer": 0.14}
)
"""Of a run's tokens, as bench/world.py measures them without critique."""

_FEWEST_PAGES = 12
"""Pages that a round asks for at least, where the ceilings let it."""
_MOST_PAGES = 28
"""Pages that a round asks for at most, as long as every query still has a few."""
_FEW = 3


class Price(Protocol):
    """What the models of a run cost."""

    def model(self, role: Role) -> str:
        """`PROVIDER:NAME`; empty: none is asked."""
        ...

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """So many tokens in and out; None where the price is unknown."""
        ...


class Free:
    """A price of nothing."""

    def model(self, role: Role) -> str:
        """See `Price.model`."""
        del role
        return ""

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """See `Price.usd`."""
        del role, sent, written
        return 0.0


_MIN_QUERIES = 3


def parts_for(breadth: int, depth: int) -> int:
    """How many sub-questions can be kept supplied: the planner's answer is on every run's critical path.

    In a single round each needs a query beside the question's own, or it would be planned and never asked.
    """
    parts = 1 if breadth == 1 else min(MAX_PARTS, 3 + max(0, breadth - 4) // 3)
    return min(parts, max(1, breadth - 1)) if depth == 1 else parts


async def make_plan(brief: Brief, thinker: Thinker, step: Step) -> Plan:
    """A sound plan, whatever the thinker says: repaired where it can be, else the question itself is the plan.

    Raises:
        BudgetExceeded: Planning alone could cross a ceiling.
        KeyRefused: Going on would fail in the same way.
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


def estimate(
    shape: Shape,
    pages: int,
    engines: int,
    price: Price,
    *,
    models: bool,
    query_usd: float = 0.0,
    tokens: float = 1.0,
    seconds: float = 1.0,
) -> Estimate:
    """What a run of this shape would use if no ceiling stood in its way, by the shares of whole runs (bench/world.py).

    `pages` are those of one query, and `query_usd` is what all engines charge for it. `tokens` and `seconds` are how
    much more than measured there earlier runs here have used.
    """
    queries = shape.breadth * shape.depth
    read = queries * pages
    wanted = round(_TOKENS_A_PAGE * read * tokens) if models else 0
    stages = _stages(wanted, price) if models else ()
    dollars = [stage.usd for stage in stages]
    searching = round(queries * query_usd, 6)
    return Estimate(
        usd=None if None in dollars else round(sum(usd or 0.0 for usd in dollars) + searching, 6),
        search_usd=searching,
        tokens=wanted,
        stages=stages,
        searches=queries * engines,
        pages=read,
        seconds=round((_SECONDS_A_ROUND if models else 3.0) * (shape.depth + 1) * seconds, 1),
    )


def pages_of_query(shape: Shape, wanted: int, groups: int) -> int:
    """How many pages each query brings, of the `wanted`: `groups` of engines are asked side by side."""
    # A narrow research reads deeper, since few queries have to bring as many sources; a wide one less of each.
    pages = min(max(wanted, _FEWEST_PAGES // shape.breadth), max(_FEW, _MOST_PAGES // shape.breadth))
    return max(1, min(pages, shape.max_pages // max(1, shape.breadth * shape.depth * groups)))


def engines_asked(shape: Shape, names: Sequence[str]) -> int:
    """How many engines each query is put to, at most, the first of those named."""
    # Few searches are better spent on all queries with one engine than on one query with all; but a collection that
    # stands first must not keep a research from the web.
    shelves = sum(name in SHELVES for name in names)
    return max(shelves + 1, shape.max_searches // max(1, shape.breadth * shape.depth))


def _stages(tokens: int, price: Price) -> tuple[StageEstimate, ...]:
    shared: dict[Role, int] = {role: round(tokens * share) for role, share in SHARES.items()}
    shared["reader"] += tokens - sum(shared.values())

    def cost(role: Role, part: int) -> float | None:
        usd = price.usd(role, round(part * (1 - _ANSWERED)), round(part * _ANSWERED))
        return None if usd is None else round(usd, 6)

    return tuple(
        StageEstimate(stage=role, model=price.model(role), tokens=part, usd=cost(role, part))
        for role, part in shared.items()
    )


def default_plan(brief: Brief) -> Plan:
    """The question as its only sub-question."""
    part = SubQuestion(
        id="q1", text=brief.question[:1000], priority="high", queries=_queries((), brief.question, brief)
    )
    return Plan(sub_questions=(part,), made_by="default")


def as_given(texts: Sequence[str], plan: Plan, brief: Brief) -> Plan:
    """The plan with the sub-questions that the user wants, word for word; those that stood there keep their queries."""
    known = {part.text: part for part in plan.sub_questions}
    kept: list[SubQuestion] = []
    for text in dict.fromkeys(" ".join(text.split()) for text in texts):
        before = known.get(text)
        part = before or SubQuestion(id="", text=text, priority="high", queries=_queries((), text, brief))
        # What an earlier part was to wait for may be gone.
        kept.append(part.model_copy(update={"id": f"q{len(kept) + 1}", "depends_on": ()}))
    return plan.model_copy(update={"sub_questions": tuple(kept), "questions": ()})


def sound(proposed: Sequence[SubQuestion], brief: Brief) -> tuple[SubQuestion, ...]:
    """The sub-questions that make sense: distinct, numbered in order, with usable queries and no circle."""
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
        # Where all that was proposed is asked for another part, its own words are still to be asked.
        own = (*_queries((), text, brief), *filter(is_query, (searchable(text)[:300],)))
        queries = _new(_queries(part.queries, text, brief), asked) or _new(own, asked)[:1]
        if not queries:
            continue
        name = f"q{len(result) + 1}"
        # Looking back only: a part may wait for an earlier one, so no circle can be.
        needs = dict.fromkeys(new for old in part.depends_on if (new := renamed.get(old, "")))
        result.append(
            part.model_copy(
                update={"id": name, "text": text, "queries": queries, "depends_on": tuple(needs), "status": "todo"}
            )
        )
        seen[same] = renamed[part.id] = name
    return tuple(result)


def _new(queries: Sequence[str], asked: set[str]) -> tuple[str, ...]:
    """Those that are not asked for an earlier part; they count as asked now."""
    return tuple(query for query in queries if not ((key := query_key(query)) in asked or asked.add(key)))


def _queries(proposed: Sequence[str], question: str, brief: Brief) -> tuple[str, ...]:
    """Usable ones of those proposed, else one made of the question's keywords."""
    asked = map(searchable, proposed)
    cleaned = (" ".join(word for word in text.split() if _site_allowed(word, brief))[:300] for text in asked)
    if good := tuple(dict.fromkeys(filter(is_query, cleaned))):
        return good
    question = searchable(question)
    own = " ".join(keywords(question, 8))
    # One word alone finds anything: the whole question says in what sense it is meant.
    wider = " ".join(dict.fromkeys((question, *keywords(searchable(brief.question), 8))))
    return (next((text[:300] for text in (own, question, wider) if is_query(text)), question[:300]),)


def _site_allowed(word: str, brief: Brief) -> bool:
    if not word.lower().startswith("site:"):
        return True
    url, allowed = f"https://{word[5:]}/", brief.request.include_domains
    return not in_domains(url, brief.request.exclude_domains) and (not allowed or in_domains(url, allowed))
