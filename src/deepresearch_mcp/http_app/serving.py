"""Serves the application over HTTP: to this machine, and to others once callers have to sign in."""

import secrets
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import uvicorn
from typing_extensions import override

from deepresearch_mcp.ending import FAREWELL, beat, end_soon
from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.http_app.address import (
    DEFAULT_HOST,
    DEFAULT_PORT,
    PATH,
    address_of,
    hosts_of,
    in_address,
    is_loopback,
    listening,
    refuse_open,
)
from deepresearch_mcp.http_app.app import open_app
from deepresearch_mcp.http_app.connections import Bounded
from deepresearch_mcp.http_app.context import Stopping
from deepresearch_mcp.http_app.gate import refusal_response
from deepresearch_mcp.http_app.local_token import http_token
from deepresearch_mcp.http_app.one_time_codes import OneTimeCodes
from deepresearch_mcp.http_app.pages.signing_in import SIGN_IN
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.store.opening import open_store
from deepresearch_mcp.system_clock import SystemClock

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FAREWELL = 5
"""Seconds in which open answers may end when the server is stopped."""


def serve_http(
    settings: Settings,
    host: str | None = None,
    port: int | None = None,
    *,
    with_token: bool = True,
    emit: Callable[[str], None],
) -> None:
    """Serve until the process is told to stop; port 0 takes any free one. `emit` is given what its user must know.

    Raises:
        SettingsError: The host would let others in without signing in, the port cannot be had, or the token's file
            not be used.
    """
    host, port = host or DEFAULT_HOST, DEFAULT_PORT if port is None else port
    if not is_loopback(host):
        if not with_token:
            raise SettingsError(
                f"Serving on {host!r} without tokens is refused: everyone who reaches it could read and spend.",
                "Leave out --no-token.",
            )
        if not settings.http.oauth.issuer and not anyio.run(_has_tokens, settings):
            refuse_open(host)
    with listening(host, port) as listener:
        token, path = http_token(settings.home) if with_token else (None, None)
        emit(f"Serving MCP at {address_of(listener)}")
        emit(f"The web page is at {address_of(listener).removesuffix(PATH)}/")
        if path:
            emit(f"Callers need the token in {path}, sent as “Authorization: Bearer TOKEN”. You alone can read it.")
        else:
            emit("No token is asked for: every user and program of this machine can read your reports and spend.")
        anyio.run(serve_on, settings, listener, token)


async def _has_tokens(settings: Settings) -> bool:
    clock = SystemClock()
    async with open_store(settings.home, clock, settings.database_url) as store:
        return await store.tokens.any_valid(clock.now().timestamp())


def serve_page(settings: Settings, port: int | None = None, *, show: Callable[[str], None]) -> None:
    """Serve the web page to this machine's user alone, until the process is told to stop.

    `show` is given the address that signs a browser in, once. Port None takes any free one.

    Raises:
        SettingsError: The port cannot be had.
    """
    codes = OneTimeCodes(SystemClock())
    with listening(DEFAULT_HOST, port or 0) as listener:
        name, taken = listener.getsockname()[:2]
        address = f"http://{in_address(name)}:{taken}{SIGN_IN}?code={codes.issue()}"

        async def serve() -> None:
            async with anyio.create_task_group() as tasks:
                # In a thread, as some browsers keep who starts them waiting. The socket listens already.
                tasks.start_soon(anyio.to_thread.run_sync, show, address)
                # A token that is told to no one: a caller without the session of a code is a stranger.
                await serve_on(settings, listener, secrets.token_urlsafe(32), codes)

        anyio.run(serve)


async def serve_on(
    settings: Settings, listener: socket.socket, token: str | None, codes: OneTimeCodes | None = None
) -> None:
    """Serve on a socket of `listening`; without a `token` each caller is served. `codes` sign in a browser."""
    settings = _left_to_workers(settings)
    hosts = hosts_of(listener, settings.http.public_url, settings.http.allowed_hosts)
    proxies = settings.http.trusted_proxies
    stopping = Stopping()
    opening = open_app(settings, hosts, local_token=token, codes=codes, stopping=stopping)
    async with opening as app, anyio.create_task_group() as tasks:
        config = uvicorn.Config(
            _Ended(app),
            http=Bounded,
            ws="none",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=_FAREWELL,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
        )
        tasks.start_soon(beat, SystemClock())
        await _Server(config, stopping).serve(sockets=[listener])
        tasks.cancel_scope.cancel()


class _Server(uvicorn.Server):
    """uvicorn's, which would raise SIGTERM again at its end: the process died with its store and traces open."""

    def __init__(self, config: uvicorn.Config, stopping: Stopping) -> None:
        super().__init__(config)
        self._stopping = stopping

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._stopping.now = True
        if sig == signal.SIGTERM:
            self.should_exit = True
            # Open answers first, then what they were made of.
            end_soon(seconds=_FAREWELL + FAREWELL)
            return
        super().handle_exit(sig, frame)


class _Ended:
    """Ends answers that are cut off when the server stops, which uvicorn would log with a stack trace."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        begun = False

        async def sending(message: "Message") -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except anyio.get_cancelled_exc_class():
            # uvicorn alone cancels these tasks, once, as the last thing that it does with them.
            if begun:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            else:
                await refusal_response(503, "The server is stopping. Send the request again.")(scope, receive, send)


def _left_to_workers(settings: Settings) -> Settings:
    """On a shared database the work is for workers: a server keeps nothing then that another would miss."""
    if not settings.database_url or settings.server.carry_out != "auto":
        return settings
    return settings.model_copy(update={"server": settings.server.model_copy(update={"carry_out": "workers"})})
