"""Pace: how much of a round fits into its ceilings. Each decision is a recorded step, so a resumed run keeps to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import NamedTuple

from deepresearch_mcp.budget import Ledger, Left
from deepresearch_mcp.events import Degraded, EventSink
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.means import SHELVES
from deepresearch_mcp.pipeline.research.context import SubQuestionTask
from deepresearch_mcp.pipeline.research.estimating import NEW_PAGES
from deepresearch_mcp.pipeline.research.width import planned_queries
from deepresearch_mcp.ports.journal import Journal, Step, kind_named, redone
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.request import Shape

_FEW_PAGES = 2
"""Pages of one query near a ceiling."""
_MEASURED = 8
"""Pages read from which the run's own use says what a page costs."""
_LATER_QUERY = 1_200
"""Tokens that the reading of a query of a later round needs at least; see `ReadingRoom`."""
_FOR_LATER = 0.25
"""Share of all searches and pages that the first of several rounds leaves to the others."""
_OF_LEFT = 0.65
"""Share of those left that a later round takes when another may follow."""
_A_FEW = 4
"""Searches and pages that a later round may take whatever is left."""
_ANY = 1e6
"""More queries than any round has."""
_NO_CEILING = "-"
"""Stands for the ceiling in a recorded decision without one."""


class RoundRoom(NamedTuple):
    """What a round, or one sub-question in it, may ask."""

    queries: int
    pages: int = 0
    """Pages of each query; 0: as many as wanted."""
    ceiling: str = ""
    """The ceiling that narrows it; empty if none does."""
    without: tuple[str, ...] = ()
    """Engines that are left out: their price does not fit, and others can be asked."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one query with its reading is likely to use."""

    prices: Mapping[str, float] = field(default_factory=dict[str, float])
    """The engines that a query is put to, each with its price in USD."""
    groups: int = 1
    """Groups of engines; each brings pages of its own."""
    page_tokens: float = 0.0
    page_usd: float = 0.0
    query_tokens: float = 0.0
    """Tokens from which a query is worth asking, where readers are given what there is room for; 0: all its pages."""

    @property
    def searches(self) -> int:
        """The number of engines that a query is put to."""
        return max(1, len(self.prices))

    @property
    def query_usd(self) -> float:
        """What all engines together charge for a query."""
        return sum(self.prices.values())

    @property
    def cheapest_usd(self) -> float:
        """What the cheapest engine charges."""
        return min(self.prices.values(), default=0.0)

    def cheaper(self) -> "Load | None":
        """The same without the dearest web engine; None if it is the only one, or free."""
        web = {name: price for name, price in self.prices.items() if name not in SHELVES}
        dearest = max(web, key=web.__getitem__, default="")
        if len(web) < 2 or not web[dearest]:
            return None
        return replace(self, prices={name: price for name, price in self.prices.items() if name != dearest})

    def of(self, pages: int) -> dict[str, float]:
        """What a query with so many pages uses, by kind."""
        whole = self.groups * max(1.0, pages * NEW_PAGES)
        read = self._read(whole)
        return {
            "usd": self.query_usd + read * self.page_usd,
            "tokens": read * self.page_tokens,
            "searches": float(self.searches),
            "pages": whole,
        }

    @property
    def least(self) -> dict[str, float]:
        """The least that a useful query needs: one engine and one page."""
        read = self._read(1.0)
        return {
            "usd": self.cheapest_usd + read * self.page_usd,
            "tokens": read * self.page_tokens,
            "searches": 1.0,
            "pages": 1.0,
        }

    def _read(self, pages: float) -> float:
        """How many whole pages a query with so many is likely to cost."""
        return min(pages, self.query_tokens / self.page_tokens) if self.query_tokens and self.page_tokens else pages


class Pacer:
    """Looks at the ledger before a round or a task begins.

    Under the same ceilings a resumed run keeps its decisions, although it has used more by then; under other ceilings
    it decides anew. That nothing fits is never recorded, since a ceiling of the day is free again the next day.
    """

    def __init__(
        self, shape: Shape, journal: Journal, ledger: Ledger, emit: EventSink, load: Load | None = None
    ) -> None:
        self._shape = shape
        self._journal = journal
        self._ledger = ledger
        self._emit = emit
        self._began: float | None = None
        """When the previous round began, in seconds of the run."""
        self._asked = 0
        """How many queries it had."""
        self.load = load or Load()

    def last(self) -> int:
        """The last round that may begin: the last planned, or in a fork that keeps the rounds of its origin, its last.

        The origin's use is not counted in a fork, so that by the ledger alone it would search on where that one ended.
        """
        anew = redone(self._journal)
        if anew is None or kind_named(steps.pace(1)) in anew:
            return self._shape.depth
        begun = (at for at in range(2, self._shape.depth + 1) if self._journal.left(steps.pace(at)) == "done")
        return max(begun, default=1)

    def spent(self, number: int) -> str:
        """The ceiling that leaves no room for a single query; empty if there is room, or if the round had begun."""
        begun = self._journal.left(steps.pace(number)) == "done"
        room = self._room(1, 1, number)
        return "" if begun or room.queries else room.ceiling

    async def of_round(self, number: int, pages: int, queries: int = 0) -> RoundRoom:
        """What a round may ask of `queries` with so many `pages` each; 0 queries: as many as its breadth has."""
        queries = queries or planned_queries(self._shape.breadth)
        # The question itself, the first query of round 1, was asked before: what it used belongs to the round.
        room = await self._decided(steps.pace(number), queries, pages, number, begun=number == 1)
        self._began, self._asked = self._ledger.seconds, max(1, room.queries)
        if room.queries < queries and number == 1:
            # Fewer pages of each query cut nothing that was planned, nor do later rounds: they ask what is still open
            # as far as the ceilings go.
            self._emit(Degraded(_narrowed(room, queries)))
        if room.without:
            self._emit(Degraded(_too_dear(room, number)))
        return room

    async def of_task(self, task: SubQuestionTask, pages: int) -> RoundRoom:
        """The same for one sub-question that had to wait for another."""
        return await self._decided(steps.pace(task.round, task.sub_question.id), len(task.queries), pages, task.round)

    def pages_of(self, number: int) -> int:
        """How many new pages the queries of a round may bring, by each group of engines."""
        of_round = [self._of_round(left, number) for left in self._ledger.left() if left.what == "pages"]
        return max(0, floor(min(of_round) / self.load.groups))

    async def _decided(self, key: str, queries: int, pages: int, number: int, *, begun: bool = False) -> RoundRoom:
        now = self._room(queries, pages, number, begun=begun)
        if not now.queries and self._journal.left(key) != "done":
            # Not recorded: a ceiling of the day is free again the next day.
            return now

        async def look() -> str:
            words = (now.ceiling or _NO_CEILING, str(now.queries), str(now.pages), ",".join(now.without))
            return " ".join(words).strip() if now.ceiling or now.without else ""

        said = await self._journal.step(Step(key), look, kind="decision", result=str, request=self._shape)
        ceiling, *numbers = said.split() or [""]
        if len(numbers) > 1:
            without = tuple(numbers[2].split(",")) if len(numbers) > 2 else ()
            recorded = RoundRoom(int(numbers[0]), int(numbers[1]), ceiling.removeprefix(_NO_CEILING), without)
            # An earlier version recorded also that nothing fitted.
            return recorded if recorded.queries else now
        # A record of an older version, which halved a round near a ceiling.
        return RoundRoom(max(1, queries // 2), _FEW_PAGES, ceiling) if ceiling else RoundRoom(queries)

    def _room(self, queries: int, pages: int, number: int, *, begun: bool = False) -> RoundRoom:
        """As many of the queries as fit: with all their pages, else with few pages each, else one with one page.

        If money is short, engines are left out first, beginning with the dearest; if pages are, a query keeps its best.
        """
        loads = [self.load if begun else self._measured]
        while True:
            whole, ceiling = self._fit(loads[-1].of(pages), number, begun=begun)
            if whole >= queries:
                return RoundRoom(queries, without=_left_out(loads[0], loads[-1]))
            cheaper = loads[-1].cheaper() if "usd" in ceiling else None
            if cheaper is None:
                break
            loads.append(cheaper)
        few = 1 if ceiling == "max_pages" else min(_FEW_PAGES, pages)
        fewer = [min(queries, self._fit(load.of(few), number, begun=begun)[0]) for load in loads]
        if most := max(fewer):
            return RoundRoom(most, few, ceiling, _left_out(loads[0], loads[fewer.index(most)]))
        one, last = self._fit(loads[-1].least, number, begun=begun)
        return RoundRoom(min(queries, 1), 1, ceiling, _left_out(loads[0], loads[-1])) if one else RoundRoom(0, 1, last)

    def _of_round(self, left: Left, number: int) -> float:
        """What a round may use of a ceiling: searches and pages are left to those that may follow it."""
        if left.what not in {"searches", "pages"} or number >= self._shape.depth:
            return left.amount
        if number == 1:
            return left.amount - floor(_FOR_LATER * getattr(self._shape, left.ceiling))
        return max(_OF_LEFT * left.amount, min(left.amount, _A_FEW))

    def _fit(self, query: Mapping[str, float], number: int, *, begun: bool) -> tuple[int, str]:
        """How many such queries fit, and the ceiling that they would reach first."""
        used = self._ledger.used
        fits = {
            left.ceiling: (self._of_round(left, number) + (getattr(used, left.what) if begun else 0)) / query[left.what]
            for left in self._ledger.left()
            if query[left.what] > 0
        }
        fits["max_minutes"] = self._in_time()
        tightest = min(fits, key=fits.__getitem__)
        return max(0, floor(min(fits[tightest], _ANY) + 1e-9)), tightest

    def _in_time(self) -> float:
        """Queries for which the time is enough, if this round is as fast as the previous one."""
        left = self._ledger.stage_seconds_left
        if left <= 0:
            return 0.0
        took = self._ledger.seconds - self._began if self._began is not None else 0.0
        # A query that the clock cuts short keeps what it has read, so one is always worth asking.
        return max(1.0, self._asked * left / took) if took > 0 else _ANY

    @property
    def _measured(self) -> Load:
        """The load by what the pages of this run have cost, once there are enough of them."""
        used = self._ledger.used
        if used.pages < _MEASURED:
            return self.load
        return replace(
            self.load,
            query_tokens=_LATER_QUERY,
            page_tokens=used.tokens / used.pages,
            page_usd=max(0.0, used.usd - used.search_usd) / used.pages,
        )


def still_asked(parts: Sequence[SubQuestion], ceiling: str, *, alone: bool = True) -> list[SubQuestion]:
    """The sub-questions that are still asked: near a ceiling, all but those of low priority.

    With `alone`, those of low priority are asked if there are no others.
    """
    needed = [part for part in parts if not (ceiling and part.priority == "low")]
    return needed or (list(parts) if alone else [])


def _left_out(whole: Load, part: Load) -> tuple[str, ...]:
    return tuple(name for name in whole.prices if name not in part.prices)


def _too_dear(room: RoundRoom, number: int) -> str:
    price = "its price does" if len(room.without) == 1 else "their prices do"
    return (
        f"{' and '.join(room.without)} {'is' if len(room.without) == 1 else 'are'} not asked in round {number}, as "
        f"{price} not fit into what is left of the money; the other engines are."
    )


def _narrowed(room: RoundRoom, queries: int) -> str:
    pages = "1 page" if room.pages == 1 else f"{room.pages} pages"
    return (
        f"{room.ceiling} leaves room for {room.queries} of {queries} queries in round 1, with {pages} each; "
        "the least important are left out."
    )
