"""The HTTP application in this process, over a store of its own."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from clocks import HandClock
from deepresearch_mcp.http_app.app import open_app
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.records.principal import CallerLimits, Scope
from deepresearch_mcp.settings.http import HttpSettings
from deepresearch_mcp.settings.telemetry import TelemetrySettings
from small_web import settings_for

OWN = "127.0.0.1:8765"
LOCAL = "a-token-of-more-than-thirty-two-characters"


@dataclass
class Served:
    """An open application, and ways to call it and to make tokens for it."""

    app: Any
    server: ResearchServer
    clock: HandClock

    @asynccontextmanager
    async def client(self, token: str = "", **headers: str) -> AsyncGenerator[httpx2.AsyncClient]:
        """A client that shows a token."""
        shown = {"authorization": f"Bearer {token}"} if token else {}
        transport = httpx2.ASGITransport(self.app)
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{OWN}", headers=shown | headers) as http:
            yield http

    async def token(
        self, *scopes: Scope, name: str = "ci", lasts: float | None = None, limits: CallerLimits | None = None
    ) -> tuple[str, str]:
        """A token of the store, and its id."""
        async with self.server.shared_context() as shared:
            store = (await shared.jobs()).runtime.store
            now = self.clock.now().timestamp()
            ends = now + lasts if lasts else None
            made, row = await store.tokens.create(name, scopes, now, expires=ends, limits=limits)
        return made, row.token_id


@asynccontextmanager
async def serve_here(
    home: Path, *, local: str | None = LOCAL, web: str = "", telemetry: dict[str, Any] | None = None, **http: Any
) -> AsyncGenerator[Served]:
    """Open the application over a store; `http` are settings, `web` the base of a small web."""
    async with AsyncExitStack() as stack:
        settings = settings_for(home, web).model_copy(
            update={"http": HttpSettings(**http), "telemetry": TelemetrySettings.model_validate(telemetry or {})}
        )
        server, clock = build_server(settings), HandClock()
        app = await stack.enter_async_context(open_app(settings, [OWN], local_token=local, clock=clock, server=server))
        await stack.enter_async_context(server.session_manager.run())
        yield Served(app, server, clock)
