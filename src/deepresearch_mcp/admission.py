"""Checks a request before its run starts: refuses what can only fail, and estimates what the run may use."""

from collections.abc import Callable, Collection, Mapping

import httpx2

from deepresearch_mcp.engines import EngineFactory
from deepresearch_mcp.exceptions import InvalidRequest, TooManyWaiting
from deepresearch_mcp.llm import registry as models
from deepresearch_mcp.llm.client import CLIENT
from deepresearch_mcp.llm.prices import RolePrices
from deepresearch_mcp.pipeline.means import Means, Past
from deepresearch_mcp.pipeline.research.affording import PastRun, expected_use, past_of
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.quotas import Quotas
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.report_templates.loading import open_template
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.thinking import Thinkers

_LOOKED_BACK = 60
"""The caller's latest completed runs that are searched for runs of the same shape."""


class Admission:
    """Checks and estimates requests by the settings of this process."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        http: httpx2.AsyncClient,
        thinkers: Thinkers,
        engines: EngineFactory,
        quotas: Quotas,
        scale: Callable[[], Scale],
    ) -> None:
        self._settings = settings
        self._store = store
        self._http = http
        self._thinkers = thinkers
        self._engines = engines
        self._quotas = quotas
        self._scale = scale

    async def check(self, request: AnyRequest, caller: str) -> None:
        """Refuse a request that can only fail.

        Raises:
            InvalidRequest, UnknownCollection, SettingsError: A value is wrong; the error says what to do.
            DayCeilingMet: All runs together, or the caller's runs, have used up a daily ceiling.
            TooManyWaiting: The queue holds too many runs of the caller.
        """
        await self._check_waiting(caller)
        if isinstance(request, ResearchRequest):
            await self._check_places(request, caller)
        roles = self._thinkers.models_of(request)
        if isinstance(request, ResearchRequest):
            self._check_engines(request, models=bool(roles))
        if roles:
            await self._check_models(request, roles, caller)
        if roles or any(self._engines.prices(self._engines.names_for(request)).values()):
            await self._quotas.check(caller)

    async def estimate(self, request: ResearchRequest, caller: str) -> Estimate:
        """Estimate what a research run will use, by stage, and give the ceilings it comes near.

        Raises:
            InvalidRequest, UnknownCollection, SettingsError: The request would be refused.
        """
        await self._check_places(request, caller)
        roles = self._thinkers.models_of(request)
        self._check_engines(request, models=bool(roles))
        prices = models.open_prices(self._settings.model)
        if roles:
            await self._check_models(request, roles, caller)
            await prices.load()
        names = self._engines.names_for(request)
        means = Means(
            engines=names,
            query_usd=self._engines.prices(names),
            pages_per_query=self._settings.research.pages_per_query,
            price=RolePrices(roles, prices),
            models=bool(roles),
            past=await self.past(request, caller, models=bool(roles)),
            day=await self._quotas.left(caller),
        )
        return expected_use(request, means)

    async def past(self, request: AnyRequest, caller: str, *, models: bool) -> Past:
        """Compare what the caller's latest completed runs of the same shape used with their estimates."""
        if isinstance(request, CheckRequest):
            return Past()
        rows = await self._store.runs.find(caller=caller, status="completed", limit=_LOOKED_BACK)
        wanted = (request.effort, request.shape.breadth, request.shape.depth, request.mode)
        return past_of(
            (
                PastRun(
                    *(int(kept.get("tokens", 0)), float(kept.get("seconds", 0.0))),
                    *(int(kept.get("searches", 0)), int(kept.get("read", 0))),
                    engines=self._engines.names_for(one),
                )
                for row in rows
                if isinstance(one := row.request, ResearchRequest)
                and (kept := row.progress)
                and (one.effort, one.shape.breadth, one.shape.depth, one.mode) == wanted
            ),
            request,
            self._settings.research.pages_per_query,
            models=models,
        )

    def template_of(self, request: AnyRequest) -> ReportTemplate:
        """The form that the report of a request is to have; a check has none.

        Raises:
            InvalidRequest: There is no template of this name.
            SettingsError: Its file cannot be used.
        """
        if isinstance(request, CheckRequest):
            return ReportTemplate()
        return open_template(request.template, self._settings.research.templates_dir)

    async def _check_models(self, request: AnyRequest, roles: Mapping[Role, str], caller: str) -> None:
        if CLIENT in roles.values():
            return
        names = {*roles.values(), *models.fallbacks(self._settings.model)}
        for name in names:
            models.open_model(name, self._settings.model, self._http)
        await self._quotas.refresh()
        given = "max_usd" if request.max_usd is not None else ""
        if ceiling := given or ((money := self._quotas.money(caller)) and f"limits.{money}"):
            await self._check_price(names, ceiling)

    async def _check_waiting(self, caller: str) -> None:
        most = self._settings.limits.waiting_per_caller
        # The machine's own user may fill its own queue.
        if most and caller not in {"", LOCAL_CALLER}:
            waiting = await self._store.runs.waiting_of(caller)
            if waiting >= most:
                raise TooManyWaiting(waiting)

    async def _check_places(self, request: ResearchRequest, caller: str) -> None:
        await self._store.collections.of(caller).check(request.collections)
        # Report an unusable quality file, profile or template before the run starts.
        self._scale()
        self._engines.profile_of(request)
        self.template_of(request)

    def _check_engines(self, request: ResearchRequest, *, models: bool) -> None:
        if request.shape.depth:
            self._engines.open(self._engines.names_for(request))
        elif not models:
            raise InvalidRequest(
                "depth=0 asks for an answer without research, and the extractive engine has no knowledge of its own.",
                "Ask with depth=1 or more, with model=client from an MCP client, or configure a model.",
            )

    async def _check_price(self, names: Collection[str], ceiling: str) -> None:
        """Refuse a ceiling of money if a model's price is unknown: the ledger could not enforce it."""
        prices = models.open_prices(self._settings.model)
        await prices.load()
        unknown = [name for name in names if prices.upper(name, 1, 1) is None]
        if unknown:
            raise InvalidRequest(
                f"{ceiling} cannot be held: the price of {min(unknown)} is not known.",
                f"Set it under model.prices in config.toml, or leave {ceiling} out and "
                f"set {'max_tokens' if ceiling == 'max_usd' else 'limits.tokens_per_day'}.",
            )
