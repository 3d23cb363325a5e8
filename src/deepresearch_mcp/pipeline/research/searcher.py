"""Search: ask several engines at once, merge the answers that come together, and pass on the late ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.events import Answered, EngineFailed, EventSink, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.means import SHELVES
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.fusion import by_words, fuse_hits
from deepresearch_mcp.pipeline.research.preference import Preference
from deepresearch_mcp.pipeline.routing import Router
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.ports.answers import EarlierAnswers, KeptAnswer
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.ports.search import AsksAgain, SearchEngine
from deepresearch_mcp.records.sources import TOO_LATE, EngineFailure, Hit, Query, Searched
from deepresearch_mcp.text.ages import age

_BEFORE = "it failed before the run was taken up again"


@dataclass(frozen=True, slots=True)
class _Earlier:
    """Answers of an earlier run."""

    engines: tuple[str, ...]
    """The engines that gave them."""
    hits: tuple[Hit, ...]
    seconds: float
    """Age of the oldest."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Hits that are to be admitted together."""

    key: str
    """The name of the batch in the journal."""
    hits: tuple[Hit, ...]
    needs: tuple[str, ...]
    """The searches they come from."""


@dataclass(slots=True)
class Engines:
    """The engines of a run, and how often each was asked and answered."""

    engines: Sequence[SearchEngine]
    clock: Clock
    journal: Journal
    emit: EventSink
    window: float
    """Seconds after the first answer in which other answers are merged with it."""
    failures: list[EngineFailure] = field(default_factory=list[EngineFailure])
    asked: dict[str, int] = field(default_factory=dict[str, int])
    answered: dict[str, int] = field(default_factory=dict[str, int])
    searched: list[Searched] = field(default_factory=list[Searched])
    """Queries that were answered, with how many hits."""
    answered_keys: list[str] = field(default_factory=list[str])
    """The journal's keys of the searches that were answered."""
    queries: set[str] = field(default_factory=set[str])
    """What was asked, by `query_key`."""
    news: Signal = field(default_factory=Signal)
    """Notified after every answer and failure."""
    earlier_answers: EarlierAnswers | None = None
    """Finds answers of earlier runs, for when no engine of a group answers."""
    earlier: int = 0
    """Queries for which such an answer was used."""
    web_at_once: int = 0
    """Engines of the web that a query is put to; another one is asked for each that fails. 0: all at once."""
    preference: Preference | None = None
    """Which hits come first: those that the request prefers, then the better ones of those that engines place alike."""
    router: Router = field(default_factory=Router)
    """Chooses the engines of each query."""
    failing: set[str] = field(default_factory=set[str])
    """Engines that did not answer when they were last asked: they are asked last."""
    _asking: int = 0
    """Queries that wait for an answer."""

    def new(self, text: str) -> bool:
        """Whether nothing like this was asked in this run."""
        return query_key(text) not in self.queries

    def claim(self, text: str) -> bool:
        """Whether nothing like this was asked. From now on it counts as asked, so no other worker asks it."""
        new = self.new(text)
        self.queries.add(query_key(text))
        return new

    @property
    def alive(self) -> bool:
        """Whether at least one engine has answered, now or in an earlier run."""
        return any(self.answered.values()) or self.earlier > 0

    @property
    def dead(self) -> bool:
        """Whether engines were asked, all have failed, and none has ever answered."""
        return not self._asking and 0 < sum(self.asked.values()) <= len(self.failures) and not self.alive

    def groups(self, text: str = "", without: Collection[str] = ()) -> list[list[SearchEngine]]:
        """Groups of engines that a query is put to; those named in `without` are not asked. See `Router`."""
        return self.router.groups(text, self.engines, without)

    async def ask(
        self,
        query: Query,
        sub_question: str,
        needs: tuple[str, ...],
        send: MemoryObjectSendStream[Batch],
        group: Sequence[SearchEngine] = (),
    ) -> None:
        """Ask a group of engines. Send one batch of merged hits, and another for each engine that answers late.

        Failures are recorded and not raised, since another engine may have answered. If all have failed, their answers
        to an equal query in an earlier run are sent.

        Raises:
            BudgetExceeded: A ceiling is met; the engines that could be asked have answered before.
        """
        self.queries.add(query_key(query.text))
        group = group or self.engines
        digest = steps.query_id(query, [engine.name for engine in group])
        earlier = steps.earlier(digest, needs)
        self._asking += 1
        try:
            if self.journal.left(earlier.key) == "done":
                # An earlier attempt of the run used these answers, and what rests on them is paid for.
                for engine in group:
                    self.asked[engine.name] = self.asked.get(engine.name, 0) + 1
                    self._failed(engine.name, query.text, _BEFORE, sub_question)
                await self._send_earlier(earlier, query, group, send)
            elif not await self._ask(query, sub_question, needs, send, group, digest):
                await self._send_earlier(earlier, query, group, send)
        finally:
            self._asking -= 1
            self.news.notify()

    async def _ask(
        self,
        query: Query,
        sub_question: str,
        needs: tuple[str, ...],
        send: MemoryObjectSendStream[Batch],
        group: Sequence[SearchEngine],
        digest: str,
    ) -> bool:
        """Whether any engine answered."""
        answers: dict[str, list[Hit]] = {}
        pending: set[str] = set()
        met: dict[str, BudgetExceeded] = {}
        news = Signal()
        at_once, reserve = self._in_order(query, group)

        def start(engine: SearchEngine) -> None:
            pending.add(engine.name)
            self.asked[engine.name] = self.asked.get(engine.name, 0) + 1
            tasks.start_soon(one, engine)

        async def one(engine: SearchEngine) -> None:
            try:
                hits = await self._one(engine, query, sub_question, needs)
                if hits is not None:
                    answers[engine.name] = hits
            except BudgetExceeded as error:
                # Raised here it would cancel the engines that are being paid for.
                met[engine.name] = error
            if reserve and engine.name not in answers and all("usd" in error.kind for error in met.values()):
                start(reserve.pop(0))
            pending.discard(engine.name)
            news.notify()

        async def first() -> list[str]:
            await news.wait_until(lambda: bool(answers) or not pending)
            await at_most(self.clock, self.window, lambda: news.wait_until(lambda: not pending))
            return [engine.name for engine in group if engine.name in answers]

        async with anyio.create_task_group() as tasks:
            for engine in at_once:
                start(engine)
            if len(group) > 1:
                names = await self.journal.step(steps.fuse(digest, needs), first, kind="decision", result=list[str])
            else:
                names = await first()
            # After a crash the names are the recorded ones, and exactly these engines are awaited.
            await news.wait_until(lambda: not pending or answers.keys() >= set(names))
            await self._send(names, answers, query, steps.admitted(digest), send)
            heard = set(names)
            while late := await self._late(answers, heard, pending, news):
                heard.update(late)
                for name in late:
                    await self._send([name], answers, query, steps.admitted(digest, name), send)
        self._leave_out(met, asked=len(group) - len(reserve))
        return bool(answers)

    def _in_order(self, query: Query, group: Sequence[SearchEngine]) -> tuple[list[SearchEngine], list[SearchEngine]]:
        """The engines that a query is put to at once, and those that stand in for others, the next one first."""
        if not self.web_at_once or any(engine.name in SHELVES for engine in group):
            return list(group), []
        # A resumed run asks those that have answered: their answers are recorded, and paid for.
        done = [one for one in group if self.journal.left(steps.search(query, one.name)) == "done"]
        rest = sorted((one for one in group if one not in done), key=lambda one: one.name in self.failing)
        called = self.router.why(query.text, [engine.name for engine in group])
        order = sorted([*done, *rest], key=lambda one: one.name not in called)
        most = max(self.web_at_once + len(called), len(done))
        return order[:most], order[most:]

    def _leave_out(self, met: Mapping[str, BudgetExceeded], *, asked: int) -> None:
        """Report the engines, of a group of `asked`, that a ceiling kept from being asked.

        An engine whose price does not fit is left out if others can be asked.

        Raises:
            BudgetExceeded: No engine of the group could be asked, or another ceiling than one of money is met.
        """
        for error in met.values():
            if len(met) == asked or "usd" not in error.kind:
                raise error
        for name, error in met.items():
            why = f"{error.kind} leaves no room for its price"
            self.emit(degraded(name, "be asked", why, "the other engines were asked"))

    async def _late(self, answers: dict[str, list[Hit]], heard: set[str], pending: set[str], news: Signal) -> list[str]:
        """Wait for the next late answer; returns the engines that gave one, none once all have ended."""
        await news.wait_until(lambda: not pending or bool(answers.keys() - heard))
        return [engine.name for engine in self.engines if engine.name in answers.keys() - heard]

    async def _send_earlier(
        self, step: Step, query: Query, group: Sequence[SearchEngine], send: MemoryObjectSendStream[Batch]
    ) -> None:
        """Send what the group answered to an equal query in an earlier run, if anything, and tell its age."""
        names = [engine.name for engine in group if engine.name not in SHELVES]
        known: Mapping[str, KeptAnswer] = (
            await self.earlier_answers.find(query, names) if self.earlier_answers and names else {}
        )
        if not known and self.journal.left(step.key) != "done":
            return

        async def found() -> _Earlier:
            hits = by_words(query.text, fuse_hits([answer.hits for answer in known.values()]))
            return _Earlier(tuple(known), tuple(hits), self.earlier_answers.age(known) if self.earlier_answers else 0.0)

        given = await self.journal.step(step, found, kind="decision", result=_Earlier)
        self.earlier += 1
        reasons = {failure.engine: failure.reason for failure in self.failures if failure.query == query.text}
        for name in given.engines:
            what = f"what it answered {age(given.seconds)} ago to the same query was used"
            self.emit(degraded(name, "be asked", reasons.get(name, ""), what))
        await send.send(Batch(steps.admitted_earlier(step.key), given.hits, (step.key,)))

    async def _one(
        self, engine: SearchEngine, query: Query, sub_question: str, needs: tuple[str, ...]
    ) -> list[Hit] | None:
        try:
            hits = await engine.search(query, needs=needs)
        except BudgetExceeded:
            self.asked[engine.name] -= 1
            raise
        except ProviderError as error:
            # A reader can do something about a refused key, and nothing about other failures.
            mending = error.action if isinstance(error, KeyRefused) else ""
            self._failed(engine.name, query.text, f"{error.reason} {mending}".strip(), sub_question)
            return None
        except anyio.get_cancelled_exc_class():
            failure = engine.failure(query) if isinstance(engine, AsksAgain) else ""
            self._failed(engine.name, query.text, failure or TOO_LATE, sub_question)
            raise
        self.failing.discard(engine.name)
        self.answered[engine.name] = self.answered.get(engine.name, 0) + 1
        self.answered_keys.append(steps.search(query, engine.name))
        why = self.router.why(query.text, [engine.name]).get(engine.name, "")
        self.searched.append(Searched(engine=engine.name, query=query.text, hits=len(hits), why=why))
        self.emit(Answered(engine.name, query.text, len(hits), sub_question))
        self.news.notify()
        return hits

    def _failed(self, engine: str, query: str, reason: str, sub_question: str) -> None:
        self.failing.add(engine)
        self.failures.append(EngineFailure(engine=engine, query=query, reason=reason))
        self.emit(EngineFailed(engine, query, reason, sub_question))
        self.news.notify()

    async def _send(
        self,
        names: Sequence[str],
        answers: dict[str, list[Hit]],
        query: Query,
        key: str,
        send: MemoryObjectSendStream[Batch],
    ) -> None:
        if not any(answers.get(name) for name in names):
            return
        hits = by_words(query.text, fuse_hits([answers[name] for name in names if name in answers]))
        hits = self.preference.ordered(hits) if self.preference else hits
        await send.send(Batch(key, tuple(hits), tuple(steps.search(query, name) for name in names)))
