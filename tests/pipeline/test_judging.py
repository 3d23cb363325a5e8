"""What holds of every judgement, whoever judges."""

import itertools
from datetime import date
from typing import Any

from deepresearch_mcp.pipeline.judging import Judge, judge_reports, process_of, unnamed
from deepresearch_mcp.records.judging import AnswerKey, Found, FoundKey, KeyedQuestion, ReportMarks, Weighing
from deepresearch_mcp.thinkers.judging_tasks import FindKeys
from exported_runs import run_of
from pipeline_fakes import MemoryJournal

KEYS = (AnswerKey(id="x", fact="Ice floats."), AnswerKey(id="y", fact="It is lighter."))
ASKED = KeyedQuestion(question="Why does ice float?", deliverables=("why",), keys=KEYS)
GOOD, BAD = "the good report", "the bad report"


def marks(text: str) -> ReportMarks:
    value = 9 if text == GOOD else 2
    return ReportMarks(comprehensiveness=value, insight=value, instructions=value, readability=value, trust=value)


class FairThinker:
    """Judges by the text alone; at first it forgets the second key."""

    name = "fair"

    def __init__(self) -> None:
        self.shown: list[tuple[str, ...]] = []
        self.steps: list[str] = []

    async def ask(self, task: Any, step: Any) -> Any:
        self.steps.append(step.key)
        self.shown.append(tuple(task.reports))
        if isinstance(task, FindKeys):
            found: tuple[Found, ...] = tuple("yes" if text == GOOD else "no" for text in task.reports)
            return [FoundKey(key=task.keys[0].id, found=found)]
        best = task.reports.index(GOOD)
        letters = "AB"
        return Weighing(
            marks=tuple(map(marks, task.reports)),
            answered=(tuple(text == GOOD for text in task.reports),),
            preferred=best,
            why=f"[{letters[best]}] beats [{letters[1 - best]}].",
        )


def judge(thinker: Any, journal: Any) -> Judge:
    return Judge("openai:j", thinker, journal, date(2026, 11, 28))


async def test_whatever_the_lot_says_verdicts_belong_to_the_reports_as_they_were_given() -> None:
    orders: set[tuple[str, ...]] = set()
    for _ in range(40):
        thinker = FairThinker()
        found = await judge_reports(ASKED, (BAD, GOOD), judge(thinker, MemoryJournal()))

        assert found.keys == {"x": ("no", "yes"), "y": ("no", "yes")}, "a key that was left out is asked for once more"
        assert (found.weighing.preferred, found.weighing.answered) == (1, ((False, True),))
        assert [one.trust for one in found.weighing.marks] == [2, 9]
        assert found.weighing.why == "[B] beats [A]."
        assert len(set(thinker.shown)) == 1, "all questions show the reports in one order"
        orders.add(thinker.shown[0])

    assert orders == set(itertools.permutations((BAD, GOOD)))


async def test_the_lot_is_drawn_once_and_another_judge_is_asked_anew() -> None:
    first, second = FairThinker(), FairThinker()
    journal = MemoryJournal()
    await judge_reports(ASKED, (BAD, GOOD), judge(first, journal))
    await judge_reports(ASKED, (BAD, GOOD), judge(second, journal.next_life()))
    other = FairThinker()
    await judge_reports(ASKED, (BAD, GOOD), Judge("openai:k", other, MemoryJournal(), date(2026, 11, 28)))

    assert first.shown == second.shown
    assert first.steps == second.steps
    assert set(first.steps).isdisjoint(other.steps)


def test_a_report_of_ours_is_shown_without_its_own_account_and_without_names() -> None:
    report = "# Ice\n\nBy openai:m-5. Ice floats.\n\n---\nEvidence: 3 claims\nCost: $0.11 · models: openai:m-5\n"

    assert unnamed(report, ("OpenAI:m-5", ""), ours=True) == "# Ice\n\nBy the system. Ice floats.\n\n"
    assert unnamed("No account.", ours=True) == "No account."
    assert unnamed(report, ours=False) == report


def test_the_process_of_a_run_is_told_in_lines() -> None:
    run = run_of()
    lines = process_of(run).splitlines()

    assert lines[0].startswith("Status: ")
    assert sum(line.startswith("Cited: ") for line in lines) == sum(one.cited for one in run.sources)
    assert any(line.startswith("Claims: ") for line in lines)
