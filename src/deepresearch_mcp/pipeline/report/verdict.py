"""The first closing line of a report: how far it answers what was asked for."""

from collections.abc import Mapping, Sequence

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report_frame import how_many
from deepresearch_mcp.records.evidence import PointStatus
from deepresearch_mcp.records.plan import Deliverable

_SHORT: Mapping[PointStatus, str] = {"one_sided": "one side only on", "open": "nothing on"}
_NAMED = 2
"""Deliverables that are named; more are counted."""
_SHOWN = 100
"""Characters of a deliverable that is named."""


def coverage_line(findings: Findings) -> str:
    """How far the report answers what was asked for, with what it does not answer; "" where nothing was assessed."""
    if findings.digest:
        # A digest says itself which sub-questions have a relevant passage; more was not judged.
        return ""
    points = findings.assessment.coverage if findings.assessment else ()
    known: dict[str, PointStatus] = {one.point: one.status for one in points}
    assessed: list[tuple[Deliverable, PointStatus]] = [
        (one, known[one.id]) for one in findings.brief.scope.deliverables if one.id in known
    ]
    if not assessed:
        return ""
    answered = sum(status != "open" for _, status in assessed)
    rest = [(words, [_cut(one.text) for one, status in assessed if status == short]) for short, words in _SHORT.items()]
    named = "".join(f"; {words} {_named(texts, len(assessed))}" for words, texts in rest if texts)
    # Without a word of a model on what is open, claims were counted.
    counted = " (estimated)" if findings.assessment and findings.assessment.open is None else ""
    return f"Answered{counted}: {answered} of {how_many(len(assessed), 'point', 'points')}{named}"


def _named(texts: Sequence[str], asked: int) -> str:
    """The deliverables, or how many they are where names would be a paragraph."""
    return (
        "; ".join(texts) if len(texts) <= _NAMED else "all of them" if len(texts) == asked else f"{len(texts)} of them"
    )


def _cut(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"
