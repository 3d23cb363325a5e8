"""The composition root: settings become open parts. It and the registries alone know concrete adapters."""

import hashlib
import json
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from functools import cached_property

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger
from deepresearch_mcp.degradations import DegradationLog
from deepresearch_mcp.events import Cautioned, CeilingNear, Degraded, Event, EventSink, Level, Spent, Started
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError, UnknownCollection
from deepresearch_mcp.llm import registry as models
from deepresearch_mcp.llm.client import CLIENT
from deepresearch_mcp.llm.prices import RolePrices
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.check.checking import Checking
from deepresearch_mcp.pipeline.check.rechecking import load_old
from deepresearch_mcp.pipeline.dependencies import Dependencies, Unasked
from deepresearch_mcp.pipeline.means import Means, Past
from deepresearch_mcp.pipeline.research.affording import PastRun, expected_use, past_of
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.scope import carried_over
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.quality.loading import open_scale
from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.quotas import Quotas
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.search import registry as engines
from deepresearch_mcp.search.answer_cache import AnswerCache, CachingEngine
from deepresearch_mcp.search.earlier import Earlier
from deepresearch_mcp.search.prices import price_of
from deepresearch_mcp.search.wrappers import AttendedEngine, RecordedEngine, SharedLimits, engine_for_run
from deepresearch_mcp.settings import reading
from deepresearch_mcp.settings.reading import Loaded
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.store.opening import open_store
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.tally import amount_of, tallied
from deepresearch_mcp.thinkers.base import EXTRACTIVE
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.staged import goes_by_rules
from deepresearch_mcp.thinking import Thinkers, in_rounds
from deepresearch_mcp.web.reader import PageReader, open_web
from deepresearch_mcp.web.stored import EarlierWeb, StoredWeb
from deepresearch_mcp.web.wrappers import AttendedWeb, web_for_run

WIRE = 1
"""Rises when a step's key or record changes so that an older run cannot be resumed."""

_RESULTS_UNCHANGED = {
    "model": {"concurrency", "timeout", "retries"},
    "search": {"timeout", "concurrency", "keep_days"},
    "web": {
        *("user_agent", "contact", "timeout", "connect_timeout", "retries", "retry_wait", "cache_seconds"),
        *("concurrency", "host_concurrency", "host_rate", "host_burst", "breaker_failures", "breaker_seconds"),
        *("workers", "parse_timeout"),
    },
}
"""Settings of pace, patience and introduction: servers that differ in them alone resume each other's runs."""


_LOOKED_BACK = 60
"""Runs among which similar ones are looked for."""


class Runtime:
    """The open parts of one process. Open it with `open_runtime`."""

    def __init__(
        self, settings: Settings, clock: Clock, store: Store, http: httpx2.AsyncClient, web: PageReader
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.store = store
        self.http = http
        self.web = web
        self.breaker = CircuitBreaker(clock)
        self.keeper = AnswerCache(store.answers, clock, settings.search.keep_days)
        self._shared: dict[str, SharedLimits] = {}
        self.thinkers = Thinkers(settings.model, clock, store, http, self.breaker)
        self._scale: Scale | None = None

    @cached_property
    def setup(self) -> str:
        """Equal in processes that may resume each other's runs: same wire, configuration and credentials.

        32 hexadecimal digits. A run is never resumed with another user's key, nor by a version that records its steps
        differently. Settings that change no result, and those at their defaults, are left out: a new version, or a new
        setting in it, leaves no run behind.
        """
        groups = self.settings.model_dump(
            include={"model", "search", "web", "research"},
            exclude={**_RESULTS_UNCHANGED, "search": _RESULTS_UNCHANGED["search"] | self._unused_engine_settings()},
            exclude_defaults=True,
        )
        text = json.dumps(
            [WIRE, {name: group for name, group in groups.items() if group}], default=_revealed, sort_keys=True
        )
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _unused_engine_settings(self) -> set[str]:
        """Keys and addresses of search engines that are not asked."""
        try:
            used = engines.chosen(self.settings.search)
        except InvalidRequest:  # It is reported when a search begins.
            return set()
        unused = tuple(f"{name}_" for name in ENGINE_NAMES if name not in used)
        return {name for name in type(self.settings.search).model_fields if name.startswith(unused)}

    def scale(self) -> Scale:
        """What sources are graded by, read when it is first wanted: not every start leads to a research.

        Raises:
            SettingsError: The file of research.quality_file cannot be used.
        """
        if self._scale is None:
            self._scale = open_scale(self.settings.research.quality_file)
        return self._scale

    @cached_property
    def allowance(self) -> Quotas:
        """What all runs of a day may use."""
        return Quotas(self.settings.limits, self.store.spending, self.clock)

    async def check(self, request: AnyRequest, caller: str = "") -> None:
        """Refuse what could only fail later, before anything is started.

        Raises:
            InvalidRequest, UnknownCollection, SettingsError: With what to do instead.
            DayCeilingMet: What all runs, or the caller's, may use within a day is used up.
        """
        if isinstance(request, ResearchRequest):
            await self._check_places(request)
        roles = self.thinkers.models_of(request)
        if isinstance(request, ResearchRequest):
            self._check_engines(request, models=bool(roles))
        if roles:
            await self._check_models(request, roles)
        if roles or any(price_of(name, self.settings.search) for name in self._engine_names(request)):
            await self.allowance.check(caller)

    async def _check_models(self, request: AnyRequest, roles: Mapping[Role, str]) -> None:
        if CLIENT in roles.values():
            return
        names = {*roles.values(), *models.fallbacks(self.settings.model)}
        for name in names:
            models.open_model(name, self.settings.model, self.http)
        given = "max_usd" if request.max_usd is not None else ""
        if ceiling := given or (self.allowance.money and f"limits.{self.allowance.money}"):
            await self._check_price(names, ceiling)

    async def _check_places(self, request: ResearchRequest) -> None:
        known = {row.name for row in await self.store.collections.all()}
        for name in request.collections:
            if name not in known:
                there_are = f"There are: {', '.join(sorted(known))}." if known else "There is none yet."
                raise UnknownCollection(
                    f"There is no collection {name!r}.",
                    f"{there_are} Add a folder with `library add PATH --name NAME`.",
                )
        self.scale()

    def _check_engines(self, request: ResearchRequest, *, models: bool) -> None:
        if request.shape.depth:
            self.engines(self._engine_names(request))
        elif not models:
            raise InvalidRequest(
                "depth=0 asks for an answer without research, and the extractive engine has no knowledge of its own.",
                "Ask with depth=1 or more, or configure a model.",
            )

    async def _check_price(self, names: Collection[str], ceiling: str) -> None:
        """A ceiling of money cannot be held with a model whose price is unknown."""
        prices = models.open_prices(self.settings.model)
        await prices.load()
        unknown = [name for name in names if prices.upper(name, 1, 1) is None]
        if unknown:
            raise InvalidRequest(
                f"{ceiling} cannot be held: the price of {min(unknown)} is not known.",
                f"Set it under model.prices in config.toml, or leave {ceiling} out and "
                f"set {'max_tokens' if ceiling == 'max_usd' else 'limits.tokens_per_day'}.",
            )

    @asynccontextmanager
    async def research(
        self,
        run_id: str,
        request: AnyRequest,
        background: str | Run,
        emit: EventSink,
        seconds: float = 0.0,
        *,
        asker: UserPrompter | None = None,
        broker: Broker | None = None,
    ) -> AsyncGenerator[Session]:
        """Everything that one research or check needs, with its ledger and its journal.

        `background` is what an earlier run established, in words; for the check of a run it is that run. `seconds` is
        how long earlier attempts worked; what they used is in the journal. Without an `asker` no user is
        asked; the client's own model thinks by way of the `broker`.
        """
        warnings: list[str] = []
        lapses = DegradationLog(warnings)

        def hear(event: Event) -> None:
            if isinstance(event, Cautioned) and event.what not in warnings:
                warnings.append(event.what)
            if not isinstance(event, Degraded) or lapses.add(event):
                emit(event)

        def near(kind: str, level: Level) -> None:
            hear(CeilingNear(kind, level))

        def moved(used: Amount) -> None:
            hear(Spent(used.usd, used.tokens, used.searches, used.pages))

        started = self.clock.now().isoformat(timespec="milliseconds")
        async with AsyncExitStack() as opened:
            journal = await opened.enter_async_context(self.store.journal(run_id))
            before = await journal.rows()
            carried, tally = amount_of(before), tallied(before)
            row = await self.store.runs.get(run_id)
            day = await self.allowance.left(row.caller) if row else {}
            life = self.allowance.life(row, request.shape, SET_ASIDE)
            share = await opened.enter_async_context(life)
            ledger = Ledger(
                request.shape, self.clock, emit=near, moved=moved, carried=carried, seconds=seconds, share=share
            )
            thinker = await self.thinkers.thinker(request, journal, ledger, hear, tally, broker)
            by_client = thinker.name == CLIENT
            extractive = thinker if isinstance(thinker, Extractive) else Extractive()
            rules = goes_by_rules(thinker)
            if rules:
                warnings.append(_no_model(request, self.settings.model.use))
            elif by_client:
                warnings.append(_SELF_CHECKED)
            known, afresh = await self._background(request, background, journal, warnings)
            earlier = [] if afresh else self._earlier(request, journal)
            asked = [*earlier, *(self._engine(name, journal, ledger) for name in self._engine_names(request))]
            names = tuple(engine.name for engine in asked)
            web = self._recorded_web(request, ledger, journal, run_id)
            shaped = self.settings.research
            attending = broker if by_client else None
            if attending:
                asked, web = [AttendedEngine(engine, attending) for engine in asked], AttendedWeb(web, attending)
                shaped = in_rounds(shaped)
            parts = Dependencies(
                thinker=thinker,
                last_resort=extractive,
                engines=asked,
                search_window=self.settings.search.window,
                web=web,
                journal=journal,
                ledger=ledger,
                clock=self.clock,
                emit=hear,
                settings=shaped,
                in_rounds=by_client,
                elsewhere=attending.elsewhere if attending else nullcontext,
                means=Means(
                    query_usd={name: price_of(name, self.settings.search) for name in names},
                    pages_per_query=shaped.pages_per_query,
                    price=RolePrices(self.thinkers.models_of(request), models.open_prices(self.settings.model)),
                    past=await self._past(request, row.caller if row else "", models=not rules),
                    day=day,
                ),
                warm=self.thinkers.warm,
                scale=self.scale(),
                earlier_answers=self.keeper,
                asker=asker or Unasked(),
            )
            hear(Started(request.question, thinker.name, names))
            if before:
                moved(ledger.used)
            if isinstance(request, CheckRequest):
                old = await load_old(known, self.store.documents, self.web) if isinstance(known, Run) else None
                work: Research | Checking = Checking(request, parts, old)
            else:
                work = Research(request, parts, known if isinstance(known, str) else "")
            yield Session(
                research=work,
                store=self.store,
                ledger=ledger,
                tally=tally,
                journal=journal,
                thinker=thinker.name,
                engines=names,
                request=request,
                clock=self.clock,
                started=started,
                warnings=warnings,
                degradations=lapses,
                summary_tokens=self.settings.research.summary_tokens,
            )

    async def _background(
        self, request: AnyRequest, background: str | Run, journal: Journal, warnings: list[str]
    ) -> tuple[str | Run, bool]:
        """What the run builds upon, and whether a follow-up starts afresh; recorded, so that a resumed run agrees."""
        if not isinstance(background, str):
            return background, False
        taken = _given(carried_over(request, background))
        known = await journal.step(Step(steps.BACKGROUND), taken, kind="decision", result=str)
        afresh = bool(background) and not known
        if afresh and isinstance(request, ResearchRequest):
            earlier = request.follow_up_of
            warnings.append(f"The question has another topic than run {earlier}, so nothing of that run was used.")
        return known, afresh

    async def estimate(self, request: ResearchRequest, caller: str = "") -> Estimate:
        """What a research is likely to use, by stage, beside what it may; nothing is started.

        Raises:
            InvalidRequest, SettingsError: It would be refused.
        """
        roles = self.thinkers.models_of(request)
        self._check_engines(request, models=bool(roles))
        prices = models.open_prices(self.settings.model)
        if roles:
            await self._check_models(request, roles)
            await prices.load()
        names = self._engine_names(request)
        means = Means(
            engines=names,
            query_usd={name: price_of(name, self.settings.search) for name in names},
            pages_per_query=self.settings.research.pages_per_query,
            price=RolePrices(roles, prices),
            models=bool(roles),
            past=await self._past(request, caller, models=bool(roles)),
            day=await self.allowance.left(caller),
        )
        return expected_use(request, means)

    async def _past(self, request: AnyRequest, caller: str, *, models: bool) -> Past:
        """What the caller's last complete runs of the same shape used, beside what was expected of them."""
        if isinstance(request, CheckRequest):
            return Past()
        rows = await self.store.runs.find(caller=caller, status="completed", limit=_LOOKED_BACK)
        wanted = (request.effort, request.shape.breadth, request.shape.depth, request.mode)
        return past_of(
            (
                PastRun(int(kept.get("tokens", 0)), float(kept.get("seconds", 0.0)), self._engine_names(one))
                for row in rows
                if isinstance(one := row.request, ResearchRequest)
                and (kept := row.progress)
                and (one.effort, one.shape.breadth, one.shape.depth, one.mode) == wanted
            ),
            request,
            self.settings.research.pages_per_query,
            models=models,
        )

    def _recorded_web(self, request: AnyRequest, ledger: Ledger, journal: Journal, run_id: str) -> Web:
        return web_for_run(self._web_for(request), self.web, journal, steps.fetch, self.store.documents, run_id, ledger)

    def _web_for(self, request: AnyRequest) -> Web:
        if isinstance(request, CheckRequest):
            return self.web if request.web else StoredWeb(self.store.documents)
        earlier = request.follow_up_of
        return EarlierWeb(self.web, self.store.documents, earlier, self.clock) if earlier else self.web

    def _engine_names(self, request: AnyRequest) -> tuple[str, ...]:
        if isinstance(request, CheckRequest) or not request.shape.depth:
            return ()
        web = tuple(name for name in engines.chosen(self.settings.search) if name != "local") if request.web else ()
        return (*(("local",) if request.collections else ()), *web)

    def engines(self, names: tuple[str, ...]) -> list[SearchEngine]:
        """Engines without the concerns of a run, for a single search.

        Raises:
            InvalidRequest, SettingsError: One is unknown, or lacks what it needs.
        """
        return engines.open_engines(names, self.settings.search, self.http, self.store.collections, self.clock)

    def _earlier(self, request: AnyRequest, journal: Journal) -> list[SearchEngine]:
        """What a follow-up starts from; our own store costs nothing and needs no patience."""
        if isinstance(request, CheckRequest) or not (request.follow_up_of and request.web and request.shape.depth):
            return []
        return [RecordedEngine(Earlier(self.store.documents, request.follow_up_of), journal, steps.search)]

    def _engine(self, name: str, journal: Journal, ledger: Ledger) -> SearchEngine:
        if name not in self._shared:
            self._shared |= engines.share((name,), self.settings.search, self.breaker)
        [engine] = self.engines((name,))
        engine = engine if name == "local" else CachingEngine(engine, self.keeper)
        price = price_of(name, self.settings.search)
        return engine_for_run(
            engine,
            self._shared[name],
            journal=journal,
            key_of=steps.search,
            ledger=ledger,
            clock=self.clock,
            price=price,
        )


def _revealed(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


def _given(value: str) -> Callable[[], Awaitable[str]]:
    """Recorded, so that a run that goes on later builds upon the very same words."""

    async def give() -> str:
        return value

    return give


_SELF_CHECKED = (
    "The client's own model did the thinking, and judged its own claims (self-checked); tokens are estimated."
)


def _no_model(request: AnyRequest, use: str) -> str:
    chosen = (
        "as asked for"
        if request.model == EXTRACTIVE
        else "as model.use says"
        if use == EXTRACTIVE
        else "because no model is configured"
    )
    if isinstance(request, CheckRequest):
        return f"No language model judged ({chosen}): words, figures and names were compared."
    return f"No language model wrote this report ({chosen}): its sentences are the sources' own, chosen and ordered."


def load_settings(flags: Mapping[str, object] | None = None, *, walk_env_file: bool = False) -> Loaded:
    """Read every source of settings.

    Raises:
        SettingsError: With the setting, what is wrong and where it came from.
    """
    try:
        return reading.read(flags or {}, walk_env_file=walk_env_file)
    except ValueError as error:
        raise SettingsError(str(error)) from error


@asynccontextmanager
async def open_runtime(settings: Settings, clock: Clock | None = None) -> AsyncGenerator[Runtime]:
    """Open store, HTTP client and page reader; close them in turn.

    Raises:
        StoreError: The data directory, or the database, cannot be used.
        SettingsError: The certificate authority's file cannot be read.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(settings.home, clock, settings.database_url))
        http = await stack.enter_async_context(_client(settings))
        web = await stack.enter_async_context(open_web(settings.web, clock, store.documents, store.collections))
        yield Runtime(settings, clock, store, http, web)


def _client(settings: Settings) -> httpx2.AsyncClient:
    """For search services and models, which the user configured: outside the page guard."""
    web = settings.web
    context: ssl.SSLContext | bool = True
    if web.ca_file:
        try:
            context = ssl.create_default_context(cafile=web.ca_file)
        except OSError as error:
            raise SettingsError(
                f"The file of web.ca_file cannot be used ({type(error).__name__}).", "Name a readable PEM file."
            ) from error
    return httpx2.AsyncClient(
        verify=context,
        proxy=web.proxy or None,
        headers={"User-Agent": web.sent_as},
        timeout=settings.model.timeout,
        http2=True,
        trust_env=False,
    )
