"""The questions that a judge of reports and runs is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import cast

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.judging import Found, FoundKey, ReportMarks, RunMarks, Weighing
from deepresearch_mcp.thinkers.judging_tasks import FindKeys, MarkRun, WeighReports
from deepresearch_mcp.thinkers.prompted import judging_answers
from deepresearch_mcp.thinkers.prompted.judging_answers import KeysAnswer, MarksAnswer, RunMarksAnswer, WeighAnswer
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    FilledPrompt,
    Halves,
    PromptContext,
    PromptSpec,
    in_two,
)

_NAMES = "AB"
_KEY = 600
"""Characters of a key."""
_WHY = 600
_FOUND: Mapping[str, Found] = MappingProxyType({"yes": "yes", "partly": "partly", "half": "partly", "no": "no"})
_WINNER: Mapping[str, int] = MappingProxyType({"a": 0, "b": 1})


def find_keys(task: FindKeys, context: PromptContext) -> FilledPrompt[KeysAnswer, Sequence[FoundKey]]:
    """Ask which keys the reports hold."""
    labels, many = Labels("k", task.keys), len(task.reports)

    def result(answer: KeysAnswer) -> Sequence[FoundKey] | None:
        found: dict[str, FoundKey] = {}
        for one in answer.keys:
            key = labels.find(one.key)
            said = [_FOUND.get(word.strip().lower()) for word in (one.a, one.b)[:many]]
            if key and None not in said:
                found.setdefault(key.id, FoundKey(key=key.id, found=tuple(cast("list[Found]", said))))
        return tuple(found.values()) or None

    rows = [f"{name}: {one_line(key.fact, _KEY)}" for name, key in labels.named()]
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "question": task.brief.question,
            "keys": "\n".join(rows),
            "reports": _reports(task.reports, context),
        },
        result=result,
        max_tokens=300 + 40 * len(rows),
        limits={"keys": {"maxItems": len(rows)}},
    )


def weigh(task: WeighReports, context: PromptContext) -> FilledPrompt[WeighAnswer, Weighing]:
    """Ask what the reports are worth to the person who asked."""
    labels, many = Labels("d", task.deliverables), len(task.reports)

    def result(answer: WeighAnswer) -> Weighing | None:
        marks = [_marks(one) for one in (answer.a, answer.b)[:many] if one]
        if len(marks) < many:
            return None
        said = {int(name[1:]): (one.a, one.b) for one in answer.deliverables for name in labels_of(one.deliverable)}
        nothing = ("", "")
        return Weighing(
            marks=tuple(marks),
            answered=tuple(
                tuple(_answers(word) for word in said.get(number, nothing)[:many])
                for number in range(1, len(task.deliverables) + 1)
            ),
            preferred=_WINNER.get(answer.preferred.strip().lower()) if many > 1 else None,
            why=one_line(answer.why, _WHY),
            lacks=one_line(answer.lacks, _WHY),
        )

    def labels_of(given: str) -> list[str]:
        wanted = labels.find(given)
        return labels.name_of(lambda one: one is wanted)[:1] if wanted is not None else []

    rows = [f"{name}: {one_line(text, _KEY)}" for name, text in labels.named()]
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "question": task.brief.question,
            "deliverables": "\n".join(rows) or "none named: what the question asks for",
            "reports": _reports(task.reports, context),
        },
        result=result,
        max_tokens=1_200 + 40 * len(rows),
        limits={"deliverables": {"maxItems": len(rows)}},
    )


def mark_run(task: MarkRun, context: PromptContext) -> FilledPrompt[RunMarksAnswer, RunMarks]:
    """Ask for the marks of one run."""
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "question": task.brief.question,
            "process": fence("process", "", task.process, context.nonce),
            "report": fence("report", "", _part(task.report, context.share), context.nonce),
        },
        result=lambda answer: RunMarks.model_validate({**answer.model_dump(), "why": one_line(answer.why, _WHY)}),
        max_tokens=800,
    )


def _reports(reports: Sequence[str], context: PromptContext) -> str:
    return "\n\n".join(
        fence("report", name, _part(text, context.share), context.nonce)
        for name, text in zip(_NAMES, reports, strict=False)
    )


def _part(text: str, share: float) -> str:
    return text if share >= 1 else text[: max(1, int(len(text) * share))]


def _marks(answer: MarksAnswer) -> ReportMarks:
    return ReportMarks(**answer.model_dump())


def _answers(word: str) -> bool | None:
    said = _FOUND.get(word.strip().lower())
    return None if said is None else said == "yes"


def _in_two(task: FindKeys) -> Sequence[FindKeys]:
    return [replace(task, keys=half) for half in in_two(task.keys)]


def _joined(found: Sequence[Sequence[FoundKey]]) -> Sequence[FoundKey]:
    return tuple(one for half in found for one in half)


KEYS = PromptSpec(
    prompt="find_keys",
    role="critic",
    lines=judging_answers.keys,
    fill=find_keys,
    shape=KeysAnswer,
    halves=Halves(_in_two, _joined),
)
WEIGH = PromptSpec(prompt="weigh_reports", role="critic", lines=judging_answers.weighing, fill=weigh, shape=WeighAnswer)
MARK = PromptSpec(
    prompt="mark_run", role="critic", lines=judging_answers.run_marks, fill=mark_run, shape=RunMarksAnswer
)

HANDLERS = (FindKeys.by(KEYS.ask), WeighReports.by(WEIGH.ask), MarkRun.by(MARK.ask))
