"""Makes the search engines of a request: the engines of the process, wrapped for one run."""

from collections.abc import Collection, Mapping

import httpx2

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.routing import Router
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.profiles.loading import open_profile
from deepresearch_mcp.quotas import QueryShare
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.search import registry
from deepresearch_mcp.search.answer_cache import AnswerCache, CachingEngine, ReusingEngine
from deepresearch_mcp.search.engines.earlier import Earlier
from deepresearch_mcp.search.given import GIVEN, GivenPages
from deepresearch_mcp.search.metering import DayMeteredEngine
from deepresearch_mcp.search.prices import price_of
from deepresearch_mcp.search.rates import PacedEngine
from deepresearch_mcp.search.redacting import RedactingEngine
from deepresearch_mcp.search.tool_servers import Connections
from deepresearch_mcp.search.wrappers import (
    EngineWithCircuitBreaker,
    EngineWithRetryAfter,
    RecordedEngine,
    SharedLimits,
    engine_for_run,
)
from deepresearch_mcp.settings.schema import SearchSettings

_LOCAL = "local"
"""The engine that searches the collections."""


class EngineFactory:
    """Makes engines for one run or for a single search; the process owns limiters, breaker and stored answers."""

    def __init__(
        self,
        settings: SearchSettings,
        clock: Clock,
        store: Store,
        http: httpx2.AsyncClient,
        breaker: CircuitBreaker,
        profiles_dir: str = "",
        servers: Connections | None = None,
        masker: Masker | None = None,
    ) -> None:
        """`masker` masks personal data in what engines return."""
        self.keeper = AnswerCache(store.answers, clock, settings.keep_days, reuse=settings.reuse_minutes, masker=masker)
        self.shared: dict[str, SharedLimits] = {}
        """The limits that all runs share, by engine name."""
        self._settings = settings
        self._clock = clock
        self._store = store
        self._http = http
        self._breaker = breaker
        self._profiles_dir = profiles_dir
        self._servers = servers
        self._masker = masker

    def names_for(self, request: AnyRequest) -> tuple[str, ...]:
        """The engines that every query of a request is put to, in order; none for a check, nor at depth 0.

        They are the collections, the data sources of its profile, and the engines that the settings choose.
        """
        if isinstance(request, CheckRequest) or not request.shape.depth:
            return ()
        if not request.web:
            return (_LOCAL,) if request.collections else (GIVEN,)
        wanted = self._sources_of(request) if registry.is_automatic(self._settings) else ()
        own = tuple(name for name in wanted if registry.is_usable(name, self._settings))
        web = tuple(name for name in registry.chosen(self._settings) if name != _LOCAL)
        return tuple(dict.fromkeys((*((_LOCAL,) if request.collections else ()), *own, *web)))

    def profile_of(self, request: AnyRequest) -> Profile:
        """The profile of a request; a check has the general one.

        Raises:
            InvalidRequest, SettingsError: There is none of this name, or its file cannot be used.
        """
        return Profile() if isinstance(request, CheckRequest) else open_profile(request.profile, self._profiles_dir)

    def _sources_of(self, request: ResearchRequest) -> tuple[str, ...]:
        try:
            return self.profile_of(request).sources
        except (InvalidRequest, SettingsError):
            # Estimates look at old runs too, whose profile may be gone. A new request is refused before it starts.
            return ()

    def router_for(self, request: AnyRequest) -> Router:
        """What chooses among the engines of a run, query by query."""
        return Router(self.profile_of(request), self.sparing_for(request))

    def sparing_for(self, request: AnyRequest) -> tuple[str, ...]:
        """The other data sources that can be asked: each is put only queries that name what it knows.

        There are none where the settings name the engines themselves: then nothing else is asked.
        """
        if isinstance(request, CheckRequest) or not (request.shape.depth and request.web):
            return ()
        if not registry.is_automatic(self._settings):
            return ()
        regular = self.names_for(request)
        return tuple(name for name in registry.data_sources(self._settings) if name not in regular)

    def prices(self, names: Collection[str]) -> Mapping[str, float]:
        """USD per query, by engine."""
        return {name: self._price(name) for name in names}

    def open(self, names: tuple[str, ...], caller: str = "") -> list[SearchEngine]:
        """Open engines without the wrappers of a run. The one of collections searches those that the caller sees.

        Raises:
            InvalidRequest, SettingsError: An engine is unknown, or lacks what it needs.
        """
        if names == (GIVEN,):
            return []
        opened = registry.open_engines(
            names, self._settings, self._http, self._store.collections.of(caller), self._clock, self._servers
        )
        return [self._masked(engine) for engine in opened]

    def _masked(self, engine: SearchEngine) -> SearchEngine:
        return RedactingEngine(engine, self._masker) if self._masker else engine

    def for_run(
        self, request: AnyRequest, journal: Journal, ledger: Ledger, *, caller: str, afresh: bool
    ) -> list[SearchEngine]:
        """All engines of a caller's run; first the sources of the run that it follows up, unless it starts `afresh`."""
        earlier = [] if afresh else self._earlier(request, journal)
        if self.names_for(request) == (GIVEN,) and isinstance(request, ResearchRequest):
            return [*earlier, RecordedEngine(GivenPages(request.urls), journal, steps.search)]
        names = (*self.names_for(request), *self.sparing_for(request))
        reuse = isinstance(request, CheckRequest) or not request.fresh
        return [*earlier, *(self._with_concerns(name, caller, journal, ledger, reuse=reuse) for name in names)]

    def for_lookup(self, name: str, share: QueryShare) -> SearchEngine:
        """An engine for one search outside runs; what each of its attempts costs counts for the day's ceilings.

        It is asked again after a failure at once, not after a silence: a client waits for the tool meanwhile.

        Raises:
            InvalidRequest, SettingsError: The engine is unknown, or lacks what it needs.
        """
        [engine] = self.open((name,))
        shared = self._shared(name)
        metered = DayMeteredEngine(EngineWithCircuitBreaker(engine, shared.breaker), share, self._price(name))
        paced = PacedEngine(metered, shared.pace) if shared.pace else metered
        longest = self._settings.timeout / 2
        tried = EngineWithRetryAfter(paced, self._clock, breaker=shared.breaker, longest=longest)
        return ReusingEngine(CachingEngine(tried, self.keeper), self.keeper)

    def _earlier(self, request: AnyRequest, journal: Journal) -> list[SearchEngine]:
        """The engine that searches the sources of the earlier run.

        It reads our own store, so it costs nothing and needs no limiter, breaker or retry.
        """
        if isinstance(request, CheckRequest) or not (request.follow_up_of and request.web and request.shape.depth):
            return []
        return [
            RecordedEngine(self._masked(Earlier(self._store.documents, request.follow_up_of)), journal, steps.search)
        ]

    def _shared(self, name: str) -> SharedLimits:
        if name not in self.shared:
            self.shared |= registry.share((name,), self._settings, self._breaker, self._clock)
        return self.shared[name]

    def _price(self, name: str) -> float:
        return price_of(name, self._settings)

    def _with_concerns(self, name: str, caller: str, journal: Journal, ledger: Ledger, *, reuse: bool) -> SearchEngine:
        [engine] = self.open((name,), caller)
        web = name != _LOCAL
        return engine_for_run(
            CachingEngine(engine, self.keeper) if web else engine,
            self._shared(name),
            journal=journal,
            key_of=steps.search,
            ledger=ledger,
            clock=self._clock,
            price=self._price(name),
            recent=self.keeper.recent if web and reuse else None,
        )
