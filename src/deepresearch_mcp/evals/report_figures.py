"""The figures of one report: what the machine measures, and what a judge says in numbers."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Literal
from urllib.parse import urlsplit

from deepresearch_mcp.evals.reports import MadeReport
from deepresearch_mcp.pipeline.judging import JudgedReports
from deepresearch_mcp.records.judging import Found, KeyedQuestion, KeyKind
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.text.library_urls import LIBRARY

WORTH: Mapping[Found, float] = {"yes": 1.0, "partly": 0.5, "no": 0.0}


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """What one report comes to; None: it was not measured, or does not apply. Shares are between 0 and 1."""

    keys: float | None = None
    """Weighted share of the keys that it tells; a key told in part counts half."""
    facts: float | None = None
    judgements: float | None = None
    deliverables: float | None = None
    """Share of the deliverables that it answers, by the judge."""
    covered: float | None = None
    """Share of the deliverables that the run itself marks as covered."""
    supported: float | None = None
    """Share of the cited statements that could be checked that their pages support; in part counts half."""
    checkable: float | None = None
    """Share of the cited statements of which a page could be read."""
    cited: float | None = None
    """Statements with a citation."""
    uncited: float | None = None
    loose: float | None = None
    """Addresses that lead to no page, and marks without a reference."""
    located: float | None = None
    """Share of the quotes of a run that stand in the text of their pages."""
    sources: float | None = None
    """Different addresses that are cited."""
    sites: float | None = None
    words: float | None = None
    seconds: float | None = None
    usd: float | None = None
    tokens: float | None = None
    comprehensiveness: float | None = None
    insight: float | None = None
    instructions: float | None = None
    readability: float | None = None
    trust: float | None = None


Sort = Literal["share", "count", "mark", "seconds", "usd"]


@dataclass(frozen=True, slots=True)
class Row:
    """How one figure is shown."""

    figure: str
    label: str
    sort: Sort


ROWS: Sequence[Row] = (
    Row("keys", "Keys found, weighted", "share"),
    Row("facts", "Keys that are facts", "share"),
    Row("judgements", "Keys that are judgements", "share"),
    Row("deliverables", "Deliverables answered", "share"),
    Row("covered", "Deliverables covered, by the run itself", "share"),
    Row("supported", "Citations supported by their pages", "share"),
    Row("checkable", "Cited statements with a readable page", "share"),
    Row("cited", "Statements with a citation", "count"),
    Row("uncited", "Statements without a citation", "count"),
    Row("loose", "Citations that lead nowhere", "count"),
    Row("located", "Quotes that stand on their pages", "share"),
    Row("sources", "Sources cited", "count"),
    Row("sites", "Sites cited", "count"),
    Row("words", "Words", "count"),
    Row("seconds", "Time", "seconds"),
    Row("usd", "Cost", "usd"),
    Row("tokens", "Tokens", "count"),
    Row("comprehensiveness", "Comprehensiveness, of 10", "mark"),
    Row("insight", "Insight", "mark"),
    Row("instructions", "Follows the question", "mark"),
    Row("readability", "Readability", "mark"),
    Row("trust", "Trust", "mark"),
)


def measured(made: MadeReport, check: Run | None) -> ReportFigures:
    """What can be told without a judge; `check`: the check of the report's citations, None: there is none."""
    figures = ReportFigures(words=float(len(made.text.split())) if made.text else None)
    if run := made.run:
        used, points = run.metrics, run.assessment.coverage if run.assessment else ()
        asked = [one.status == "covered" for one in points if one.point.startswith("d")]
        figures = replace(
            figures,
            covered=_share(asked),
            seconds=used.seconds,
            usd=used.usd if used.usd_known else None,
            tokens=float(used.input_tokens + used.output_tokens),
            located=run.quotes.located / run.quotes.total if run.quotes.total else None,
        )
    if check is None:
        return figures
    verdicts = Counter(one.verdict for one in check.checks)
    decided = len(check.checks) - verdicts["unverifiable"]
    # A check of a run holds claims to stored texts: it knows neither marks nor statements without one.
    of_text = not (made.run and reads_collections(made.run))
    addresses = {one.url for one in made.run.citations} if made.run else _addresses(check)
    return replace(
        figures,
        supported=(verdicts["supported"] + verdicts["partly"] / 2) / decided if decided else None,
        checkable=decided / len(check.checks) if check.checks else None,
        cited=float(len(check.checks)) if of_text else None,
        uncited=float(len(check.uncited)) if of_text else None,
        loose=float(len(check.dead) + len(check.dangling)) if of_text else None,
        sources=float(len(addresses)),
        sites=float(len({urlsplit(url).netloc for url in addresses})),
    )


def reads_collections(run: Run) -> bool:
    """Whether a run cites documents of collections, which have no address that a check could look up."""
    return any(one.url.startswith(LIBRARY) for one in run.citations)


def _addresses(check: Run) -> set[str]:
    return {url for one in check.checks for url in one.urls}


def with_judgement(figures: ReportFigures, place: int, judged: JudgedReports, asked: KeyedQuestion) -> ReportFigures:
    """The figures with what the judge says of the report at this place."""
    marks = judged.weighing.marks[place]
    answered = [one[place] for one in judged.weighing.answered]
    return replace(
        figures,
        keys=_told(asked, judged, place),
        facts=_told(asked, judged, place, "fact"),
        judgements=_told(asked, judged, place, "judgement"),
        deliverables=_share([one for one in answered if one is not None]),
        **marks.model_dump(),
    )


def _told(asked: KeyedQuestion, judged: JudgedReports, place: int, kind: KeyKind | None = None) -> float | None:
    wanted = [key for key in asked.keys if key.id in judged.keys and kind in {None, key.kind}]
    whole = sum(key.weight for key in wanted)
    return sum(key.weight * WORTH[judged.keys[key.id][place]] for key in wanted) / whole if whole else None


def _share(met: Sequence[bool]) -> float | None:
    return sum(met) / len(met) if met else None


def total(figures: Sequence[ReportFigures]) -> ReportFigures:
    """Means over the questions; of time, cost and tokens the sums. What was not measured for a question is left out."""
    ways: Mapping[str, Callable[[list[float]], float]] = {"seconds": sum, "usd": sum, "tokens": sum}
    found: dict[str, float] = {}
    for name in asdict(ReportFigures()):
        known = [value for one in figures if (value := getattr(one, name)) is not None]
        if known:
            found[name] = ways.get(name, fmean)(known)
    return ReportFigures(**found)
