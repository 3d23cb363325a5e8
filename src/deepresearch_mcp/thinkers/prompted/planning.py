"""The question that opens a research: what is asked for, by which parts, and what is expected."""

from collections.abc import Iterable, Sequence
from typing import get_args

from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.plan import (
    MOST_PARTS,
    PART_QUERIES,
    Clarification,
    Deliverable,
    DeliverableKind,
    Hypothesis,
    Plan,
    Priority,
    Scope,
    SubQuestion,
)
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.answers import PlanAnswer, PlannedPart
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.tasks import PlanResearch

_PRIORITIES: dict[str, Priority] = {word: word for word in get_args(Priority)}
_KINDS: dict[str, DeliverableKind] = {word: word for word in get_args(DeliverableKind)}


def plan(task: PlanResearch, context: PromptContext) -> FilledPrompt[PlanAnswer, Plan]:
    """Ask for the brief, the sub-questions `q1` …, and what the planner expects."""
    brief = task.brief
    parts = max(1, min(task.parts, MOST_PARTS))

    def result(answer: PlanAnswer) -> Plan | None:
        asked = [part for part in answer.sub_questions if part.question.strip()][:parts]
        found = tuple(_sub_question(number, part) for number, part in enumerate(asked, 1))
        goals = (one_line(answer.goal),) if answer.goal.strip() else ()
        back = tuple(
            Clarification(question=one_line(one.question), options=tuple(map(one_line, one.options)))
            for one in answer.ask
            if one.question.strip()
        )
        if not found:
            return None
        return Plan(
            goals=goals,
            sub_questions=found,
            scope=_scope(answer),
            hypotheses=_hypotheses(answer, asked),
            made_by=context.by,
            questions=back,
        )

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "limits": material.limits(brief),
            "parts": str(parts),
            "expectations": str(task.hypotheses),
            "language": material.language(brief),
            "background": material.background(brief, context.nonce, context.share),
        },
        result=result,
        max_tokens=1_500 + 350 * parts,
        limits={
            "sub_questions": {"minItems": 1, "maxItems": parts},
            # The planner's answer is on every run's critical path, so it holds no question that will not be asked.
            "ask": {"maxItems": 3 if brief.may_ask else 0},
            "options": {"maxItems": 4},
            "queries": {"minItems": 1, "maxItems": PART_QUERIES},
        },
    )


def _scope(answer: PlanAnswer) -> Scope:
    asked = [one for one in answer.deliverables if one.text.strip()]
    return Scope(
        deliverables=tuple(
            Deliverable(id=f"d{number}", kind=_KINDS.get(one.kind.strip().lower(), "answer"), text=one_line(one.text))
            for number, one in enumerate(asked, 1)
        ),
        subjects=_lines(answer.subjects),
        aspects=_lines(answer.aspects),
        constraints=_lines(answer.constraints),
        premises=_lines(one.statement for one in answer.premises),
    )


def _hypotheses(answer: PlanAnswer, parts: Sequence[PlannedPart]) -> tuple[Hypothesis, ...]:
    """The premises, then what is expected of each sub-question: `h1` …."""
    found = [("", one) for one in answer.premises]
    found += [(f"q{number}", one) for number, part in enumerate(parts, 1) for one in part.expect]
    stated = [(name, one) for name, one in found if one.statement.strip()]
    return tuple(
        Hypothesis(
            id=f"h{number}",
            statement=one_line(one.statement),
            query=one_line(one.query),
            sub_question=name,
            premise=not name,
        )
        for number, (name, one) in enumerate(stated, 1)
    )


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(one_line(text) for text in texts if text.strip())


def _sub_question(number: int, part: PlannedPart) -> SubQuestion:
    # A part can only depend on an earlier one, so the answer cannot hold a circle.
    earlier = Labels("q", [f"q{other}" for other in range(1, number)])
    return SubQuestion(
        id=f"q{number}",
        text=one_line(part.question),
        priority=_PRIORITIES.get(part.priority.strip().lower(), "medium"),
        queries=tuple(dict.fromkeys(one_line(query) for query in part.queries if query.strip())),
        depends_on=tuple(earlier.find_all(part.depends_on)),
    )


PLAN = PromptSpec(prompt="plan", role="planner", lines=lines.plan, fill=plan, shape=PlanAnswer)

HANDLERS = (PlanResearch.by(PLAN.ask),)
