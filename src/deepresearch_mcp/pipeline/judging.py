"""Judge reports against answer keys and against each other, and a run by its report and its process."""

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.scope import scope
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.records.judging import AnswerKey, Found, KeyedQuestion, RunMarks, Weighing
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.request import MAX_QUESTION, ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.judging_tasks import FindKeys, MarkRun, WeighReports

LONGEST = 120_000
"""Characters of a report that a judge is shown."""
_LISTED = 40
"""Queries and sources that a judge of a run is shown."""
_CLOSING = "\n---\n"
"""What stands before the account that our reports give of themselves: a judge would know them by it."""


@dataclass(frozen=True, slots=True)
class JudgedReports:
    """What a judge made of reports, in the order in which they were given."""

    keys: Mapping[str, tuple[Found, ...]]
    """Id of a key → whether each report tells it; a key that the judge left out is missing."""
    weighing: Weighing


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that judges, and where its calls are recorded."""

    name: str
    """`PROVIDER:NAME`; a part of each step's key, so that another judge is asked anew."""
    thinker: Thinker
    journal: Journal
    today: date


async def judge_reports(asked: KeyedQuestion, reports: Sequence[str], judge: Judge) -> JudgedReports:
    """Have one or two reports judged, in an order drawn by lot.

    Raises:
        ProviderError: The judge could not be asked, or its answer was unreadable.
        BudgetExceeded: A ceiling was met.
    """
    subject = (judge.name, asked.model_dump_json(), *reports)

    async def drawn() -> bool:
        return len(reports) > 1 and bool(secrets.randbelow(2))

    turned = await judge.journal.step(steps.for_judge("lot", *subject), drawn, kind="decision", result=bool)
    shown = tuple(report[:LONGEST] for report in (reversed(reports) if turned else reports))
    brief = _brief(asked.question, judge.today)
    keys = await _found(asked.keys, shown, brief, judge, subject) if asked.keys else {}
    weighing = await judge.thinker.ask(
        WeighReports(brief, asked.deliverables, shown), steps.for_judge("weigh", *subject)
    )
    if turned:
        keys = {key: found[::-1] for key, found in keys.items()}
        weighing = _turned(weighing)
    return JudgedReports(keys, weighing)


async def _found(
    keys: Sequence[AnswerKey], shown: Sequence[str], brief: Brief, judge: Judge, subject: Sequence[str]
) -> dict[str, tuple[Found, ...]]:
    """Ask for all keys, and once more for those that were left out."""
    first = await judge.thinker.ask(FindKeys(brief, keys, shown), steps.for_judge("keys", *subject))
    found = {one.key: one.found for one in first}
    if left := [key for key in keys if key.id not in found]:
        step = steps.for_judge("keys", *subject).part("rest")
        found |= {one.key: one.found for one in await judge.thinker.ask(FindKeys(brief, left, shown), step)}
    return found


def _turned(weighing: Weighing) -> Weighing:
    preferred = weighing.preferred
    # The judge's own words name the reports as it saw them.
    why, lacks = (_NAMED.sub(lambda name: _OTHER[name[0]], text) for text in (weighing.why, weighing.lacks))
    return Weighing(
        marks=weighing.marks[::-1],
        answered=tuple(one[::-1] for one in weighing.answered),
        preferred=None if preferred is None else 1 - preferred,
        why=why,
        lacks=lacks,
    )


_NAMED = re.compile(r"\[[AB]\]")
_OTHER = {"[A]": "[B]", "[B]": "[A]"}


def unnamed(report: str, names: Iterable[str] = (), *, ours: bool) -> str:
    """The report without what tells its maker: these names, and of one of ours its account of itself at the end."""
    if ours and _CLOSING in report:
        report = f"{report.rpartition(_CLOSING)[0]}\n"
    known = sorted({name for name in names if name.strip()}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, known)), "the system", report, flags=re.IGNORECASE) if known else report


async def mark_run(run: Run, judge: Judge) -> RunMarks:
    """Have a run marked by its report and its process.

    Raises:
        ProviderError, BudgetExceeded: As `judge_reports`.
    """
    report, process = unnamed(run.report, ours=True)[:LONGEST], process_of(run)
    task = MarkRun(_brief(run.question, judge.today), report, process)
    return await judge.thinker.ask(task, steps.for_judge("run", judge.name, report, process))


def process_of(run: Run) -> str:
    """What a run did, in lines: its plan, queries, sources, checks and what it left open."""
    used, found = run.metrics, run.assessment
    queries = list(dict.fromkeys(one.query for one in run.provenance.searched)) if run.provenance else []
    sources = [one for one in run.sources if one.cited]
    verdicts = Counter(claim.verdict for claim in run.claims)
    lines = [
        f"Status: {run.status}{f' ({found.why})' if found and found.why else ''}",
        *(f"Sub-question ({one.status}): {one.text}" for one in run.checklist),
        f"Rounds: {used.rounds}; queries: {used.searches}; pages read: {used.pages}; not read: {len(run.unread)}",
        *(f"Query: {query}" for query in queries[:_LISTED]),
        *(f"Cited: {one.title or one.url} ({one.site}{_grade(one.quality)})" for one in sources[:_LISTED]),
        f"Claims: {', '.join(f'{count} {verdict}' for verdict, count in verdicts.items()) or 'none'};"
        f" supported by two or more independent sources: {used.counts.independent}",
        f"Sentences that the audit removed: {used.counts.removed}; reworded: {used.counts.repaired}",
        *(f"Open: {text}" for text in (found.limitations if found else ())[:_LISTED]),
    ]
    return "\n".join(" ".join(line.split()) for line in lines)


def _grade(quality: object) -> str:
    score = getattr(quality, "score", None)
    return f", grade {score:.2f}" if isinstance(score, float) else ""


def _brief(question: str, today: date) -> Brief:
    return scope(ResearchRequest(question=question[:MAX_QUESTION]), today)
