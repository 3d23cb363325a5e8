"""The composition root: turns settings into open components.

Only this module, the modules beside it (engines, thinking, service_client) and the registries know concrete adapters.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from functools import cached_property

import httpx2

from deepresearch_mcp.admission import Admission
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import SET_ASIDE, Ledger
from deepresearch_mcp.engines import EngineFactory
from deepresearch_mcp.events import EventSink, Started
from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.llm.client import CLIENT
from deepresearch_mcp.llm.prices import RolePrices
from deepresearch_mcp.llm.registry import open_prices
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.check.checking import Checking
from deepresearch_mcp.pipeline.check.rechecking import load_old
from deepresearch_mcp.pipeline.dependencies import Dependencies, Unasked
from deepresearch_mcp.pipeline.means import Means
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.pipeline.scope import carried_over
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.quality.loading import open_scale
from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.quotas import Quotas
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.run_events import RunEvents
from deepresearch_mcp.search.hybrid import searched_by_meaning
from deepresearch_mcp.search.tool_servers import ToolServers
from deepresearch_mcp.search.wrappers import AttendedEngine
from deepresearch_mcp.service_client import service_client
from deepresearch_mcp.settings import reading
from deepresearch_mcp.settings.reading import Loaded
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.setup_id import setup_id
from deepresearch_mcp.store.opening import open_store
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.tally import amount_of, tallied
from deepresearch_mcp.telemetry.observing import observed
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.staged import goes_by_rules
from deepresearch_mcp.thinking import Thinkers, depth_in_rounds, in_rounds, warning_about
from deepresearch_mcp.watching import Watching, open_watching
from deepresearch_mcp.web.domain_lists import DomainLists
from deepresearch_mcp.web.fetching.posting import GuardedPoster
from deepresearch_mcp.web.fetching.wrappers import AttendedWeb, web_for_run
from deepresearch_mcp.web.library.reading import WebWithLibrary
from deepresearch_mcp.web.library.stored import web_for
from deepresearch_mcp.web.masking import masking_of
from deepresearch_mcp.web.reader import PageReader, open_web


class Runtime:
    """The open components of one process; `open_runtime` makes it."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        store: Store,
        http: httpx2.AsyncClient,
        web: PageReader,
        servers: ToolServers,
        watching: Watching,
        masker: Masker | None = None,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.store = store
        self.http = http
        self.web = web
        self.masker = masker
        """Masks personal data; None if the settings name none."""
        self.breaker = CircuitBreaker(clock)
        self.thinkers = Thinkers(settings.model, clock, store, http, self.breaker)
        profiles = settings.research.profiles_dir
        self.engines = EngineFactory(settings.search, clock, store, http, self.breaker, profiles, servers, masker)
        self.keeper = self.engines.keeper
        self.quotas = Quotas(settings.limits, store.spending, clock, store.tokens)
        self.poster = GuardedPoster(settings.web, settings.webhooks.allow_private)
        self.watching = watching
        self.figures = watching.figures
        self._scale: Scale | None = None
        self._admission = Admission(settings, store, http, self.thinkers, self.engines, self.quotas, self.scale)

    @cached_property
    def setup(self) -> str:
        """The setup id: processes with the same id may resume each other's runs."""
        return setup_id(self.settings)

    def scale(self) -> Scale:
        """The scale that grades sources; loaded on first use, because many servers never research.

        Raises:
            SettingsError: The file named by `research.quality_file` cannot be used.
        """
        if self._scale is None:
            self._scale = open_scale(self.settings.research.quality_file)
        return self._scale

    async def check(self, request: AnyRequest, caller: str = "") -> None:
        """Refuse a request that can only fail, before anything is started.

        Raises:
            InvalidRequest, UnknownCollection, SettingsError: A value is wrong; the error says what to do.
            DayCeilingMet: All runs together, or the caller's runs, have used up a daily ceiling.
        """
        await self._admission.check(request, caller)

    async def estimate(self, request: ResearchRequest, caller: str = "") -> Estimate:
        """Estimate what a research run will use, by stage, and give the ceilings it comes near; start nothing.

        Raises:
            InvalidRequest, SettingsError: The request would be refused.
        """
        return await self._admission.estimate(request, caller)

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
        """Open what one research or check needs, including its ledger and journal.

        Args:
            run_id: A stored run that this process owns.
            request: The question, or the text to check.
            background: The findings of an earlier run, in words; for the check of a run, that run.
            emit: Receives every event.
            seconds: The time that earlier attempts took; the journal records what else they used.
            asker: Reaches the user; None: the user is not asked.
            broker: Reaches the client's own model.
        """
        told = RunEvents(run_id, emit, self.watching.observers)
        warnings, on_event = told.warnings, told.happened
        started = self.clock.now().isoformat(timespec="milliseconds")
        async with AsyncExitStack() as opened:
            await opened.enter_async_context(self.watching.attempt(run_id))
            opening = observed(
                self.store.journal(run_id), run_id, told.observers, self.clock, steps.stage_of, self.watching.prompts
            )
            journal = await opened.enter_async_context(opening)
            before = await journal.rows()
            tally = tallied(before)
            row = await self.store.runs.get(run_id)
            caller = row.caller if row else ""
            day = await self.quotas.left(caller) if row else {}
            share = await opened.enter_async_context(self.quotas.attempt(row, request.shape, SET_ASIDE))
            ledger = Ledger(
                request.shape,
                self.clock,
                emit=told.level_rose,
                moved=told.spent,
                carried=amount_of(before),
                seconds=seconds,
                share=share,
            )
            thinker = await self.thinkers.thinker(request, journal, ledger, on_event, tally, broker)
            if warning := warning_about(thinker, request, self.settings.model.use):
                warnings.append(warning)
            known, afresh = await self._background(request, background, journal, warnings)
            engines = self.engines.for_run(request, journal, ledger, caller=caller, afresh=afresh)
            router = self.engines.router_for(request)
            names = router.regular([engine.name for engine in engines])
            pages, web = (
                self.store.documents,
                WebWithLibrary(self.web, self.store.collections.of(caller), self.web.readied),
            )
            web = web_for(request, caller, web, pages, self.clock)
            web = web_for_run(web, self.web, journal, steps.fetch, pages, run_id, ledger)
            settings = self.settings.research
            by_client = thinker.name == CLIENT
            attending = broker if by_client else None
            if attending:
                engines = [AttendedEngine(engine, attending) for engine in engines]
                web, settings = AttendedWeb(web, attending), in_rounds(settings)
            dependencies = Dependencies(
                thinker=thinker,
                last_resort=thinker if isinstance(thinker, Extractive) else Extractive(),
                engines=engines,
                search_window=self.settings.search.window,
                web=web,
                journal=journal,
                ledger=ledger,
                clock=self.clock,
                emit=on_event,
                settings=settings,
                in_rounds=by_client,
                elsewhere=attending.elsewhere if attending else nullcontext,
                means=Means(
                    query_usd=self.engines.prices(names),
                    pages_per_query=settings.pages_per_query,
                    price=RolePrices(self.thinkers.models_of(request), open_prices(self.settings.model)),
                    past=await self._admission.past(request, caller, models=not goes_by_rules(thinker)),
                    day=day,
                ),
                warm=self.thinkers.warm,
                scale=self.scale(),
                router=router,
                template=self._admission.template_of(request),
                earlier_answers=self.keeper,
                asker=asker or Unasked(),
                tokens_of=lambda sub_question: tally.sub_questions.get(sub_question, 0),
            )
            on_event(Started(request.question, thinker.name, names))
            if before:
                told.spent(ledger.used)
            if isinstance(request, CheckRequest):
                old = await load_old(known, self.store.documents, self.web) if isinstance(known, Run) else None
                work: Research | Checking = Checking(request, dependencies, old)
            else:
                asked = request.model_copy(update={"depth": depth_in_rounds(request)}) if by_client else request
                work = Research(asked, dependencies, known if isinstance(known, str) else "")
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
                degradations=told.degradations,
                summary_tokens=self.settings.research.summary_tokens,
            )

    async def _background(
        self, request: AnyRequest, background: str | Run, journal: Journal, warnings: list[str]
    ) -> tuple[str | Run, bool]:
        """Return what the run builds on, and whether a follow-up starts afresh; both follow from a recorded step."""
        if not isinstance(background, str):
            return background, False

        async def taken() -> str:
            return carried_over(request, background)

        known = await journal.step(Step(steps.BACKGROUND), taken, kind="decision", result=str)
        afresh = bool(background) and not known
        if afresh and isinstance(request, ResearchRequest):
            warnings.append(f"The topic is not that of run {request.follow_up_of}, so nothing from it was used.")
        return known, afresh


def load_settings(flags: Mapping[str, object] | None = None, *, walk_env_file: bool = False) -> Loaded:
    """Read every source of settings.

    Raises:
        SettingsError: A setting is wrong; the error names it, its fault and its source.
    """
    try:
        return reading.read_settings(flags or {}, walk_env_file=walk_env_file)
    except ValueError as error:
        raise SettingsError(str(error)) from error


@asynccontextmanager
async def open_runtime(settings: Settings, clock: Clock | None = None) -> AsyncGenerator[Runtime]:
    """Open store, HTTP client and page reader; close them in reverse order.

    Raises:
        StoreError: The data directory or the database cannot be used.
        SettingsError: The file of the certificate authority cannot be read, or `web.redact` needs what is missing.
    """
    clock = clock or SystemClock()
    masker = masking_of(settings.web.redact)
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(settings.home, clock, settings.database_url))
        http = await stack.enter_async_context(service_client(settings))
        store.collections = searched_by_meaning(store.collections, store.vectors, http, settings.library)
        domains = DomainLists(settings.research.allow_domains, settings.research.deny_domains)
        opening = open_web(settings.web, clock, store.documents, domains=domains, masker=masker)
        web = await stack.enter_async_context(opening)
        servers = await stack.enter_async_context(ToolServers(http))
        watching = await stack.enter_async_context(open_watching(settings.telemetry, store, http, clock))
        yield Runtime(settings, clock, store, http, web, servers, watching, masker)
