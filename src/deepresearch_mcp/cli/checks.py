"""The checks of `doctor`. Each makes one small call and reports the result in plain words."""

import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import anyio

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.exceptions import DeepResearchError, SettingsError, StoreError
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.llm import registry as models
from deepresearch_mcp.ports.model import ModelCall
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.runtime import Runtime, open_runtime
from deepresearch_mcp.search import registry as engines
from deepresearch_mcp.settings.project import EXTRAS, adding
from deepresearch_mcp.settings.schema import ModelSettings, Settings
from deepresearch_mcp.settings.services import VENDOR_NAMES
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.browser import open_browser
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.parsing import Parsers

PAGE = "https://example.com/"
QUERY = "Python programming language"
PATIENCE = 20.0
"""Seconds allowed for one check; the user is waiting."""
_HTML = (
    b"<!doctype html><title>A page</title><main><h1>A page</h1><p>Its one paragraph says what it has to say.</p></main>"
)


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    ok: bool
    said: str
    action: str = ""
    """How to correct a failure."""
    needed: bool = True
    """Whether nothing works without this part."""


@dataclass(frozen=True, slots=True)
class Thinks:
    """The model that is used if a question names none."""

    name: str
    why: str
    change: str
    """How to use another model, and what that costs."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One check to make."""

    name: str
    call: Callable[[], Awaitable[str]]
    """Makes the call and returns its result in words."""
    needed: bool = True
    action: str = ""
    """How to correct a failure, if the error itself does not say."""
    what: str = ""
    """What is tried, if the name does not say."""


def thinks(settings: ModelSettings) -> Thinks:
    """Return the model that `auto` stands for under these settings."""
    ceiling = EFFORTS["standard"].max_usd
    found = models.configured(settings)
    if settings.use == "extractive" or (settings.use == "auto" and found is None):
        why = "as model.use says" if settings.use == "extractive" else "as no model is configured"
        how = f"set one of {', '.join(models.key_variables())}, or name a local model, as --model ollama:NAME"
        return Thinks(
            "extractive", f"{why}: sentences of the sources, chosen and ordered; it costs nothing",
            f"To have a model think, {how}. A standard run then costs at most ${ceiling:.2f}.",
        )  # fmt: skip
    names = dict.fromkeys(models.tiers("auto", settings).values())
    why = "the first provider that has a key" if settings.use == "auto" else "as model.use says"
    return Thinks(
        " and ".join(names), f"{why}; a standard run costs at most ${ceiling:.2f}",
        "Another one: --model PROVIDER:NAME. None, and no cost: --model extractive.",
    )  # fmt: skip


async def examine(
    settings: Settings, *, offline: bool, page: str = PAGE, patience: float = PATIENCE, browser: bool = False
) -> list[Check]:
    """Run all checks concurrently; return them in a fixed order.

    With `offline`, nothing outside this machine is asked. With `browser`, the browser is tried even if no setting asks
    for it.
    """
    async with AsyncExitStack() as stack:
        try:
            runtime = await stack.enter_async_context(open_runtime(settings))
        except StoreError as error:
            name = _store_name(settings)
            action = f"{error.action} Then ask again: nothing else can be tried without it.".strip()
            return [Check(name, ok=False, said=error.message, action=action)]
        parts = [_store(runtime), _parser(runtime)]
        if settings.server.carry_out == "workers" or (settings.database_url and settings.server.carry_out == "auto"):
            parts.append(_workers(runtime))
        if not offline:
            parts += [*_engines(runtime), *_models(runtime), _page(runtime, page)]
            if browser or _is_browser_set(settings.web):
                parts.append(_browser(runtime, page))
        return _weighed(await _all(parts, patience))


async def try_setting(settings: Settings, setting: str) -> Check:
    """Try one key or address with one small call to its model or one search.

    Raises:
        StoreError: The data directory cannot be used.
    """
    name = re.sub("_(key|url|base_url)$", "", setting.rpartition(".")[2])
    async with open_runtime(settings) as runtime:
        if setting.startswith("search."):
            return await _tried(_engine(runtime, name), PATIENCE)
        return await _tried(_model(runtime, f"{name}:{models.PROVIDERS[name].fast}"), PATIENCE)


async def _all(parts: Sequence[_Part], patience: float) -> list[Check]:
    found: dict[int, Check] = {}

    async def one(number: int, part: _Part) -> None:
        found[number] = await _tried(part, patience)

    async with anyio.create_task_group() as tasks:
        for number, part in enumerate(parts):
            tasks.start_soon(one, number, part)
    return [found[number] for number in sorted(found)]


def _weighed(checks: list[Check]) -> list[Check]:
    """Mark every engine as needed if none answers; one that answers is enough."""
    searches = [check for check in checks if check.name.startswith("search ")]
    if any(check.ok for check in searches):
        return checks
    return [
        Check(check.name, check.ok, check.said, check.action, needed=True) if check in searches else check
        for check in checks
    ]


def _store(runtime: Runtime) -> _Part:
    name = f"doctor-{secrets.token_hex(4)}"
    collections = runtime.store.collections.of(LOCAL_CALLER)

    async def write_and_read() -> str:
        await collections.put(name, "", runtime.clock.now().timestamp())
        there = any(row.name == name for row in await collections.all())
        await collections.remove(name)
        if not there:
            raise StoreError("What was written could not be read again.", "Move the data to another disk.")
        return "written and read" if runtime.settings.database_url else f"written and read in {runtime.store.home}"

    return _Part(_store_name(runtime.settings), write_and_read)


def _store_name(settings: Settings) -> str:
    return "database" if settings.database_url else "data directory"


def _parser(runtime: Runtime) -> _Part:
    async def parse() -> str:
        began = runtime.clock.monotonic()
        async with Parsers(runtime.settings.web, runtime.clock) as parsers:
            await parsers.parse(Fetched(PAGE, PAGE, 200, "text/html", "utf-8", _HTML))
        return f"a parser process started and read a page in {runtime.clock.monotonic() - began:.1f} s"

    return _Part("page parser", parse)


def _workers(runtime: Runtime) -> _Part:

    url, alone = runtime.settings.database_url, runtime.settings.server.carry_out == "workers"

    async def look() -> str:
        if url is None:
            raise StoreError(
                "server.carry_out leaves runs to workers, which share a database, and no database is set: runs are "
                "carried out here.",
                "Set DEEPRESEARCH_DATABASE_URL, or take server.carry_out out.",
            )
        seen = await lazy.cluster.workers_seen(url.get_secret_value())
        if not seen:
            who = "every server" if alone else "`serve --http`"
            raise StoreError(
                f"no worker has been seen for half a minute; what {who} takes in waits for one.",
                "Start one, on any machine: deepresearch-server worker",
            )
        return f"{seen} at work"

    return _Part("workers", look, needed=alone and url is not None)


def _engines(runtime: Runtime) -> list[_Part]:
    return [_engine(runtime, name) for name in engines.chosen(runtime.settings.search) if name != "local"]


def _engine(runtime: Runtime, name: str) -> _Part:
    async def ask() -> str:
        [engine] = runtime.engines.open((name,))
        hits = await engine.search(Query(QUERY, limit=3))
        return f"answered with {len(hits)} results" if hits else "answered, and found nothing"

    [address] = VENDOR_NAMES.get(f"search.{name}_url", ("",))[:1]
    network = "Check the network; behind a proxy, set web.proxy. Other engines: search.engines."
    action = f"See that {address} is the base address of an instance that runs." if address else network
    return _Part(f"search {name}", ask, needed=False, action=action)


def _models(runtime: Runtime) -> list[_Part]:
    settings = runtime.settings.model
    roles = runtime.thinkers.models_of(checked_request({"question": QUERY}))
    names = dict.fromkeys((*roles.values(), *models.fallbacks(settings))) if roles else {}
    return [_model(runtime, name) for name in names]


def _model(runtime: Runtime, name: str) -> _Part:
    async def ask() -> str:
        call = ModelCall("doctor", "reader", "You answer in one word.", "Say: ready", max_tokens=200)
        answer = await models.open_model(name, runtime.settings.model, runtime.http).answer(call)
        return f"answered ({answer.usage.input_tokens + answer.usage.output_tokens} tokens)"

    [address] = VENDOR_NAMES.get(f"model.{name.partition(':')[0]}_base_url", ("",))[:1]
    own = bool(runtime.settings.model.address(name.partition(":")[0]))
    action = (
        f"See that {address} is the address of a server of models." if address and own else
        "The service itself seems to fail: try again later, or name other models in model.fallbacks."
    )  # fmt: skip
    return _Part(f"model {name}", ask, action=action)


def _page(runtime: Runtime, page: str) -> _Part:
    async def fetch() -> str:
        document = await runtime.web.fetch(page)
        return f"{page} read, {document.length} characters{through_proxy(runtime.settings.web.proxy)}"

    return _Part("web page", fetch, action="Check the network; behind a proxy, set web.proxy.", what=page)


def _is_browser_set(web: WebSettings) -> bool:
    return web.browser and ("browser" in web.model_fields_set or bool(web.browser_program))


def _browser(runtime: Runtime, page: str) -> _Part:
    web = runtime.settings.web
    browser = open_browser(web)

    async def render() -> str:
        if web.proxy:
            raise SettingsError("It is not used behind web.proxy.", "Its requests could not be checked there.")
        if browser.lacking:
            raise SettingsError("The extra browser is not installed.", f"Run: {adding(*EXTRAS['browser'])}")
        if not browser.program:
            wanted = f"{web.browser_program} cannot be started" if web.browser_program else "No Chromium was found"
            raise SettingsError(f"{wanted}.", "Install Chromium, or set web.browser_program to its path.")
        made = await browser.rendered(Fetched(page, page, 200, "text/html", "utf-8", _HTML))
        return f"{browser.program} loaded {page}, {len(made.body):,} bytes"

    return _Part("browser", render, needed=False, action="To do without it, set web.browser=false.")


def through_proxy(proxy: str) -> str:
    """What our guard no longer promises behind a proxy; "" without one."""
    if not proxy:
        return ""
    return (
        ", through web.proxy. It resolves names itself: private addresses and local names are still refused, but a "
        "public name that leads to a private address is the proxy's to refuse. Pages are not run in a browser"
    )


async def _tried(part: _Part, patience: float) -> Check:
    try:
        with anyio.fail_after(patience):
            return Check(part.name, ok=True, said=await part.call(), needed=part.needed)
    except DeepResearchError as error:
        # Errors of services begin with the name of the service, and so does the line of the check.
        said, action = error.message.removeprefix(f"{part.name.partition(' ')[2]}: "), error.action
    except TimeoutError:
        said, action = f"no answer within {patience:g} s", ""
    said = f"{part.what}: {said}" if part.what else said
    return Check(part.name, ok=False, said=said, action=action or part.action, needed=part.needed)
