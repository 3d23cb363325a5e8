"""Compares reports of two configurations, or of ours and another system's, question by question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

import anyio

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.evals.filed_journal import open_filed_journal
from deepresearch_mcp.evals.keyed import AskedQuestion
from deepresearch_mcp.evals.report_figures import ReportFigures, measured, reads_collections, total, with_judgement
from deepresearch_mcp.evals.reports import Configuration, MadeReport, Say, carried_out, researched
from deepresearch_mcp.exceptions import BudgetExceeded, DeepResearchError, ProviderError
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.judging import open_judge
from deepresearch_mcp.pipeline.judging import JudgedReports, judge_reports, unnamed
from deepresearch_mcp.records.checks import CHECKING, CheckRequest
from deepresearch_mcp.records.judging import Found
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import MAX_TEXT
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.thinkers.base import EXTRACTIVE

_HOURS = 24 * 60.0
_BY_WORDS = "No model was at hand to judge: citations were held to their pages by their words alone."
_NO_PRICE = "The price of the judge is not known, so its calls are not in that sum; model.prices can name it."
_NOT_JUDGED = (
    "Not measured without a judge: keys, deliverables as a reader sees them, insight, readability, trust, and which"
    " report is preferred."
)


@dataclass(frozen=True, slots=True)
class Compared:
    """The reports on one question."""

    name: str
    question: str
    reports: Sequence[MadeReport]
    figures: Sequence[ReportFigures]
    keys: Mapping[str, Sequence[Found]] = field(default_factory=dict[str, Sequence[Found]])
    """Id of a key → whether each report tells it."""
    preferred: str = ""
    """The system whose report the judge would rather have; empty: none, or it was not asked."""
    why: str = ""
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All questions, and what they come to together."""

    systems: Sequence[str]
    questions: Sequence[Compared]
    judge: str
    """`PROVIDER:NAME`; empty: there was none."""
    usd: float
    """What the judge and the checks cost this time; what was judged before is not paid for again."""
    notes: Sequence[str]

    @property
    def totals(self) -> list[ReportFigures]:
        """Means and sums over the questions, in the order of the systems."""
        return [total([one.figures[place] for one in self.questions]) for place in range(len(self.systems))]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is compared, and by whom."""

    questions: Sequence[AskedQuestion]
    configurations: Sequence[Configuration]
    """One or two; with another system's reports one."""
    other: str = ""
    """The name under which another system's reports are shown."""
    judge: str = "auto"
    max_usd: float = 1.0
    """What judge and checks may cost together."""
    fresh: bool = False


async def compared(asked: Asked, say: Say) -> Comparison:
    """Research, check and judge.

    Raises:
        InvalidRequest, SettingsError, StoreError: A setting, a model or a question cannot be used.
    """
    first = asked.configurations[0]
    async with open_runtime(first.settings) as runtime:
        judge = runtime.thinkers.judge_named(asked.judge)
    wanted = {one.name: one.asked.question for one in asked.questions}
    made: list[Mapping[str, MadeReport]] = [
        await researched(configuration, wanted, say, fresh=asked.fresh) for configuration in asked.configurations
    ]
    if asked.other:
        made.append({one.name: MadeReport(asked.other, one.report) for one in asked.questions})
    async with open_runtime(first.settings) as runtime, open_jobs(runtime) as jobs:
        bench = Bench(jobs, judge, asked.max_usd, say)
        found = [
            await bench.one(question, [reports[question.name] for reports in made]) for question in asked.questions
        ]
    systems = [*(one.name for one in asked.configurations), *([asked.other] if asked.other else [])]
    notes = bench.notes if judge else [_BY_WORDS, _NOT_JUDGED, *bench.notes]
    return Comparison(systems, found, judge, round(bench.spent, 6), list(dict.fromkeys(notes)))


class Bench:
    """Measures and judges the reports of one question after another, within one ceiling."""

    def __init__(self, jobs: Jobs, judge: str, max_usd: float, say: Say) -> None:
        """`judge`: PROVIDER:NAME; "" for none."""
        self._jobs, self._judge, self._say = jobs, judge, say
        self._max_usd = max_usd
        self.spent = 0.0
        """Dollars of judge and checks."""
        self.notes: list[str] = []

    async def one(self, question: AskedQuestion, reports: Sequence[MadeReport]) -> Compared:
        """Measure and judge the reports on one question."""
        self._say(f"Checking and judging: {question.name}")
        for report in reports:
            if report.error:
                self.notes.append(f"{question.name}: {report.system} has no report. {report.error}")
        figures = [measured(one, await self._check(one, question.name)) for one in reports]
        found = Compared(question.name, question.asked.question, reports, figures)
        there = [place for place, one in enumerate(reports) if one.text]
        if not self._judge or not there:
            return found
        try:
            judged = await self._judged(question, reports, there)
        except (ProviderError, BudgetExceeded) as error:
            self.notes.append(f"{question.name} was not judged: {error}")
            return found
        return _with(found, judged, there, question)

    async def _check(self, made: MadeReport, name: str) -> Run | None:
        """Hold the report's citations to their pages; a run like any other, so that a second time costs nothing."""
        if not made.text:
            return None
        model = self._judge or EXTRACTIVE
        if self._judge and self._max_usd - self.spent < min(CHECKING.max_usd, self._max_usd):
            self.notes.append(
                f"{name}: citations of {made.system} were compared by words: --max-usd left too little for a model."
            )
            model = EXTRACTIVE
        if len(made.text) > MAX_TEXT:
            self.notes.append(f"{name}: only the first {MAX_TEXT:,} characters of {made.system} were checked.")
        ceiling = min(CHECKING.max_usd, self._max_usd)
        # Collections have no addresses, so such a run is held to the texts that it stored, claim by claim.
        stored = made.run.run_id if made.run and reads_collections(made.run) else ""
        text = "" if stored else made.text[:MAX_TEXT]
        request = CheckRequest(text=text, run_id=stored, model=model, max_usd=ceiling)
        began = self._jobs.runtime.clock.now().timestamp()
        try:
            run = await carried_out(self._jobs, request)
        except DeepResearchError as error:
            self.notes.append(f"{name}: citations of {made.system} were not checked: {error}")
            return None
        row = await self._jobs.get(run.run_id)
        self.spent += run.metrics.usd if row.created >= began else 0.0
        if run.status not in {"completed", "partial"}:
            why = (run.error or {}).get("message", run.status)
            self.notes.append(f"{name}: citations of {made.system} were not checked: {why}")
            return None
        if run.status == "partial":
            self.notes.append(f"{name}: the check of {made.system} is partial: a limit was met, or rules did a part.")
        return run

    async def _judged(
        self, question: AskedQuestion, reports: Sequence[MadeReport], there: Sequence[int]
    ) -> JudgedReports:
        """Ask the judge about the reports that are there; its calls are steps in a file below the data directory.

        Raises:
            ProviderError, BudgetExceeded: There is no judgement.
        """
        runtime = self._jobs.runtime
        names = {name for one in reports for name in one.names}
        texts = [unnamed(reports[place].text, names, ours=reports[place].run is not None) for place in there]
        subject = (question.asked.model_dump_json(), *texts)
        name = f"{sha256(chr(0).join((self._judge, *subject)).encode()).hexdigest()[:32]}.jsonl"
        file = anyio.Path(runtime.settings.home) / "evals" / name
        share = runtime.quotas.outside_runs(LOCAL_CALLER)
        journal = await open_filed_journal(file, share)
        left = {"max_usd": max(0.0, self._max_usd - self.spent), "max_tokens": 10**9, "max_minutes": _HOURS}
        ledger = Ledger(CHECKING.model_copy(update=left), runtime.clock, share=share)
        tally = Tally()
        opened = open_judge(runtime.thinkers, self._judge, journal, ledger, runtime.clock, *subject, tally=tally)
        try:
            return await judge_reports(question.asked, texts, await opened)
        finally:
            self.spent += ledger.used.usd
            if not tally.total.usd_known:
                self.notes.append(_NO_PRICE)


def _with(found: Compared, judged: JudgedReports, there: Sequence[int], question: AskedQuestion) -> Compared:
    """The comparison with the judgement, whose reports are those `there`."""
    # A report that is not there answers nothing, which a mean over the questions must not hide.
    nothing = 0.0 if question.asked.keys else None
    figures = [replace(one, keys=nothing, deliverables=0.0) for one in found.figures]
    for place, own in enumerate(there):
        figures[own] = with_judgement(figures[own], place, judged, question.asked)
    weighing = judged.weighing
    winner = weighing.preferred
    keys: dict[str, list[Found]] = {
        name: [told[there.index(place)] if place in there else "no" for place in range(len(figures))]
        for name, told in judged.keys.items()
    }
    named = {f"[{letter}]": found.reports[place].system for letter, place in zip("AB", there, strict=False)}
    return replace(
        found,
        figures=figures,
        keys=keys,
        preferred="" if winner is None else found.reports[there[winner]].system,
        why=_in_names(weighing.why, named),
        lacks=_in_names(weighing.lacks, named),
    )


def _in_names(text: str, named: Mapping[str, str]) -> str:
    for mark, name in named.items():
        text = text.replace(mark, name)
    return text
