from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.events import Degraded, Event
from deepresearch_mcp.exceptions import (
    AnswerRefused,
    BudgetExceeded,
    ContextOverflow,
    KeyRefused,
    ModelUnusable,
    ProviderError,
    UnreadableAnswer,
)
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Draft, SectionPlan, Sketch
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldRewordedSentences, HoldSentences, RepairSentences
from deepresearch_mcp.thinkers.base import ThinkerTask
from deepresearch_mcp.thinkers.fallback import Fallback
from deepresearch_mcp.thinkers.tasks import (
    AnswerDirectly,
    AssessCoverage,
    CheckGaps,
    ConsolidateClaims,
    EditReport,
    FillSpots,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
    ReviewReport,
    SketchReport,
    WriteOpening,
    WriteSection,
)
from pipeline_fakes import MemoryJournal
from task_kinds import KINDS

BRIEF = Brief(question="Why?", language="en", today=date(2026, 11, 20), request=ResearchRequest(question="Why?"))
AT = Step("step", ("before",))
QUESTION = SubQuestion(id="q1", text="Why?")

ASKED: dict[str, ThinkerTask[object]] = {
    "plan": PlanResearch(BRIEF, 4, 8),
    "read": ReadPassages(BRIEF, QUESTION, [], 6),
    "judge": JudgeClaims(BRIEF, []),
    "hold": HoldSentences(BRIEF, []),
    "again": HoldRewordedSentences(BRIEF, []),
    "hold_judgements": HoldJudgements(BRIEF, []),
    "assess": AssessCoverage(BRIEF, [], 4),
    "consolidate": ConsolidateClaims(BRIEF, []),
    "gap_check": CheckGaps(BRIEF, []),
    "fill": FillSpots(BRIEF, [], {}),
    "sketch": SketchReport(BRIEF, [], {}, 900),
    "section": WriteSection(BRIEF, SectionPlan(heading="Ice"), Sketch(title="Ice"), [], [], {}, 90),
    "opening": WriteOpening(BRIEF, Draft(title="Ice"), [], []),
    "edit": EditReport(BRIEF, Draft(title="Ice"), [], [], {}, 900),
    "review": ReviewReport(BRIEF, Draft(title="Ice"), [], [], 3),
    "repair": RepairSentences(BRIEF, [], []),
    "direct": AnswerDirectly(BRIEF),
}
RESEARCH = ["plan", "read", "assess", "gap_check", "fill", "direct"]
FINISH = sorted(set(ASKED) - set(RESEARCH))

SPENT = BudgetExceeded("max_usd", 0.5, 0.5)
DOWN = ProviderError("openai", "HTTP 500", retryable=True)


class ScriptedThinker:
    """Does one thing whatever it is asked: gives its name and the task's back, or fails. Keeps the steps."""

    def __init__(self, name: str, error: Exception | None = None) -> None:
        self.name = name
        self.error = error
        self.keys: list[Step] = []

    async def ask(self, task: ThinkerTask[Any], step: Step) -> Any:
        self.keys.append(step)
        if self.error:
            raise self.error
        return f"{self.name} {task.name}"


def pair(error: Exception | None) -> tuple[Fallback, ScriptedThinker, ScriptedThinker, list[Event]]:
    first, second, heard = ScriptedThinker("models", error), ScriptedThinker("extractive"), list[Event]()
    return Fallback(first, second, heard.append, MemoryJournal()), first, second, heard


@pytest.mark.parametrize("method", ASKED)
async def test_a_first_that_answers_is_left_alone(method: str) -> None:
    thinker, first, second, heard = pair(None)

    assert await thinker.ask(ASKED[method], AT) == f"models {method}"
    assert (first.keys, second.keys, heard) == ([AT], [], [])
    assert thinker.name == "models"


@pytest.mark.parametrize("error", [DOWN, UnreadableAnswer("openai", "no shape")])
@pytest.mark.parametrize("method", ASKED)
async def test_where_the_first_fails_the_second_answers_and_it_is_told(method: str, error: Exception) -> None:
    thinker, _, second, heard = pair(error)

    assert await thinker.ask(ASKED[method], AT) == f"extractive {method}"

    assert second.keys == [Step("step/instead", ("before",))]
    [event] = heard
    assert isinstance(event, Degraded)
    task = ASKED[method]
    assert (event.who, event.failed, event.by_rule) == ("models", task.doing, method)
    assert event.then == (task.instead or "the extractive engine did it instead")
    assert event.what.startswith(f"models could not {task.doing}: openai: ")


@pytest.mark.parametrize(
    ("task", "failed"),
    [
        ("judge", "check claims"),
        ("hold", "hold finished sentences to their sources"),
        ("again", "look at sentences that were worded anew"),
    ],
)
async def test_what_was_to_be_judged_is_told_truly(task: str, failed: str) -> None:
    thinker, _, _, heard = pair(DOWN)

    await thinker.ask(ASKED[task], AT)

    [event] = heard
    assert isinstance(event, Degraded)
    assert (event.failed, event.why) == (failed, "openai: HTTP 500")


@pytest.mark.parametrize("method", ["plan", "read", "judge", "hold", "again", "hold_judgements", "assess"])
async def test_in_its_next_life_research_goes_the_same_way_and_asks_the_first_no_more(method: str) -> None:
    journal, heard = MemoryJournal(), list[Event]()
    failing = Fallback(ScriptedThinker("models", DOWN), ScriptedThinker("extractive"), heard.append, journal)
    await failing.ask(ASKED[method], AT)
    first, second = ScriptedThinker("models"), ScriptedThinker("extractive")

    answer = await Fallback(first, second, heard.append, journal.next_life()).ask(ASKED[method], AT)

    assert answer == f"extractive {method}"
    assert first.keys == []
    assert heard[0] == heard[1]


@pytest.mark.parametrize("method", FINISH)
async def test_what_a_ceiling_kept_from_the_first_is_asked_of_it_in_the_next_life(method: str) -> None:
    journal = MemoryJournal()
    failing = Fallback(ScriptedThinker("m", SPENT), ScriptedThinker("e"), lambda event: None, journal)
    await failing.ask(ASKED[method], AT)

    richer = Fallback(ScriptedThinker("m"), ScriptedThinker("e"), lambda event: None, journal.next_life())

    assert str(await richer.ask(ASKED[method], AT)).startswith("m ")


@pytest.mark.parametrize("method", ["sketch", "section", "opening", "edit", "review", "repair"])
async def test_what_the_second_wrote_is_written_by_the_first_in_the_next_life(method: str) -> None:
    journal = MemoryJournal()
    failing = Fallback(ScriptedThinker("m", DOWN), ScriptedThinker("e"), lambda event: None, journal)
    await failing.ask(ASKED[method], AT)

    recovered = Fallback(ScriptedThinker("m"), ScriptedThinker("e"), lambda event: None, journal.next_life())

    assert str(await recovered.ask(ASKED[method], AT)).startswith("m ")


async def test_a_refusal_to_read_passes_on_so_that_they_are_skipped() -> None:
    thinker, _, second, heard = pair(AnswerRefused("openai", "the model declined to answer"))

    with pytest.raises(AnswerRefused):
        await thinker.ask(ASKED["read"], AT)
    assert (second.keys, heard) == ([], [])

    assert str(await thinker.ask(ASKED["section"], AT)).startswith("extractive")


@pytest.mark.parametrize("method", FINISH)
async def test_at_a_ceiling_the_report_is_still_finished(method: str) -> None:
    thinker, _, _, heard = pair(SPENT)

    assert str(await thinker.ask(ASKED[method], AT)).startswith("extractive")
    assert "max_usd" in str(heard[0].data())


@pytest.mark.parametrize("method", RESEARCH)
async def test_at_a_ceiling_research_stops(method: str) -> None:
    thinker, _, second, heard = pair(SPENT)

    with pytest.raises(BudgetExceeded):
        await thinker.ask(ASKED[method], AT)

    assert (second.keys, heard) == ([], [])


@pytest.mark.parametrize("method", ASKED)
async def test_a_refused_key_stops_everything_and_says_whose(method: str) -> None:
    thinker, _, second, heard = pair(KeyRefused("openai", "the key is refused"))

    with pytest.raises(KeyRefused, match="openai"):
        await thinker.ask(ASKED[method], AT)

    assert (second.keys, heard) == ([], [])


async def test_a_second_that_fails_as_well_is_heard() -> None:
    thinker = Fallback(
        ScriptedThinker("a", DOWN),
        ScriptedThinker("b", UnreadableAnswer("b", "no shape")),
        lambda event: None,
        MemoryJournal(),
    )

    with pytest.raises(UnreadableAnswer):
        await thinker.ask(ASKED["section"], AT)


@pytest.mark.parametrize("error", [DOWN, KeyRefused("openai", "HTTP 401.", action="Set OPENAI_API_KEY.")])
@pytest.mark.parametrize("method", ASKED)
async def test_until_a_model_has_answered_a_failure_ends_the_run_and_no_further_call_is_made(
    method: str, error: ProviderError
) -> None:
    first, second, heard = ScriptedThinker("models", error), ScriptedThinker("extractive"), list[Event]()
    thinker = Fallback(first, second, heard.append, MemoryJournal(), answered=lambda: False)

    with pytest.raises(ModelUnusable, match=f"openai cannot be used: {error.reason.rstrip('.')}"):
        await thinker.ask(ASKED[method], AT)
    with pytest.raises(ModelUnusable):
        await thinker.ask(ASKED["read"], AT)

    assert (len(first.keys), second.keys, heard) == (1, [], [])


async def test_a_prompt_that_is_too_long_is_no_sign_that_the_model_cannot_be_used() -> None:
    first, second, heard = ScriptedThinker("models", ContextOverflow("openai", "?")), ScriptedThinker("rules"), []
    thinker = Fallback(first, second, heard.append, MemoryJournal(), answered=lambda: False)

    assert str(await thinker.ask(ASKED["plan"], AT)).startswith("rules plan")
    [told] = heard
    assert told.by_rule == "plan"


async def test_an_answer_of_no_use_settles_that_the_model_is_there() -> None:
    there: list[bool] = []

    class Useless(ScriptedThinker):
        async def ask(self, task: ThinkerTask[Any], step: Step) -> Any:
            there.append(True)
            return await super().ask(task, step)

    first, second = Useless("models", UnreadableAnswer("openai", "no shape")), ScriptedThinker("rules")
    thinker = Fallback(first, second, lambda event: None, MemoryJournal(), answered=lambda: bool(there))

    assert str(await thinker.ask(ASKED["plan"], AT)).startswith("rules plan")


def test_every_kind_of_task_is_among_those_asked() -> None:
    assert {type(task) for task in ASKED.values()} == KINDS
