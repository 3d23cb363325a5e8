"""Estimate what a run of some shape uses, before it has begun."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from deepresearch_mcp.pipeline.means import SHELVES, ModelPrices
from deepresearch_mcp.pipeline.research.width import all_rounds
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.plan import Estimate, StageEstimate
from deepresearch_mcp.records.request import ResearchRequest, Shape

_TOKENS_A_PAGE = 3_000
_ANSWERED = 0.2
"""Share of the tokens of a run that models write."""
_SECONDS_A_ROUND, _SECONDS_BY_RULE = 25.0, 6.0
SHARES: Mapping[Role, float] = MappingProxyType(
    {"planner": 0.02, "reader": 0.50, "verifier": 0.20, "analyst": 0.06, "writer": 0.22}
)
"""Shares of the tokens of a run, as bench/world.py measures them."""
NEW_PAGES = 0.6
"""Share of the pages of a query that no earlier query of the run has brought."""

_LEAST_OF_SITE = 10
"""Pages of one site that even a small run may read."""


def estimated_use(
    shape: Shape,
    pages: int,
    engines: int,
    price: ModelPrices,
    *,
    models: bool,
    query_usd: float = 0.0,
    tokens: float = 1.0,
    seconds: float = 1.0,
    searches: float = 1.0,
    read: float = 1.0,
) -> Estimate:
    """What a run of this shape would use without ceilings, by measurements of whole runs (bench/world.py).

    `pages` are those of one query; `query_usd` is what all engines charge for it. `tokens`, `seconds`, `searches`
    and `read` (pages) are factors by which earlier runs here differ from those measurements: questions are often
    narrower than what they allow.
    """
    most = all_rounds(shape)
    queries = max(1, round(most * searches)) if most else 0
    all_pages = round(most * pages * NEW_PAGES)
    wanted = round(_TOKENS_A_PAGE * all_pages * tokens) if models else 0
    stages = _stages(wanted, price) if models else ()
    dollars = [stage.usd for stage in stages]
    searching = round(queries * query_usd, 6)
    return Estimate(
        usd=None if None in dollars else round(sum(usd or 0.0 for usd in dollars) + searching, 6),
        search_usd=searching,
        tokens=wanted,
        stages=stages,
        searches=queries * engines,
        queries=queries,
        pages=round(all_pages * read),
        seconds=round((_SECONDS_A_ROUND if models else _SECONDS_BY_RULE) * (shape.depth + 1) * seconds, 1),
    )


def pages_of_query(shape: Shape, wanted: int, groups: int) -> int:
    """How many of the `wanted` pages each query brings; `groups` of engines are asked side by side."""
    return max(1, min(wanted, int(shape.max_pages / max(1, all_rounds(shape) * groups) / NEW_PAGES)))


def pages_of_site(request: ResearchRequest, cap: int) -> int:
    """How many pages of one site a run reads; `cap` is the setting."""
    whole = request.shape.max_pages
    return cap or max(_LEAST_OF_SITE, whole if len(request.include_domains) == 1 else whole // 2)


def engines_asked(shape: Shape, names: Sequence[str]) -> int:
    """How many of the engines named, from the first, each query is put to; the others stand in for those that fail."""
    # With few searches, one engine for all queries is better than all engines for one query. But a collection that
    # comes first must not keep a research from the web.
    shelves = sum(name in SHELVES for name in names)
    return max(shelves + 1, shape.max_searches // max(1, all_rounds(shape)))


def web_at_once(shape: Shape, names: Sequence[str], sources: Collection[str]) -> int:
    """How many web engines a query is put to at once, beside our own store and the data sources of the profile."""
    beside = sum(name in SHELVES or name in sources for name in names)
    return max(1, engines_asked(shape, names) - beside)


def _stages(tokens: int, price: ModelPrices) -> tuple[StageEstimate, ...]:
    shared: dict[Role, int] = {role: round(tokens * share) for role, share in SHARES.items()}
    shared["reader"] += tokens - sum(shared.values())

    def cost(role: Role, part: int) -> float | None:
        usd = price.usd(role, round(part * (1 - _ANSWERED)), round(part * _ANSWERED))
        return None if usd is None else round(usd, 6)

    return tuple(
        StageEstimate(stage=role, model=price.model(role), tokens=part, usd=cost(role, part))
        for role, part in shared.items()
    )
