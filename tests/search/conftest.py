"""A clock moved by hand and a search service that answers as it is told."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx2
import pytest

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.records.request import EFFORTS


class HandClock:
    """Time stands still until somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 1_000.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        return datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(seconds=self.seconds - 1_000)

    def today(self) -> date:
        return self.now().date()

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


class Service:
    """A service on no wire at all: keeps what it was asked, answers with what it was given."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.answer: Callable[[httpx2.Request], httpx2.Response] = lambda request: httpx2.Response(200, json={})
        # A contact as the settings give one: there are services that refuse programs without.
        agent = {"User-Agent": "tests (ann@example.org)"}
        self.http = httpx2.AsyncClient(transport=httpx2.MockTransport(self._answer), headers=agent)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return self.answer(request)

    def says(self, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answer = lambda request: httpx2.Response(status, content=content, headers=headers)

    def fails(self, error: Exception) -> None:
        def answer(request: httpx2.Request) -> httpx2.Response:
            raise error

        self.answer = answer

    @property
    def params(self) -> dict[str, str]:
        return dict(self.requests[-1].url.params)

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.requests[-1].content)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def service() -> Service:
    # Its client holds no connection, so no one has to close it, and plain tests can have it too.
    return Service()


@pytest.fixture
def ledger(clock: Any) -> Ledger:
    return Ledger(EFFORTS["quick"].model_copy(update={"max_searches": 2}), clock)
