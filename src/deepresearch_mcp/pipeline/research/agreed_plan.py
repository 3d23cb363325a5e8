"""The plan of a run: priced before anything is spent, and agreed with the user where one is asked."""

from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.events import Degraded, Planned
from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.research.affording import afford, for_plan, load_of
from deepresearch_mcp.pipeline.research.consent import Consent
from deepresearch_mcp.pipeline.research.nearest_hypotheses import is_known
from deepresearch_mcp.pipeline.research.pace import Load
from deepresearch_mcp.pipeline.research.planner import make_plan
from deepresearch_mcp.pipeline.scope import default_plan
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import AddedSubQuestion, Expected
from deepresearch_mcp.records.plan import Estimate, Hypothesis, Plan, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.thinkers.staged import goes_by_rules

_MOST_PARTS = 16
"""Sub-questions of a plan, with those that rounds add."""


class AgreedPlan:
    """Makes the plan of one run and writes it into its findings."""

    def __init__(self, request: ResearchRequest, parts: Dependencies, findings: Findings) -> None:
        self._request = request
        self._parts = parts
        self._findings = findings
        self._estimate: Estimate | None = None

    async def afford(self) -> Load:
        """Estimate the cost before anything is spent; returns what one query is likely to use."""
        parts, request = self._parts, self._request
        thinks = not goes_by_rules(parts.thinker)
        means = replace(parts.means, engines=tuple(engine.name for engine in parts.engines), models=thinks)
        self._estimate = await afford(request, means, parts.asker, parts.journal, parts.emit)
        return load_of(self._estimate, request, means)

    async def make(self, needs: tuple[str, ...]) -> None:
        """Plan, then ask the user where the user wants to be asked. `needs`: the searches answered so far.

        What the agreed plan says is asked for goes into the brief, which every later stage is given.
        """
        findings, parts = self._findings, self._parts
        consent = Consent(
            asker=parts.asker,
            journal=parts.journal,
            plan_again=lambda brief, step: make_plan(brief, parts.thinker, step),
            priced=self._priced,
            ceilings=self._request.shape,
        )
        plan = self._priced(await self._planned(Step(steps.PLAN, needs)))
        self._emit(plan)
        agree = consent.approve if self._request.approve_plan else consent.clarify
        agreed, findings.brief = await agree(plan, findings.brief)
        findings.plan = self._priced(agreed)
        findings.brief = findings.brief.model_copy(update={"scope": agreed.scope})
        if agreed is not plan:
            self._emit(agreed)

    async def _planned(self, step: Step) -> Plan:
        try:
            return await make_plan(self._findings.brief, self._parts.thinker, step)
        except BudgetExceeded as error:
            self._findings.meet(error.kind)
            return default_plan(self._findings.brief)

    def _priced(self, plan: Plan) -> Plan:
        estimate = self._estimate and for_plan(self._estimate, plan, self._request)
        return plan.model_copy(update={"estimate": estimate})

    def _emit(self, plan: Plan) -> None:
        parts, wanted = plan.sub_questions, plan.scope.deliverables
        told = (tuple(part.text for part in parts), tuple(one.text for one in wanted), len(plan.hypotheses))
        self._parts.emit(Planned(plan.made_by, *told))
        if plan.made_by == "default":
            self._parts.emit(Degraded("No usable plan was made: the question was researched as a whole."))


def extended(plan: Plan, added: Sequence[AddedSubQuestion], expected: Sequence[Expected]) -> Plan:
    """The plan with the sub-questions and hypotheses that a round showed to be needed, as far as they are new."""
    known = {part.text for part in plan.sub_questions}
    parts = list(plan.sub_questions)
    for one in added:
        if one.text not in known and len(parts) < _MOST_PARTS:
            parts.append(SubQuestion(id=f"q{len(parts) + 1}", text=one.text, queries=one.queries))
    hypotheses = list(plan.hypotheses)
    for one in expected:
        if not is_known(one.statement, [other.statement for other in hypotheses]):
            name = f"h{len(hypotheses) + 1}"
            hypotheses.append(
                Hypothesis(id=name, statement=one.statement, query=one.query, sub_question=one.sub_question)
            )
    return plan.model_copy(update={"sub_questions": tuple(parts), "hypotheses": tuple(hypotheses)})
