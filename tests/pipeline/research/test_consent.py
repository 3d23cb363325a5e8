from collections.abc import Sequence
from typing import Any

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline.research.consent import Consent, worth_asking
from deepresearch_mcp.pipeline.scope import default_plan
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import Brief, Clarification, Estimate, Plan
from deepresearch_mcp.records.request import EFFORTS
from pipeline_fakes import MemoryJournal, brief, part

WHICH = Clarification(question="Which jaguar is meant?", options=("the animal", "the car"))
FAST = "How fast is a jaguar?"


def planned(text: str = "How fast is it?", *questions: Clarification) -> Plan:
    return Plan(sub_questions=(part("q1", text, ("jaguar speed",)),), made_by="openai:x", questions=questions)


class User:
    """Replies as the test says, and keeps what was asked."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[InputRequest] = []

    async def ask(self, inquiry: InputRequest) -> Reply:
        self.asked.append(inquiry)
        return self.replies[len(self.asked) - 1]


def consent(
    user: User, journal: MemoryJournal | None = None, plans: Sequence[Plan | Exception] = ()
) -> tuple[Consent, list[tuple[Brief, Step]]]:
    again: list[tuple[Brief, Step]] = []

    async def plan_again(known: Brief, step: Step) -> Plan:
        again.append((known, step))
        made = plans[len(again) - 1]
        if isinstance(made, Exception):
            raise made
        return made

    def priced(plan: Plan) -> Plan:
        return plan.model_copy(update={"estimate": Estimate(usd=0.1, tokens=1, searches=1, pages=1, seconds=1)})

    return Consent(user, journal or MemoryJournal(), plan_again, priced, EFFORTS["quick"]), again


async def test_a_plan_is_shown_with_its_price_until_it_is_approved() -> None:
    user = User(Reply(decision="change", note="Only in water."), Reply(decision="approve"))
    asking, again = consent(user, plans=[planned("How fast does it swim?")])

    plan, known = await asking.approve(planned(), brief(FAST))

    assert [one.text for one in plan.sub_questions] == ["How fast does it swim?"]
    assert [one.inquiry_id for one in user.asked] == ["plan/approve/1", "plan/approve/2"]
    assert all(one.plan and one.plan.estimate and one.ceilings == EFFORTS["quick"] for one in user.asked)
    assert [at for _, at in again] == [Step("plan/revised/1", ("plan/approve/1",))]
    # What the note was about is the planner's alone: those behind it read the new plan.
    assert known.wishes == ()


async def test_a_replay_asks_no_one_and_comes_to_the_same_plan() -> None:
    journal, user = MemoryJournal(), User(Reply(decision="change", sub_questions=("Why?",)), Reply(decision="approve"))
    first, _ = await consent(user, journal)[0].approve(planned(), brief(FAST))

    nobody = User()
    second, _ = await consent(nobody, journal.next_life())[0].approve(planned(), brief(FAST))

    assert nobody.asked == []
    assert second == first


async def test_another_plan_than_the_one_approved_is_asked_about_again() -> None:
    journal = MemoryJournal()
    await consent(User(Reply(decision="approve")), journal)[0].approve(planned(), brief(FAST))
    user = User(Reply(decision="approve"))

    await consent(user, journal.next_life())[0].approve(planned("How heavy is it?"), brief(FAST))

    assert len(user.asked) == 1


@pytest.mark.parametrize("made", [BudgetExceeded("max_usd", 1, 1), default_plan(brief(FAST))])
async def test_a_planner_that_fails_leaves_the_plan_that_the_user_has_seen(made: Any) -> None:
    user = User(Reply(decision="change", note="Shorter."), Reply(decision="approve"))

    plan, _ = await consent(user, plans=[made])[0].approve(planned(), brief(FAST))

    assert plan == planned()


async def test_questions_of_the_planner_stand_beside_its_plan_and_their_answers_count_from_then_on() -> None:
    user = User(Reply(decision="change", answers=("the animal",)), Reply(decision="approve"))
    asking, again = consent(user, plans=[planned("How fast is the cat?", WHICH)])

    plan, known = await asking.approve(planned("How fast is it?", WHICH), brief(FAST))

    assert [len(one.questions) for one in user.asked] == [1, 0]
    assert known.wishes == ("Asked “Which jaguar is meant?”, the user said: the animal",)
    assert again[0][0].wishes == known.wishes
    assert [one.text for one in plan.sub_questions] == ["How fast is the cat?"]


async def test_a_clarification_may_be_answered_in_other_words() -> None:
    user = User(Reply(decision="change", note="The old operating system."))

    _, known = await consent(user, plans=[planned()])[0].clarify(planned("Why?", WHICH), brief(FAST))

    assert known.wishes == ("The old operating system.",)


async def test_a_plan_without_a_question_asks_no_one() -> None:
    user = User()

    assert (await consent(user)[0].clarify(planned(), brief(FAST)))[0] == planned()
    assert user.asked == []


@pytest.mark.parametrize(
    ("question", "back", "given"),
    [
        # What the question says already.
        ("How fast is the car called Jaguar?", WHICH, {}),
        # No choice at all.
        (FAST, Clarification(question="Which jaguar?", options=("the animal",)), {}),
        (FAST, Clarification(question="Which jaguar?"), {}),
        (FAST, Clarification(question="Which jaguar?", options=("the animal", "animal")), {}),
        (FAST, Clarification(question="??", options=("the animal", "the car")), {}),
        (FAST, WHICH, {"clarify": "never"}),
        # A follow-up is about what its first run was about.
        (FAST, WHICH, {"follow_up_of": "0" * 26}),
    ],
)
def test_what_is_settled_or_leaves_no_choice_is_not_asked(
    question: str, back: Clarification, given: dict[str, Any]
) -> None:
    assert worth_asking(planned("Why?", back), brief(question, **given)) == ()
    assert worth_asking(planned("Why?", WHICH), brief(FAST)) == (WHICH,)


def test_at_most_three_questions_are_asked_each_once_and_none_after_an_answer() -> None:
    many = [
        WHICH,
        WHICH,
        *(WHICH.model_copy(update={"question": f"Which jaguar of {at}?"}) for at in range(1990, 1995)),
    ]

    asked = worth_asking(planned("Why?", *many), brief(FAST))

    assert [one.question for one in asked] == [WHICH.question, "Which jaguar of 1990?", "Which jaguar of 1991?"]
    assert worth_asking(planned("Why?", *many), brief(FAST).model_copy(update={"wishes": ("the animal",)})) == ()
