"""Search: put a query to all engines at once, fuse what comes in together, pass on what comes later."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectSendStream

from deepresearch_mcp.events import Answered, EngineFailed, Tell
from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.pipeline.waiting import News, at_most
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import At, Journal
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import EngineFailure, Hit, Query
from deepresearch_mcp.search.fusion import fuse
from deepresearch_mcp.search.wrappers import search_key
from deepresearch_mcp.text.keywords import content_words


def query_key(text: str) -> str:
    """Equal for queries that ask the same words in another order."""
    return " ".join(sorted(set(content_words(text)))) or text.casefold().strip()


@dataclass(frozen=True, slots=True)
class Batch:
    """Hits that are to be admitted together."""

    key: str
    """Names the batch, for the journal."""
    hits: tuple[Hit, ...]
    needs: tuple[str, ...]
    """The searches they come from."""


@dataclass(slots=True)
class Engines:
    """The engines of a run and how they fared."""

    engines: Sequence[SearchEngine]
    clock: Clock
    journal: Journal
    tell: Tell
    window: float
    """Seconds after the first answer in which others are fused with it."""
    failures: list[EngineFailure] = field(default_factory=list[EngineFailure])
    asked: dict[str, int] = field(default_factory=dict[str, int])
    answered: dict[str, int] = field(default_factory=dict[str, int])

    answered_keys: list[str] = field(default_factory=list[str])
    """The journal's keys of the searches that were answered."""
    queries: set[str] = field(default_factory=set[str])
    """What was asked, as `query_key` sees it."""
    news: News = field(default_factory=News)
    """Told after every answer and failure."""

    def new(self, text: str) -> bool:
        """Whether nothing like this was asked in this run."""
        return query_key(text) not in self.queries

    @property
    def alive(self) -> bool:
        """At least one engine has answered."""
        return any(self.answered.values())

    @property
    def dead(self) -> bool:
        """Somebody was asked, all have failed, and nobody has ever answered."""
        return bool(self.asked) and not self.alive and len(self.failures) >= sum(self.asked.values())

    async def ask(
        self, query: Query, sub_question: str, needs: tuple[str, ...], send: MemoryObjectSendStream[Batch]
    ) -> None:
        """Send one batch of fused hits, and a second one where engines answered late.

        Failures are recorded, not raised: another engine may have answered.

        Raises:
            BudgetExceeded: `max_searches` is met.
        """
        self.queries.add(query_key(query.text))
        answers: dict[str, list[Hit]] = {}
        pending = {engine.name for engine in self.engines}
        news = News()

        async def one(engine: SearchEngine) -> None:
            hits = await self._one(engine, query, sub_question, needs)
            pending.discard(engine.name)
            if hits is not None:
                answers[engine.name] = hits
            news.tell()

        async def first() -> list[str]:
            await news.until(lambda: bool(answers) or not pending)
            await at_most(self.clock, self.window, lambda: news.until(lambda: not pending))
            return [engine.name for engine in self.engines if engine.name in answers]

        digest = hashlib.sha256(repr(query).encode()).hexdigest()[:12]
        names: list[str] = []
        async with anyio.create_task_group() as tasks:
            for engine in self.engines:
                tasks.start_soon(one, engine)
            if len(self.engines) > 1:
                names = await self.journal.step(At(f"fuse/{digest}", needs), first, kind="decision", result=list[str])
            else:
                names = await first()
            # After a crash the names are the recorded ones: these very engines are waited for.
            await news.until(lambda: not pending or answers.keys() >= set(names))
            await self._send(names, answers, query, f"admit/{digest}/first", send)
            await news.until(lambda: not pending)
        late = [name for name in answers if name not in names]
        await self._send(late, answers, query, f"admit/{digest}/late", send)

    async def _one(
        self, engine: SearchEngine, query: Query, sub_question: str, needs: tuple[str, ...]
    ) -> list[Hit] | None:
        self.asked[engine.name] = self.asked.get(engine.name, 0) + 1
        try:
            hits = await engine.search(query, needs=needs)
        except ProviderError as error:
            self.failures.append(EngineFailure(engine=engine.name, query=query.text, reason=error.reason))
            self.tell(EngineFailed(engine.name, query.text, error.reason))
            self.news.tell()
            return None
        self.answered[engine.name] = self.answered.get(engine.name, 0) + 1
        self.answered_keys.append(search_key(query, engine.name))
        self.tell(Answered(engine.name, query.text, len(hits), sub_question))
        self.news.tell()
        return hits

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
        hits = tuple(fuse([answers[name] for name in names if name in answers]))
        await send.send(Batch(key, hits, tuple(search_key(query, name) for name in names)))
