"""The REST surface over a small web, in this process, with a gate that admits whom a header names."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from deepresearch_mcp.http_app.context import HttpContext, admit
from deepresearch_mcp.http_app.problems import exception_handlers
from deepresearch_mcp.http_app.rest.service import routes
from deepresearch_mcp.mcp_server.server_context import open_server_context
from deepresearch_mcp.records.principal import SCOPES, Principal
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock
from small_web import SmallWeb, settings_for, small_web

CALLERS = ("token:1", "token:2")


class NamedGate:
    """Admits the principal of `Authorization: Bearer NAME`, with the scopes of the header `x-scopes`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode(): value.decode() for name, value in scope.get("headers", ())}
        kind, _, name = headers.get("authorization", "").partition(" ")
        if kind == "Bearer" and name in CALLERS:
            granted = headers.get("x-scopes", " ".join(SCOPES)).split()
            admit(scope, Principal(name, frozenset(one for one in SCOPES if one in granted)))  # pyright: ignore[reportArgumentType] - of SCOPES
        await self._app(scope, receive, send)


@dataclass
class RestWorld:
    """A served surface."""

    http: httpx2.AsyncClient
    web: SmallWeb
    app: ASGIApp

    async def call(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, caller: str = "token:1", **headers: str
    ) -> httpx2.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.request(method, path, json=body, headers={"authorization": f"Bearer {caller}", **named})


def app_of(context: HttpContext) -> ASGIApp:
    return NamedGate(Starlette(routes=routes(context), exception_handlers=exception_handlers()))


@asynccontextmanager
async def served_rest(home: Path, *, held: bool = False, settings: Settings | None = None) -> AsyncGenerator[RestWorld]:
    async with small_web(held=held) as web:
        chosen = settings or settings_for(home, web.base)
        async with open_server_context(chosen) as server:
            app = app_of(HttpContext(chosen, server, SystemClock()))
            transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                yield RestWorld(http, web, app)
