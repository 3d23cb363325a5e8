"""Chooses the thinker of a request: its models with all their wrappers, the client's own model, or rules alone."""

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType

import anyio
import httpx2

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import EventSink
from deepresearch_mcp.exceptions import InvalidRequest, ProviderError
from deepresearch_mcp.llm import registry as models
from deepresearch_mcp.llm.client import CLIENT, REPLAYED, ByClient, Replayed
from deepresearch_mcp.llm.metering import Meter, MeteredModel
from deepresearch_mcp.llm.recorded import RecordedModel
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.llm.wrappers import (
    CheaperNearLimit,
    FallbackModel,
    LimitedModel,
    ModelWithCircuitBreaker,
    RetryingModel,
)
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step, kind_named, redone
from deepresearch_mcp.ports.model import Model, Role
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.request import Effort, ResearchRequest
from deepresearch_mcp.settings.schema import ModelSettings, ResearchSettings
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.thinkers.base import EXTRACTIVE, Thinker
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.fallback import Fallback
from deepresearch_mcp.thinkers.prompted.judgement_cache import JudgementCache
from deepresearch_mcp.thinkers.prompted.thinker import Prompted
from deepresearch_mcp.thinkers.sparing import FewerCalls
from deepresearch_mcp.thinkers.staged import Staged, goes_by_rules

_SELF_CHECKED = (
    "The client's own model did the thinking, and judged its own claims (self-checked); tokens are estimated."
)


class Thinkers:
    """Makes one thinker for each run; all of them share the models of the process."""

    def __init__(
        self, settings: ModelSettings, clock: Clock, store: Store, http: httpx2.AsyncClient, breaker: CircuitBreaker
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._store = store
        self._http = http
        self._breaker = breaker
        self._limiters: dict[str, anyio.CapacityLimiter] = {}
        self._adapters: dict[str, models.OpenModel] = {}

    def models_of(self, request: AnyRequest) -> Mapping[Role, str]:
        """Return `PROVIDER:NAME` for each role; empty if no model is used.

        Raises:
            InvalidRequest: The request names an unknown model.
            SettingsError: A setting names an unknown model.
        """
        use = request.model if request.model != "auto" else self._settings.use
        named = request.roles if isinstance(request, ResearchRequest) else {}
        own: Mapping[Role, str] = {role: ":".join(models.parse_name(name)) for role, name in named.items()}
        if own and use in {CLIENT, EXTRACTIVE}:
            raise InvalidRequest(
                f"roles names models, and with model={use} none of them is asked.",
                "Leave roles out, or set model to auto or PROVIDER:NAME.",
            )
        if use == CLIENT:
            return dict.fromkeys(models.ROLES, CLIENT)
        if len(own) == len(models.ROLES):
            return own
        if use == EXTRACTIVE or (use == "auto" and models.configured(self._settings) is None):
            if own:
                raise InvalidRequest(
                    f"roles names models for {', '.join(own)}, and no model is configured for the others.",
                    f"Name one for each role ({', '.join(models.ROLES)}), or set model to PROVIDER:NAME.",
                )
            return {}
        return {**models.tiers(request.model, self._settings), **own}

    async def warm(self) -> None:
        """Load slow packages and prices before a model is asked. The page parsers start with the first page instead."""

        async def one(adapter: models.OpenModel) -> None:
            # The first call reports a missing package, so the failure is ignored here.
            with suppress(ProviderError):
                await adapter.warm()

        async with anyio.create_task_group() as tasks:
            for adapter in self._adapters.values():
                tasks.start_soon(one, adapter)
            if self._adapters:
                tasks.start_soon(models.open_prices(self._settings).load)

    async def thinker(
        self,
        request: AnyRequest,
        journal: Journal,
        ledger: Ledger,
        emit: EventSink,
        tally: Tally | None = None,
        broker: Broker | None = None,
    ) -> Thinker:
        """Make the thinker of a request: its models with the extractive engine as fallback, or that engine alone.

        Raises:
            InvalidRequest, SettingsError: The model is unknown or lacks its key.
        """
        roles = self.models_of(request)
        thinker = await self._thinker(roles, journal, ledger, emit, tally, broker)
        return await self._behind_a_fork(thinker, journal, emit, by_rule=not roles)

    def judge_named(self, model: str) -> str:
        """Return `PROVIDER:NAME` of the judge that is asked for: under `auto` the critic's; "" if there is none.

        Raises:
            InvalidRequest: There is no such model, or it is the client's own.
        """
        if model == CLIENT:
            raise InvalidRequest("A client's own model is not at hand to judge.", "Name the judge as PROVIDER:NAME.")
        return self.models_of(ResearchRequest(question="Judge.", model=model)).get("critic", "")

    def judge(self, name: str, journal: Journal, ledger: Ledger, nonce: str, tally: Tally) -> Thinker:
        """Make a judge of reports: this model alone, metered and recorded. Where it fails, nothing takes its place.

        Raises:
            SettingsError: The model lacks its key.
        """
        meter = Meter(ledger, models.open_prices(self._settings), tally)
        asked = Structured(self._model(name, journal, meter, lambda: bool(tally.models)))
        return Prompted(dict.fromkeys(models.ROLES, asked), name, nonce)

    async def _behind_a_fork(self, thinker: Thinker, journal: Journal, emit: EventSink, *, by_rule: bool) -> Thinker:
        """Return the thinker; in a fork, let the origin's thinker answer for the stages that both share.

        `RecordedModel` replays an answer whichever model is asked now. So another thinker is needed only if the origin
        asked a model and the fork does not, or the other way round.
        """
        anew = redone(journal)
        if anew is None:
            return thinker
        shared = [row for row in await journal.rows() if kind_named(row.key) not in anew]
        models_did = any(row.kind == "model" and row.status == "done" for row in shared)
        if models_did is not by_rule:
            return thinker
        before: Thinker = Extractive()
        if models_did:
            nonce = await journal.step(Step(steps.NONCE), _nonce, kind="decision", result=str)
            asked = Structured(RecordedModel(Replayed(), journal))
            known = await self._remembered((), journal)
            answers = Prompted(dict.fromkeys(models.ROLES, asked), REPLAYED, nonce, emit, known)
            before = Fallback(answers, before, emit, journal)
        return Staged(before, thinker, anew)

    async def _remembered(self, judges: tuple[str, ...], journal: Journal, *, waits: bool = True) -> JudgementCache:
        async def now() -> tuple[str, ...]:
            return judges

        before = await journal.step(Step(steps.JUDGES), now, kind="decision", result=tuple[str, ...])
        return JudgementCache(self._store.judgements, journal, judges, before, waits=waits)

    async def _thinker(
        self,
        roles: Mapping[Role, str],
        journal: Journal,
        ledger: Ledger,
        emit: EventSink,
        tally: Tally | None,
        broker: Broker | None,
    ) -> Thinker:
        extractive = Extractive()
        if not roles:
            return extractive
        nonce = await journal.step(Step(steps.NONCE), _nonce, kind="decision", result=str)
        tally = tally or Tally()
        meter = Meter(ledger, models.open_prices(self._settings), tally)
        if CLIENT in roles.values():
            if broker is None:
                raise InvalidRequest(
                    "model=client needs an MCP client to do the thinking; there is none here.",
                    "Use model=auto, or call the tool from a client.",
                )
            client = Structured(ByClient(broker, journal, meter))
            known = await self._remembered((CLIENT,), journal, waits=False)
            prompted = Prompted(dict.fromkeys(roles, client), CLIENT, nonce, emit, known, plainly=False)
            return Fallback(FewerCalls(prompted, extractive), extractive, emit, journal)
        others = models.fallbacks(self._settings)
        known_names = {*roles.values(), *others}

        def reached() -> bool:
            """Whether a model that is configured now has answered in this run."""
            return not known_names.isdisjoint(tally.models)

        def answered() -> bool:
            """Whether any model has: its findings are worth a report even if that model is no longer configured."""
            return bool(tally.models)

        def chain(name: str) -> FallbackModel:
            asked = [self._model(one, journal, meter, reached) for one in dict.fromkeys((name, *others))]
            return FallbackModel(asked, emit, journal)

        def asker(name: str, fast: str) -> Structured:
            if name == fast:
                return Structured(chain(name))
            return Structured(CheaperNearLimit(chain(name), chain(fast), journal, ledger, emit))

        # The reader's model is the fast tier, which uses most of a run's tokens.
        askers = {name: asker(name, roles["reader"]) for name in dict.fromkeys(roles.values())}
        known = await self._remembered((roles["verifier"], *others), journal)
        prompted = Prompted(
            {role: askers[name] for role, name in roles.items()}, " and ".join(askers), nonce, emit, known
        )
        return Fallback(prompted, extractive, emit, journal, answered)

    def _model(self, name: str, journal: Journal, meter: Meter, answered: Callable[[], bool]) -> Model:
        """One model with the wrappers of one run, in the order that `llm.wrappers` prescribes."""
        settings = self._settings
        if name not in self._limiters:
            # Opening comes first, because it may raise. Both are kept for the process: an adapter learns its server's
            # limits.
            self._adapters[name] = models.open_model(name, settings, self._http)
            self._limiters[name] = anyio.CapacityLimiter(settings.concurrency)
        metered = MeteredModel(ModelWithCircuitBreaker(self._adapters[name], self._breaker), meter)
        recorded = RecordedModel(LimitedModel(metered, self._limiters[name]), journal)
        return RetryingModel(recorded, self._clock, settings.retries, self._breaker, answered)


def warning_about(thinker: Thinker, request: AnyRequest, use: str) -> str:
    """Say in the report who did the thinking; "" if a configured model did. `use` is the setting `model.use`."""
    if not goes_by_rules(thinker):
        return _SELF_CHECKED if thinker.name == CLIENT else ""
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


async def _nonce() -> str:
    return secrets.token_hex(4)


_DEPTHS: Mapping[Effort, int] = MappingProxyType({"quick": 1, "standard": 2, "deep": 3, "exhaustive": 4})
"""Rounds of research of an effort where a client is asked: each takes it three calls."""


def depth_in_rounds(request: ResearchRequest) -> int:
    """Rounds of research at most where a client is asked; a depth that was asked for counts."""
    depth = request.shape.depth
    return depth if request.depth is not None else min(depth, _DEPTHS[request.effort])


def in_rounds(settings: ResearchSettings) -> ResearchSettings:
    """Change the settings so that a standard research needs eight rounds of questions to the client.

    All pages are read in one round; the report takes three more: its sketch, its sections, its edit. So a reading
    waits for the pages, nothing is followed up within a round, and no round goes to what another round would have to
    follow, as a review would.
    """
    few = {"passage_tokens": min(500, settings.passage_tokens), "leads": 0, "critique": False}
    brief = {"notes_tokens": min(600, settings.notes_tokens)}
    patient = {"first_pages": 1.0, "first_wait": max(4.0, settings.first_wait)}
    return settings.model_copy(update={**few, **brief, **patient})
