"""What `doctor` tries for real: each check makes one small call, and says in plain words what came of it."""

import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import anyio

from deepresearch_mcp.exceptions import DeepResearchError, StoreError
from deepresearch_mcp.jobs.asking import request_of
from deepresearch_mcp.llm import registry as models
from deepresearch_mcp.ports.model import ModelCall
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.runtime import Runtime, open_runtime
from deepresearch_mcp.search import registry as engines
from deepresearch_mcp.settings import VENDOR_NAMES, ModelSettings, Settings
from deepresearch_mcp.web.client import Fetched
from deepresearch_mcp.web.parsing import Parsers

PAGE = "https://example.com/"
QUERY = "Python programming language"
_HTML = (
    b"<!doctype html><title>A page</title><main><h1>A page</h1><p>Its one paragraph says what it has to say.</p></main>"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried."""

    name: str
    ok: bool
    said: str
    action: str = ""
    """How to mend it."""
    needed: bool = True
    """Nothing works without it."""


@dataclass(frozen=True, slots=True)
class Thinks:
    """Who thinks when a question names no model."""

    name: str
    why: str
    change: str
    """What it takes, and costs, to have another."""


Try = Callable[[], Awaitable[Check]]


def thinks(settings: ModelSettings) -> Thinks:
    """What `auto` stands for under these settings."""
    ceiling = EFFORTS["standard"].max_usd
    keys = [names[0] for knob, names in VENDOR_NAMES.items() if knob.startswith("model.") and knob.endswith("_key")]
    found = models.configured(settings)
    if settings.use == "extractive" or (settings.use == "auto" and found is None):
        why = "as model.use says" if settings.use == "extractive" else "as no model is configured"
        how = f"set one of {', '.join(keys)}, or name a local model, as --model ollama:NAME"
        return Thinks(
            "extractive", f"{why}: sentences of the sources, chosen and ordered; it costs nothing",
            f"To have a model think, {how}. A standard run then costs at most ${ceiling:.2f}.",
        )  # fmt: skip
    names = dict.fromkeys(models.tiers(settings.use, settings).values())
    why = "the first provider that has a key" if settings.use == "auto" else "as model.use says"
    return Thinks(
        " and ".join(names), f"{why}; a standard run costs at most ${ceiling:.2f}",
        "Another one: --model PROVIDER:NAME. None, and no cost: --model extractive.",
    )  # fmt: skip


async def examine(settings: Settings, *, offline: bool, page: str = PAGE) -> list[Check]:
    """Try everything at once; in a fixed order. With `offline` nothing outside this machine is asked."""
    async with AsyncExitStack() as stack:
        try:
            runtime = await stack.enter_async_context(open_runtime(settings))
        except StoreError as error:
            return [Check("data directory", ok=False, said=error.message, action=error.action)]
        tries = [lambda: _store(runtime), lambda: _parser(runtime)]
        if settings.database_url:
            tries.append(lambda: _workers(runtime))
        if not offline:
            tries += [*_engine_tries(runtime), *_model_tries(runtime), lambda: _page(runtime, page)]
        return _weighed(await _all(tries))


async def try_knob(settings: Settings, knob: str) -> Check:
    """Try what one key or address opens: one small call to its model, or one search.

    Raises:
        StoreError: The data directory cannot be used.
    """
    name = re.sub("_(key|url|base_url)$", "", knob.rpartition(".")[2])
    async with open_runtime(settings) as runtime:
        if knob.startswith("search."):
            return await _engine_try(runtime, name)()
        return await _model_try(runtime, f"{name}:{models.PROVIDERS[name].fast}")()


async def _all(tries: Sequence[Try]) -> list[Check]:
    found: dict[int, Check] = {}

    async def one(number: int, attempt: Try) -> None:
        found[number] = await attempt()

    async with anyio.create_task_group() as tasks:
        for number, attempt in enumerate(tries):
            tasks.start_soon(one, number, attempt)
    return [found[number] for number in sorted(found)]


def _weighed(checks: list[Check]) -> list[Check]:
    """One engine that answers is enough; when none does, each of them was needed."""
    searches = [check for check in checks if check.name.startswith("search ")]
    if any(check.ok for check in searches):
        return checks
    return [
        Check(check.name, check.ok, check.said, check.action, needed=True) if check in searches else check
        for check in checks
    ]


async def _store(runtime: Runtime) -> Check:
    name = f"doctor-{secrets.token_hex(4)}"
    collections, shared = runtime.store.collections, bool(runtime.settings.database_url)

    async def write_and_read() -> str:
        await collections.put(name, "", runtime.clock.now().timestamp())
        there = any(row.name == name for row in await collections.all())
        await collections.remove(name)
        if not there:
            raise StoreError("What was written could not be read again.", "Move the data to another disk.")
        return "written and read" if shared else f"written and read in {runtime.store.home}"

    return await _tried("database" if shared else "data directory", write_and_read)


async def _parser(runtime: Runtime) -> Check:
    async def parse() -> str:
        began = runtime.clock.monotonic()
        async with Parsers(runtime.settings.web, runtime.clock) as parsers:
            await parsers.parse(Fetched(PAGE, PAGE, 200, "text/html", "utf-8", _HTML))
        return f"a parser process started and read a page in {runtime.clock.monotonic() - began:.1f} s"

    return await _tried("page parser", parse)


async def _workers(runtime: Runtime) -> Check:
    from deepresearch_mcp.jobs.cluster import workers_seen

    async def look() -> str:
        url = runtime.settings.database_url
        seen = await workers_seen(url.get_secret_value()) if url else 0
        if not seen:
            raise StoreError(
                "none has given a sign of life for half a minute; what `serve --http` takes in waits for one.",
                "Start one, on any machine: deepresearch-mcp worker",
            )
        return f"{seen} at work"

    return await _tried("workers", look, needed=False)


def _engine_tries(runtime: Runtime) -> list[Try]:
    return [_engine_try(runtime, name) for name in engines.chosen(runtime.settings.search) if name != "local"]


def _engine_try(runtime: Runtime, name: str) -> Try:
    async def ask() -> str:
        [engine] = runtime.engines((name,))
        hits = await engine.search(Query(QUERY, limit=3))
        return f"answered with {len(hits)} results" if hits else "answered, and found nothing"

    return lambda: _tried(f"search {name}", ask, needed=False)


def _model_tries(runtime: Runtime) -> list[Try]:
    settings = runtime.settings.model
    roles = runtime.thinkers.models_of(request_of({"question": QUERY}))
    names = dict.fromkeys((*roles.values(), *models.fallbacks(settings))) if roles else {}
    return [_model_try(runtime, name) for name in names]


def _model_try(runtime: Runtime, name: str) -> Try:
    async def ask() -> str:
        call = ModelCall("doctor", "scope", "You answer in one word.", "Say: ready", max_tokens=200)
        answer = await models.open_model(name, runtime.settings.model, runtime.http).answer(call)
        return f"answered ({answer.usage.input_tokens + answer.usage.output_tokens} tokens)"

    return lambda: _tried(f"model {name}", ask)


async def _page(runtime: Runtime, page: str) -> Check:
    async def fetch() -> str:
        document = await runtime.web.fetch(page)
        return f"{page} read, {document.length} characters"

    return await _tried("web page", fetch, action="Check the network; behind a proxy, set web.proxy.")


async def _tried(name: str, fn: Callable[[], Awaitable[str]], *, needed: bool = True, action: str = "") -> Check:
    try:
        return Check(name, ok=True, said=await fn(), needed=needed)
    except DeepResearchError as error:
        return Check(name, ok=False, said=error.message, action=error.action or action, needed=needed)
