"""The plan of a run: priced before anything is spent, and agreed with the user where one is asked."""

from dataclasses import replace

from deepresearch_mcp.events import Degraded, Planned
from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.research.affording import afford, for_plan, load_of
from deepresearch_mcp.pipeline.research.consent import Consent
from deepresearch_mcp.pipeline.research.pace import Load
from deepresearch_mcp.pipeline.research.planner import make_plan
from deepresearch_mcp.pipeline.scope import default_plan
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.plan import Estimate, Plan
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.thinkers.staged import goes_by_rules


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
