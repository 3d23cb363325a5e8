"""Prints a comparison of reports: a table for people, one object for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from deepresearch_mcp.cli.console import WIDEST, err, print_text
from deepresearch_mcp.evals.report_figures import ROWS, ReportFigures, Row
from deepresearch_mcp.evals.research import Compared, Comparison
from deepresearch_mcp.text.markdown import visible

_LABEL = 40
_COLUMN = 18
"""Characters of a column at least."""


def show(comparison: Comparison) -> None:
    """Print a table for each question, and one over all where there are several."""
    parts = [_question(one, comparison.systems) for one in comparison.questions]
    if len(parts) > 1:
        won = [f"{name} {sum(one.preferred == name for one in comparison.questions)}" for name in comparison.systems]
        preferred = f"Preferred: {', '.join(won)} of {len(parts)}" if comparison.judge else ""
        head = f"All {len(parts)} questions: means; of time, cost and tokens the sums"
        parts.append([head, *_table(comparison.systems, comparison.totals), *filter(None, [preferred])])
    judged = f"Judged by {comparison.judge}, blind and in random order; this time for ${comparison.usd:.2f}."
    last = [*([judged] if comparison.judge else []), *comparison.notes]
    print_text("\n\n".join("\n".join(part) for part in [*parts, _wrapped(*last)] if part))


def as_object(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison for programs; null: not measured."""
    return {
        "systems": list(comparison.systems),
        "judge": comparison.judge or None,
        "judging_usd": comparison.usd,
        "questions": [
            {
                "name": one.name,
                "question": one.question,
                "reports": [
                    {
                        "system": report.system,
                        "run_id": report.run.run_id if report.run else None,
                        "error": report.error or None,
                        **asdict(figures),
                    }
                    for report, figures in zip(one.reports, one.figures, strict=True)
                ],
                "keys": {name: list(found) for name, found in one.keys.items()},
                "preferred": one.preferred or None,
                "why": one.why,
                "lacks": one.lacks,
            }
            for one in comparison.questions
        ],
        "totals": [
            {"system": name, **asdict(figures)}
            for name, figures in zip(comparison.systems, comparison.totals, strict=True)
        ],
        "notes": list(comparison.notes),
    }


def _question(one: Compared, systems: Sequence[str]) -> list[str]:
    said = [
        f"Preferred: {one.preferred}" if one.preferred else "",
        *(visible(text) for text in (one.why, f"Still lacking: {one.lacks}" if one.lacks else "")),
    ]
    return [*_wrapped(f"{one.name}: {visible(one.question)}"), *_table(systems, one.figures), *_wrapped(*said)]


def _table(systems: Sequence[str], figures: Sequence[ReportFigures]) -> list[str]:
    width = max(_COLUMN, *(len(name) + 2 for name in systems))
    lines = [" " * _LABEL + "".join(f"{name:>{width}}" for name in systems)]
    for row in ROWS:
        values = [_worded(row, getattr(one, row.figure)) for one in figures]
        if set(values) != {"–"}:
            lines.append(f"{row.label:<{_LABEL}}" + "".join(f"{value:>{width}}" for value in values))
    return lines


def _worded(row: Row, value: float | None) -> str:
    if value is None:
        return "–"
    match row.sort:
        case "share":
            return f"{value:.0%}"
        case "mark":
            return f"{value:.1f}"
        case "seconds":
            return f"{value:.0f} s"
        case "usd":
            return f"${value:.2f}"
        case "count":
            return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _wrapped(*texts: str) -> list[str]:
    width = min(err().width, WIDEST)
    return [line for text in texts if text for line in wrap(text, width)]
