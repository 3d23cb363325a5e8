"""Afford: what a research is likely to cost beside its ceilings, and whether the user is asked about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from statistics import median

from deepresearch_mcp.budget import SET_ASIDE
from deepresearch_mcp.events import Cautioned, EventSink
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.means import Means, Past
from deepresearch_mcp.pipeline.research.estimating import SHARES, engines_asked, estimated_use, pages_of_query
from deepresearch_mcp.pipeline.research.pace import Load
from deepresearch_mcp.pipeline.research.width import all_rounds, planned_queries, queries_of
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import Confidence, Estimate, Plan, Pressure
from deepresearch_mcp.records.request import EFFORTS, MOST_USD, Limits, ResearchRequest, Shape

_WIDE = (0.5, 2.0)
"""The range without earlier runs: half the estimate to twice the estimate."""
_SOME, _MANY = 3, 10
"""Earlier runs from which their figures are used, and from which they are used with confidence."""
_NEAR = 0.8
_CEILINGS = ("max_usd", "max_tokens", "max_searches", "max_pages", "max_minutes")
_PAID = frozenset({"max_usd", "max_tokens"})
"""The ceilings that the user is asked about: cost is hard to know, while the width of a research is a choice."""
_DAY = "limits."


@dataclass(frozen=True, slots=True)
class PastRun:
    """What a complete run used, and the engines that it could ask."""

    tokens: int
    seconds: float
    searches: int = 0
    pages: int = 0
    engines: Sequence[str] = ()


def past_of(runs: Iterable[PastRun], request: ResearchRequest, pages_per_query: int, *, models: bool) -> Past:
    """What complete runs of the same shape used: those with a model, or those without one."""
    shape, means = _usual(request), Means(pages_per_query=pages_per_query, models=models)
    alike = [(run, _estimated(shape, means, run.engines)) for run in runs if (run.tokens > 0) == models]
    return Past(
        tokens=tuple(run.tokens / guess.tokens for run, guess in alike if guess.tokens),
        seconds=tuple(run.seconds / guess.seconds for run, guess in alike if guess.seconds and run.seconds > 0),
        searches=tuple(run.searches / guess.searches for run, guess in alike if guess.searches and run.searches),
        pages=tuple(run.pages / guess.pages for run, guess in alike if guess.pages and run.searches),
    )


def _estimated(shape: Shape, means: Means, engines: Sequence[str], **ratios: float) -> Estimate:
    """The estimate of a run that may ask these engines. Earlier runs are measured by it too."""
    asked = engines[: engines_asked(shape, engines)]
    groups = means.groups(asked)
    return estimated_use(
        shape,
        pages_of_query(shape, means.pages_per_query, groups) * groups,
        len(asked),
        means.price,
        models=means.models,
        query_usd=sum(means.query_usd.get(name, 0.0) for name in asked),
        **ratios,
    )


def expected_use(request: ResearchRequest, means: Means) -> Estimate:
    """What a research would use, how sure that is, and the ceilings that it comes near."""
    tokens, tokens_spread, confidence = _measured(means.past.tokens)
    seconds, _, by_time = _measured(means.past.seconds)
    ratios = {"searches": _measured(means.past.searches)[0], "read": _measured(means.past.pages)[0]}
    found = _estimated(_usual(request), means, means.engines, tokens=tokens, seconds=seconds, **ratios)
    low, high = tokens_spread
    thinking = None if found.usd is None else found.usd - found.search_usd
    whole = found.model_copy(
        update={
            "confidence": confidence if means.models else by_time,
            "runs": len(means.past.tokens if means.models else means.past.seconds),
            "tokens_range": (round(found.tokens * low), round(found.tokens * high)) if means.models else None,
            "usd_range": None
            if thinking is None or not found.usd
            else tuple(round(found.search_usd + thinking * share, 6) for share in (low, high)),
        }
    )
    return beside(whole, request, means.day)


def beside(found: Estimate, request: ResearchRequest, day: Mapping[str, float]) -> Estimate:
    """The estimate with the ceilings of the run, and those that it comes near; `day` is what is left of the day's."""
    shape = request.shape
    wanted = _wanted(found)
    given = [
        Pressure(ceiling=name, expected=used, limit=getattr(shape, name))
        for name in _CEILINGS
        if _chosen(request, name) and (used := wanted[name]) is not None
    ]
    of_day = [
        Pressure(ceiling=name, expected=used, limit=max(0.0, left))
        for name, left in day.items()
        if (used := wanted["max_tokens" if "tokens" in name else "max_usd"]) is not None
    ]
    # A ceiling that the user did not choose is told only if the chosen width does not fit into it.
    pressed = tuple(
        one
        for one in (*given, *of_day)
        if one.over
        or (one.expected > 0 and one.expected >= _NEAR * one.limit and getattr(request, one.ceiling, 0) is not None)
    )
    return found.model_copy(update={"ceilings": shape, "pressed": pressed})


def for_plan(found: Estimate, plan: Plan, request: ResearchRequest) -> Estimate:
    """The estimate of a request, made for the plan: its width is neither its breadth's nor that of earlier runs."""
    shape = request.shape
    later = (shape.depth - 1) * planned_queries(len(plan.sub_questions))
    share = (1 + queries_of(plan) + later) / max(1, found.queries or all_rounds(shape))

    def part(value: float | None) -> float | None:
        return None if value is None else round(value * share, 6)

    stages = [
        one.model_copy(update={"tokens": round(one.tokens * share), "usd": part(one.usd)}) for one in found.stages
    ]
    whole = found.model_copy(
        update={
            **{name: part(getattr(found, name)) for name in ("usd", "search_usd")},
            **{name: round(getattr(found, name) * share) for name in ("searches", "queries", "pages")},
            "stages": tuple(stages),
            "tokens": sum(one.tokens for one in stages),
            "usd_range": found.usd_range and tuple(map(part, found.usd_range)),
            "tokens_range": found.tokens_range and tuple(round(one * share) for one in found.tokens_range),
        }
    )
    return beside(whole, request, _day_of(found))


def _day_of(found: Estimate) -> dict[str, float]:
    """What is left of the day's ceilings, as far as an estimate comes near them."""
    return {one.ceiling: one.limit for one in found.pressed if one.ceiling.startswith(_DAY)}


def _wanted(found: Estimate) -> dict[str, float | None]:
    return {
        "max_usd": found.usd,
        "max_tokens": float(found.tokens),
        "max_searches": float(found.searches),
        "max_pages": float(found.pages),
        "max_minutes": round(found.seconds / 60, 2),
    }


def _chosen(request: ResearchRequest, name: str) -> bool:
    """Whether the user chose it, or a width; the figures of an effort fit together."""
    return any(getattr(request, one) is not None for one in (name, "breadth", "depth"))


def _usual(request: ResearchRequest) -> Shape:
    """The shape with ceilings at least as high as those of its effort."""
    shape, own = request.shape, EFFORTS[request.effort]
    return shape.model_copy(update={name: max(getattr(shape, name), getattr(own, name)) for name in _CEILINGS})


def _measured(ratios: Sequence[float]) -> tuple[float, tuple[float, float], Confidence]:
    """The median of what earlier runs used, the range of most of them, and how much that says."""
    if len(ratios) < _SOME:
        return 1.0, _WIDE, "low"
    ordered = sorted(ratios)
    cut = len(ordered) // 10
    middle = median(ordered) or 1.0
    spread = (ordered[cut] / middle, ordered[-1 - cut] / middle)
    return middle, spread, "high" if len(ordered) >= _MANY else "medium"


def load_of(found: Estimate, request: ResearchRequest, means: Means) -> Load:
    """What one query with its reading is likely to use, in this run."""
    asked = means.engines[: engines_asked(request.shape, means.engines)]
    # The share of the report is set aside.
    share = (1 - SHARES["writer"]) / max(1, found.pages)
    return Load(
        prices={name: means.query_usd.get(name, 0.0) for name in asked},
        groups=means.groups(asked),
        page_tokens=found.tokens * share,
        page_usd=max(0.0, (found.usd or 0.0) - found.search_usd) * share,
    )


def cautions(found: Estimate, request: ResearchRequest, *, models: bool) -> list[str]:
    """Sentences on what the user may want to change: ceilings that are too low, settings without effect."""
    said = [caution(one, found, request) for one in found.pressed]
    if request.drafts > 1:
        why = (
            "with depth=0 there is one answer, and no report to choose"
            if not request.shape.depth
            else "only one answer is made, so there are no drafts to choose from"
            if request.mode == "answer"
            else ""
            if models
            else "without a language model every draft is the same"
        )
        said += [f"drafts={request.drafts} has no effect: {why}."] if why else []
    return said


def caution(pressure: Pressure, found: Estimate, request: ResearchRequest) -> str:
    """A sentence on one ceiling, what is expected, and what follows."""
    name, limit = pressure.ceiling, _amount(pressure.ceiling, pressure.limit)
    about = _amount(name, pressure.expected)
    left = " left" if name.startswith(_DAY) else ""
    if not pressure.over:
        share = round(100 * pressure.expected / pressure.limit)
        return f"The research is likely to use {share} % of {name}: about {about.partition(' ')[0]} of {limit}{left}."
    shape = request.shape
    rounds = "1 round" if shape.depth == 1 else f"{shape.depth} rounds"
    for_what = f" for breadth {shape.breadth} in {rounds}" if name in {"max_searches", "max_pages"} else ""
    between = ""
    if found.usd_range and "usd" in name:
        between = f" ({_amount(name, found.usd_range[0])} to {_amount(name, found.usd_range[1])})"
    verb = "would take" if name == "max_minutes" else "would cost" if "usd" in name else "would use"
    allows = "has" if left else "allows"
    return (
        f"The research {verb} about {about}{between}{for_what}, and {name} {allows} {limit}{left}: "
        "it is narrowed to fit, and may be incomplete."
    )


_UNITS = {"max_searches": ("search", "searches"), "max_pages": ("page", "pages")}


def _amount(name: str, value: float) -> str:
    if "usd" in name:
        return f"${value:.4f}"
    if name == "max_minutes":
        return f"{value:g} minutes"
    one, more = _UNITS.get(name, ("token", "tokens"))
    return f"{value:,.0f} {one if value == 1 else more}"


def budget_inquiry(found: Estimate, request: ResearchRequest) -> InputRequest | None:
    """The question about money; None if it is not worth asking or no user can be asked.

    The approval of a plan shows the same figures, so no one is asked twice. Ceilings that the effort sets are never
    asked about.
    """
    over = [one for one in found.pressed if one.over and (one.ceiling in _PAID or one.ceiling.startswith(_DAY))]
    own = [one for one in over if one.ceiling in _PAID and getattr(request, one.ceiling) is not None]
    over = [one for one in over if one in own or one.ceiling.startswith(_DAY)]
    if not over or not request.asks or request.clarify == "never" or request.approve_plan:
        return None
    need = {"max_usd": found.usd_range, "max_tokens": found.tokens_range}
    # Research may not use what is set aside for the report, so a smaller ceiling would still narrow the rounds.
    most = {one.ceiling: max(one.expected, (need[one.ceiling] or (0, 0))[1]) / (1 - SET_ASIDE) for one in own}
    raised = {name: _rounded_up(value, name) for name, value in most.items()}
    # A run cannot raise the ceilings of the day, nor one that is at its bound.
    higher = all(raised[one.ceiling] > one.limit for one in own)
    return InputRequest(
        inquiry_id=steps.AFFORD,
        kind="budget",
        text=" ".join(
            f"The research would use about {_amount(one.ceiling, one.expected)}, and {one.ceiling} "
            f"{'has' if one.ceiling.startswith(_DAY) else 'is'} {_amount(one.ceiling, one.limit)}"
            f"{' left' if one.ceiling.startswith(_DAY) else ''}."
            for one in over
        ),
        ceilings=request.shape,
        estimate=found,
        raised=Limits.model_validate(raised) if higher and len(own) == len(over) else None,
    )


def _rounded_up(value: float, name: str) -> float | int:
    """Rounded up to two significant figures, as far as a request may go."""
    unit = 10.0 ** (floor(log10(value)) - 1)
    above = unit * -floor(-value / unit)
    return int(above) if name == "max_tokens" else min(MOST_USD, round(above, 6))


async def afford(
    request: ResearchRequest, means: Means, asker: UserPrompter, journal: Journal, emit: EventSink
) -> Estimate:
    """Estimate the cost. A near ceiling is told; about one that is too low the user is asked once."""

    async def look() -> Estimate:
        return expected_use(request, means)

    # Recorded: when the run resumes, prices, earlier runs and the use of the day may have changed.
    known = await journal.step(Step(steps.ESTIMATE), look, kind="decision", result=Estimate)
    found = beside(known, request, _day_of(known))
    if inquiry := budget_inquiry(found, request):

        async def ask() -> Reply:
            return await asker.ask(inquiry)

        step = Step(inquiry.inquiry_id, (steps.ESTIMATE,))
        await journal.step(step, ask, kind="decision", result=Reply, request=inquiry.subject())
    for what in cautions(found, request, models=means.models):
        emit(Cautioned(what))
    return found
