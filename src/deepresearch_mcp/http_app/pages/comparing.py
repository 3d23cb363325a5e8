"""`/compare`: two runs side by side: figures, answers, what each covers, and which sources and claims both have."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from starlette.responses import Response

from deepresearch_mcp.http_app.pages.templates import money
from deepresearch_mcp.http_app.pages.visit import Page, Visit
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer.coverage_words import COVERAGE

_CHOICE = 50
_SHOWN = 40
"""Sources and claims of each kind."""


@dataclass(frozen=True, slots=True)
class Split:
    """What two runs have, apart and in common."""

    first: list[str]
    both: list[str]
    second: list[str]


def split(first: Mapping[str, str], second: Mapping[str, str]) -> Split:
    """Split by key; the values are shown, in their own order."""

    def kept(values: Mapping[str, str], keys: Collection[str], *, within: bool) -> list[str]:
        return [text for key, text in values.items() if (key in keys) is within]

    return Split(
        kept(first, second.keys(), within=False),
        kept(first, second.keys(), within=True),
        kept(second, first.keys(), within=False),
    )


def sources_of(run: Run) -> dict[str, str]:
    """Address → what the source is called; cited ones alone."""
    return {one.url: one.title or one.url for one in run.sources if one.cited}


def claims_of(run: Run) -> dict[str, str]:
    """A claim in plain words → as it is written."""
    return {" ".join(one.text.casefold().split()): one.text for one in run.claims}


def figures_of(first: Run, second: Run) -> list[tuple[str, str, str]]:
    """Name, value of the first, value of the second."""

    def of(run: Run) -> list[tuple[str, str]]:
        counts = run.metrics.counts
        covered = [one for one in (run.assessment.coverage if run.assessment else ()) if one.point.startswith("d")]
        answered = sum(one.status != "open" for one in covered)
        return [
            ("Status", run.status),
            ("Answered", f"{answered} of {len(covered)} parts" if covered else "–"),
            ("Claims", f"{len(run.claims)}"),
            ("From two or more independent sources", f"{counts.independent}"),
            ("Cited sources", f"{sum(one.cited for one in run.sources)}"),
            ("Pages read", f"{run.metrics.pages}"),
            ("Searches", f"{run.metrics.searches}"),
            ("Tokens", f"{run.metrics.input_tokens + run.metrics.output_tokens:,}"),
            ("Cost", money(run.metrics.usd)),
            ("Time", f"{run.metrics.seconds:.0f} s"),
            ("Models", ", ".join(run.provenance.models) if run.provenance and run.provenance.models else "none"),
        ]

    return [(name, one, other) for (name, one), (_, other) in zip(of(first), of(second), strict=True)]


async def compare(visit: Visit) -> Response:
    """Two runs, or the choice of the second."""
    jobs = await visit.jobs()
    named = [one for one in visit.request.query_params.getlist("run") if one][:2]
    if len(named) < 2:
        rows = await jobs.find(visit.caller, status="completed", limit=_CHOICE)
        first = await jobs.get(named[0], visit.caller) if named else None
        return await visit.show("compare_choice.html", rows=rows, first=first)
    first, second = [await jobs.result(one, visit.caller) for one in named]
    return await visit.show(
        "compare.html",
        first=first,
        second=second,
        figures=figures_of(first, second),
        sources=split(sources_of(first), sources_of(second)),
        claims=split(claims_of(first), claims_of(second)),
        coverage=COVERAGE,
        shown=_SHOWN,
    )


PAGES = (Page("GET", "/compare", compare),)
