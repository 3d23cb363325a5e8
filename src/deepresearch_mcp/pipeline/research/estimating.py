"""Estimate what a run of some shape uses, before it has begun."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from deepresearch_mcp.pipeline.means import SHELVES, ModelPrices
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.plan import Estimate, StageEstimate
from deepresearch_mcp.records.request import Shape

_TOKENS_A_PAGE = 1_900
_ANSWERED = 0.2
"""Share of a run's tokens that models write."""
_SECONDS_A_ROUND = 7.0
SHARES: Mapping[Role, float] = MappingProxyType(
    {"planner": 0.01, "reader": 0.62, "verifier": 0.18, "analyst": 0.05, "writer": 0.14}
)
"""Of a run's tokens, as bench/world.py measures them without critique."""
_FEWEST_PAGES = 12
"""Pages that a round asks for at least, where the ceilings let it."""
_MOST_PAGES = 28
"""Pages that a round asks for at most, as long as every query still has a few."""
_FEW = 3


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
) -> Estimate:
    """What a run of this shape would use if no ceiling stood in its way, by the shares of whole runs (bench/world.py).

    `pages` are those of one query, and `query_usd` is what all engines charge for it. `tokens` and `seconds` are how
    much more than measured there earlier runs here have used.
    """
    queries = shape.breadth * shape.depth
    read = queries * pages
    wanted = round(_TOKENS_A_PAGE * read * tokens) if models else 0
    stages = _stages(wanted, price) if models else ()
    dollars = [stage.usd for stage in stages]
    searching = round(queries * query_usd, 6)
    return Estimate(
        usd=None if None in dollars else round(sum(usd or 0.0 for usd in dollars) + searching, 6),
        search_usd=searching,
        tokens=wanted,
        stages=stages,
        searches=queries * engines,
        pages=read,
        seconds=round((_SECONDS_A_ROUND if models else 3.0) * (shape.depth + 1) * seconds, 1),
    )


def pages_of_query(shape: Shape, wanted: int, groups: int) -> int:
    """How many pages each query brings, of the `wanted`: `groups` of engines are asked side by side."""
    # A narrow research reads deeper, since few queries have to bring as many sources; a wide one less of each.
    pages = min(max(wanted, _FEWEST_PAGES // shape.breadth), max(_FEW, _MOST_PAGES // shape.breadth))
    return max(1, min(pages, shape.max_pages // max(1, shape.breadth * shape.depth * groups)))


def engines_asked(shape: Shape, names: Sequence[str]) -> int:
    """How many engines each query is put to, at most, the first of those named."""
    # Few searches are better spent on all queries with one engine than on one query with all; but a collection that
    # stands first must not keep a research from the web.
    shelves = sum(name in SHELVES for name in names)
    return max(shelves + 1, shape.max_searches // max(1, shape.breadth * shape.depth))


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
