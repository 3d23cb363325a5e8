"""Plan: what is asked for, and a split into sub-questions and queries that can be worked on in parallel."""

from collections.abc import Mapping, Sequence

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.queries import is_query, query_key, usable_queries, without_page_addresses
from deepresearch_mcp.pipeline.research.coverage import cell_query
from deepresearch_mcp.pipeline.research.naming import names_cell, names_half, said_in, telling_words
from deepresearch_mcp.pipeline.research.width import planned_queries
from deepresearch_mcp.pipeline.scope import default_plan, default_scope
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.plan import (
    MOST_PARTS,
    PART_QUERIES,
    Brief,
    Cell,
    Hypothesis,
    Plan,
    Scope,
    SubQuestion,
    most_hypotheses,
)
from deepresearch_mcp.text.addresses import without_addresses
from deepresearch_mcp.text.keywords import discriminative_words
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import PlanResearch

_DELIVERABLES, _SUBJECTS, _ASPECTS, _CONSTRAINTS, _PREMISES = 12, 8, 10, 10, 4
_NAME, _LINE, _SENTENCE = 80, 300, 500
"""Characters of a subject or an aspect, of a constraint, and of a statement or a deliverable."""
_POINT_WORDS = 8
"""Words of a deliverable that are searched for."""


async def make_plan(brief: Brief, thinker: Thinker, step: Step) -> Plan:
    """A sound plan, whatever the thinker answers: its plan repaired, or else the question itself.

    Raises:
        BudgetExceeded: The call of the planner could cross a ceiling.
        KeyRefused: Every later call would fail too.
    """
    breadth = brief.request.shape.breadth
    try:
        proposed = await thinker.ask(PlanResearch(brief, breadth, planned_queries(breadth)), step)
    except KeyRefused:
        raise
    except ProviderError:
        return default_plan(brief)
    return sound(proposed, brief) or default_plan(brief)


def as_given(texts: Sequence[str], plan: Plan, brief: Brief) -> Plan:
    """The plan with the sub-questions as the user wrote them; those that it had already keep their queries.

    What the planner expects of a sub-question goes with it.
    """
    known = {part.text: part for part in plan.sub_questions}
    kept: list[SubQuestion] = []
    renamed = {"": ""}
    for text in dict.fromkeys(" ".join(text.split()) for text in texts):
        name = f"q{len(kept) + 1}"
        before = known.get(text)
        part = before or SubQuestion(id="", text=text, priority="high", queries=usable_queries((), text, brief))
        if before:
            renamed[before.id] = name
        # A sub-question that this one waited for may be gone.
        kept.append(part.model_copy(update={"id": name, "depends_on": ()}))
    expected = tuple(
        one.model_copy(update={"sub_question": renamed[one.sub_question]})
        for one in plan.hypotheses
        if one.sub_question in renamed
    )
    return plan.model_copy(update={"sub_questions": tuple(kept), "hypotheses": expected, "questions": ()})


def sound(proposed: Plan, brief: Brief) -> Plan | None:
    """What makes sense of a proposed plan; None without a sub-question."""
    parts, renamed = sound_parts(proposed.sub_questions, brief)
    if not parts:
        return None
    expected = sound_hypotheses(proposed, parts, renamed, brief)
    scope = _sound_scope(proposed.scope, brief)
    parts = with_every_point(parts, expected, scope, planned_queries(brief.request.shape.breadth))
    premises = tuple(one.statement for one in expected if one.premise)
    return proposed.model_copy(
        update={
            "sub_questions": parts,
            "scope": scope.model_copy(update={"premises": premises}),
            "hypotheses": expected,
        }
    )


def with_every_point(
    parts: Sequence[SubQuestion], hypotheses: Sequence[Hypothesis], scope: Scope, most: int
) -> tuple[SubQuestion, ...]:
    """The sub-questions with a query for each cell and each deliverable that has none yet, at most `most` more.

    A query meets a cell if it names the subject, and it or its sub-question the aspect. The new query follows the first
    one of the sub-question that it fits, where possible of one that has fewer queries than a planner may give.
    """
    asked = {part.id: [part.text, *part.queries] for part in parts}
    for one in hypotheses:
        if one.sub_question in asked:
            asked[one.sub_question].append(one.query)
    added: dict[str, list[str]] = {part.id: [] for part in parts}

    def is_met(cell: Cell) -> bool:
        return any(names_cell(query, cell, about) for about, *queries in asked.values() for query in queries)

    lacking = [cell_query(cell) for cell in scope.cells if not is_met(cell)]
    if len(scope.deliverables) > 1:
        texts = [one.text for one in scope.deliverables]
        said = said_in(*(text for own in asked.values() for text in own), *lacking)
        words = {text: telling_words(text, texts) for text in texts}
        lacking += [" ".join(own[:_POINT_WORDS]) for own in words.values() if not names_half(said, " ".join(own))]
    known = {query_key(query) for own in asked.values() for query in own}
    for query in filter(is_query, lacking[:most]):
        if (key := query_key(query)) not in known:
            known.add(key)
            room = [part for part in parts if len(part.queries) + len(added[part.id]) < PART_QUERIES]
            home = nearest_sub_question(query, parts)
            fits = home if not room or home in {part.id for part in room} else nearest_sub_question(query, room)
            added[fits].append(query)
    return tuple(
        part.model_copy(update={"queries": (*part.queries[:1], *added[part.id], *part.queries[1:])}) for part in parts
    )


def sound_parts(proposed: Sequence[SubQuestion], brief: Brief) -> tuple[tuple[SubQuestion, ...], Mapping[str, str]]:
    """The sub-questions that make sense: distinct, numbered, with usable queries and no circular dependency.

    Beside them the new id of each proposed one; "" for one that was left out.
    """
    result: list[SubQuestion] = []
    renamed: dict[str, str] = {}
    seen: dict[str, str] = {}
    asked: set[str] = set()
    for part in proposed:
        if len(result) == min(brief.request.shape.breadth, MOST_PARTS):
            break
        text = " ".join(part.text.split())[:1000]
        same = " ".join(discriminative_words(text)) or text.casefold()
        if not any(map(str.isalnum, text)) or same in seen or not _fit(text, brief):
            renamed.setdefault(part.id, seen.get(same, ""))
            continue
        # If another part asks all its proposed queries, its own words can still be asked.
        own = (*usable_queries((), text, brief), *filter(is_query, (without_page_addresses(text)[:300],)))
        proper = [query for query in part.queries if _fit(query, brief)]
        queries = _new(usable_queries(proper, text, brief), asked)[:PART_QUERIES] or _new(own, asked)[:1]
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
    return tuple(result), renamed


def sound_hypotheses(
    proposed: Plan, parts: Sequence[SubQuestion], renamed: Mapping[str, str], brief: Brief
) -> tuple[Hypothesis, ...]:
    """The hypotheses that can be tested: distinct, numbered, each with a query; those of a missing part belong to none.

    Premises come first, and each premise of the scope is one of them. If they are too many, the parts of lower priority
    and the later ones of each part go first.
    """
    stated = [one for one in proposed.hypotheses if one.premise]
    given = {_same(one.statement) for one in stated}
    stated += [
        Hypothesis(id="", statement=text, query="", premise=True)
        for text in proposed.scope.premises
        if _same(text) not in given
    ]
    premises = _distinct(stated, renamed, brief, set())[:_PREMISES]
    others = _distinct(
        [one for one in proposed.hypotheses if not one.premise],
        renamed,
        brief,
        {_same(one.statement) for one in premises},
    )
    urgency = {part.id: part.urgency for part in parts}
    turns: dict[str, int] = {}
    ranked: list[tuple[int, int, int]] = []
    for at, one in enumerate(others):
        turn = turns[one.sub_question] = turns.get(one.sub_question, -1) + 1
        ranked.append((turn, urgency.get(one.sub_question, 0), at))
    room = max(0, most_hypotheses(min(brief.request.shape.breadth, MOST_PARTS)) - len(premises))
    kept = sorted(at for _, _, at in sorted(ranked)[:room])
    return tuple(
        one.model_copy(update={"id": f"h{number}"})
        for number, one in enumerate((*premises, *(others[at] for at in kept)), 1)
    )


def _distinct(
    stated: Sequence[Hypothesis], renamed: Mapping[str, str], brief: Brief, seen: set[str]
) -> list[Hypothesis]:
    found: list[Hypothesis] = []
    for one in stated:
        text = _line(one.statement, _SENTENCE)
        same = _same(text)
        if not same or same in seen or not _fit(f"{text}\n{one.query}", brief):
            continue
        seen.add(same)
        query = usable_queries((one.query,), text, brief)[0]
        name = renamed.get(one.sub_question, "")
        found.append(one.model_copy(update={"statement": text, "query": query, "sub_question": name}))
    return found


def _sound_scope(proposed: Scope, brief: Brief) -> Scope:
    """What is asked for, each thing once and in a few words; without any deliverable, the question itself is one."""
    wanted = {_same(one.text): one for one in reversed(proposed.deliverables) if _fit(one.text, brief)}
    kept = [one for one in proposed.deliverables if wanted.get(_same(one.text)) is one and _same(one.text)]
    return Scope(
        deliverables=tuple(
            one.model_copy(update={"id": f"d{number}", "text": _line(one.text, _SENTENCE)})
            for number, one in enumerate(kept[:_DELIVERABLES], 1)
        )
        or default_scope(brief).deliverables,
        subjects=_names(proposed.subjects, _SUBJECTS, _NAME, brief),
        aspects=_names(proposed.aspects, _ASPECTS, _NAME, brief),
        constraints=_names(proposed.constraints, _CONSTRAINTS, _LINE, brief),
    )


def _names(texts: Sequence[str], most: int, longest: int, brief: Brief) -> tuple[str, ...]:
    named = {_same(text): _line(text, longest) for text in reversed(texts) if _same(text) and _fit(text, brief)}
    return tuple(dict.fromkeys(named[_same(text)] for text in texts if _same(text) in named))[:most]


def _line(text: str, most: int) -> str:
    """One line without addresses: a plan names no page to open, beside those that the question names."""
    return " ".join(without_addresses(text).split())[:most]


def _same(text: str) -> str:
    line = _line(text, _SENTENCE).casefold()
    return line if any(map(str.isalnum, line)) else ""


def _fit(text: str, brief: Brief) -> bool:
    """Whether a text of the planner gives no orders, unless the question itself is about such orders.

    What an earlier run has read stands in the planner's prompt, so words of a page may come back from it.
    """
    return not is_screened(text) or is_screened(brief.question)


def _new(queries: Sequence[str], asked: set[str]) -> tuple[str, ...]:
    """The queries that no earlier part asks; they count as asked now."""
    return tuple(query for query in queries if not ((key := query_key(query)) in asked or asked.add(key)))
