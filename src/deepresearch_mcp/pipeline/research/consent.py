"""Ask the user before anything is paid for: is this the plan, and what is meant by the question?"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count

from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.research.planner import as_given
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.records.consent import RULED, InputRequest, Reply
from deepresearch_mcp.records.plan import Brief, Clarification, Plan
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.text.keywords import discriminative_words

MOST_QUESTIONS = 3
_LONGEST = 300
"""Characters of a question back, and of one of its options."""


@dataclass(frozen=True, slots=True)
class Consent:
    """What the user is asked about a plan."""

    asker: UserPrompter
    journal: Journal
    plan_again: Callable[[Brief, Step], Awaitable[Plan]]
    """The planner, once more, with all that the brief's wishes say."""
    priced: Callable[[Plan], Plan]
    """The plan with its estimate."""
    ceilings: Shape

    async def clarify(self, plan: Plan, brief: Brief) -> tuple[Plan, Brief]:
        """Ask what is meant, once, where the plan would be another; then plan again with the answers."""
        questions = worth_asking(plan, brief)
        if not questions:
            return plan, brief
        text = "The question can mean different things: what is meant?"
        key = steps.CLARIFY
        reply = await self._asked(
            InputRequest(inquiry_id=key, kind="clarification", text=text, plan=plan, questions=questions), key
        )
        wishes = (*_answered(questions, reply), *filter(None, (" ".join(reply.note.split()),)))
        if not wishes:
            return plan, brief
        brief = brief.model_copy(update={"wishes": wishes})
        return await self._again(plan, brief, Step(steps.CLARIFIED, (key,))), brief

    async def approve(self, plan: Plan, brief: Brief) -> tuple[Plan, Brief]:
        """Show the plan until it is approved: changed ones again, unless the change came with the approval."""
        for number in count(1):
            key = steps.approval(number)
            questions = worth_asking(plan, brief)
            reply = await self._asked(
                InputRequest(
                    inquiry_id=key,
                    kind="approval",
                    text="Nothing is searched or read before this plan is approved.",
                    plan=self.priced(plan),
                    ceilings=self.ceilings,
                    questions=questions,
                ),
                key,
            )
            plan, brief = await self._changed(plan, brief, questions, reply, number)
            if reply.decision == "approve":
                break
        return plan, brief

    async def _changed(
        self, plan: Plan, brief: Brief, questions: Sequence[Clarification], reply: Reply, number: int
    ) -> tuple[Plan, Brief]:
        if meant := _answered(questions, reply):
            brief = brief.model_copy(update={"wishes": (*brief.wishes, *meant)})
        if reply.sub_questions:
            return as_given(reply.sub_questions, plan, brief), brief
        if not (reply.note or meant):
            return plan, brief
        # Only the planner needs to know what stood there; later stages read the plan itself.
        shown = "; ".join(f"({at}) {part.text}" for at, part in enumerate(plan.sub_questions, 1))
        said = (f"Of the plan {shown} the user says: {reply.note}",) if reply.note else ()
        asked = brief.model_copy(update={"wishes": (*brief.wishes, *said)})
        step = steps.revision(number)
        return await self._again(plan, asked, step), brief

    async def _again(self, plan: Plan, brief: Brief, step: Step) -> Plan:
        try:
            revised = await self.plan_again(brief, step)
        except BudgetExceeded:
            return plan
        # A planner that failed must not undo what the user has seen.
        return plan if revised.made_by in RULED else revised

    async def _asked(self, inquiry: InputRequest, key: str) -> Reply:
        async def ask() -> Reply:
            return await self.asker.ask(inquiry)

        return await self.journal.step(Step(key), ask, kind="decision", result=Reply, request=inquiry.subject())


def worth_asking(plan: Plan, brief: Brief) -> tuple[Clarification, ...]:
    """Those of the planner's questions that can change the plan and that nothing said before settles.

    Each leaves a choice between at least two things that the user has not named; nothing is asked twice in a run, nor
    in a follow-up, which keeps what its first run was about.
    """
    if not brief.may_ask:
        return ()
    said = set(discriminative_words(brief.question))
    chosen: dict[str, Clarification] = {}
    for one in plan.questions:
        text = " ".join(one.question.split())[:_LONGEST]
        options = {
            " ".join(sorted(words)): " ".join(option.split())[:_LONGEST]
            for option in one.options
            if (words := set(discriminative_words(option)))
        }
        new = [key for key in options if not set(key.split()) <= said]
        # An option that stands in the question already is its answer.
        if discriminative_words(text) and len(new) == len(options) >= 2:
            chosen.setdefault(text.casefold(), Clarification(question=text, options=tuple(options.values())[:4]))
    return tuple(chosen.values())[:MOST_QUESTIONS]


def _answered(questions: Sequence[Clarification], reply: Reply) -> tuple[str, ...]:
    """Question and answer in one line each; what was left empty is left out."""
    pairs = zip(questions, reply.answers, strict=False)
    return tuple(
        f"Asked “{one.question}”, the user said: {' '.join(answer.split())}" for one, answer in pairs if answer
    )
