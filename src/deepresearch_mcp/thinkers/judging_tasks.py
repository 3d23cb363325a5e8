"""What a judge of reports and runs is asked; no research depends on the answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.judging import AnswerKey, FoundKey, RunMarks, Weighing
from deepresearch_mcp.thinkers.base import ThinkerTask


@dataclass(frozen=True, slots=True)
class FindKeys(ThinkerTask[Sequence[FoundKey]]):
    """Say of each key whether each report holds it; a key without a readable answer is left out."""

    keys: Sequence[AnswerKey]
    reports: Sequence[str]
    """One or two, without names."""

    name = "find_keys"
    doing = "look for the keys of the answer"


@dataclass(frozen=True, slots=True)
class WeighReports(ThinkerTask[Weighing]):
    """Say which deliverables each report answers, mark it, and say which one the person who asked would rather have."""

    deliverables: Sequence[str]
    reports: Sequence[str]

    name = "weigh_reports"
    doing = "weigh the reports"


@dataclass(frozen=True, slots=True)
class MarkRun(ThinkerTask[RunMarks]):
    """Mark the report of a run, and how the run came to it."""

    report: str
    process: str
    """What the run did, in lines."""

    name = "mark_run"
    doing = "mark the run"
