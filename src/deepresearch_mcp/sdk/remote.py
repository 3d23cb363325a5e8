"""Asks a server over REST; runs are worked on there."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import anyio
import httpx2
from pydantic import BaseModel, ValidationError
from typing_extensions import override

from deepresearch_mcp.exceptions import UNREACHABLE, InvalidRequest, ProviderError, SettingsError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import FoundPassage
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.run import Run, RunStatus
from deepresearch_mcp.records.sharing import SharedLink
from deepresearch_mcp.records.trail import RunEvent
from deepresearch_mcp.sdk.engine import Collected, Collection, Engine, ForkStage, OnEvent, OnProgress, RunPage
from deepresearch_mcp.sdk.following import RESTS, Follower
from deepresearch_mcp.sdk.problems import error_of
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.viewer.formats import format_named

RUNS = "/research/runs"
COLLECTIONS = "/library/collections"
_SECONDS = 120.0
"""For one answer; a cancelled run is written up before it is answered."""

T = TypeVar("T", bound=BaseModel)


def checked_address(url: str) -> str:
    """Return a server's address without a slash at its end.

    Raises:
        SettingsError: It is no http or https address.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
        raise SettingsError("The address of the server is wrong.", "Write it like https://research.example.org.")
    return url.rstrip("/")


@asynccontextmanager
async def open_remote(
    url: str, token: str, *, transport: httpx2.AsyncBaseTransport | None = None, clock: Clock | None = None
) -> AsyncGenerator[Engine]:
    """Open the connection to a server; leaving the context leaves its runs alone.

    `transport` replaces the network, `clock` the system's.
    """
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(
        base_url=url, headers=headers, timeout=_SECONDS, transport=transport, follow_redirects=False, trust_env=False
    ) as http:
        yield RemoteEngine(http, clock or SystemClock())


class RemoteEngine(Engine):
    """The REST surface of a server."""

    def __init__(self, http: httpx2.AsyncClient, clock: Clock) -> None:
        self._http = http
        self._clock = clock

    @override
    async def start(self, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        return await self._begin(RUNS, {"clarify": "never", **arguments}, fresh=fresh, webhook_url=webhook_url)

    @override
    async def start_check(self, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        return await self._begin("/research/checks", arguments, fresh=fresh, webhook_url=webhook_url)

    async def _begin(self, path: str, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        body = {name: one for name, one in arguments.items() if one is not None}
        body |= {"fresh": True} if fresh else {}
        body |= {"webhook_url": webhook_url} if webhook_url else {}
        return await self._run_id("POST", path, body)

    @override
    async def follow(
        self, run_id: str, wait_seconds: float | None, on_progress: OnProgress | None, on_event: OnEvent | None
    ) -> Run:
        follower = Follower(self._http, self._clock, _run(run_id), self.get)
        run = await follower.follow(run_id, wait_seconds, on_progress, on_event)
        if on_event and run.status in RESTS:
            # What happened before the following began, or between the last event and the end.
            while found := await self.events(run_id, follower.last):
                for event in found:
                    follower.last = event.number
                    await on_event(event)
        return run

    @override
    async def events(self, run_id: str, after: int) -> list[RunEvent]:
        answer = await self._ask("GET", f"{_run(run_id)}/events", params={"after": str(after)})
        return [_read(RunEvent, one) for one in answer["events"]]

    @override
    async def get(self, run_id: str) -> Run:
        return _read(Run, await self._ask("GET", _run(run_id)))

    @override
    async def export(self, run_id: str, form: str) -> bytes:
        # Checked here too: a server of an older version would name a query parameter.
        name = format_named(form).name
        return (await self._answered("GET", f"{_run(run_id)}/report", params={"format": name})).content

    @override
    async def runs(self, *, status: RunStatus | None, query: str, limit: int, cursor: str) -> RunPage:
        asked = {"status": status or "", "query": query, "limit": str(limit), "cursor": cursor}
        given = {name: one for name, one in asked.items() if one}
        return _read(RunPage, await self._ask("GET", RUNS, params=given))

    @override
    async def answer(self, run_id: str, said: Mapping[str, Any]) -> None:
        await self._ask("POST", f"{_run(run_id)}/answer", said)

    @override
    async def cancel(self, run_id: str) -> Run:
        await self._ask("POST", f"{_run(run_id)}/cancel")
        return _read(Run, await self._ask("GET", _run(run_id), params={"wait_seconds": "20"}))

    @override
    async def resume(self, run_id: str, ceilings: Mapping[str, Any]) -> str:
        return await self._run_id("POST", f"{_run(run_id)}/resume", ceilings)

    @override
    async def fork(self, run_id: str, stage: ForkStage, changes: Mapping[str, Any]) -> str:
        return await self._run_id("POST", f"{_run(run_id)}/fork", {"stage": stage, **changes})

    @override
    async def delete(self, run_id: str) -> dict[str, int]:
        answer = await self._ask("DELETE", _run(run_id))
        return {str(what): int(count) for what, count in answer["deleted"].items()}

    @override
    async def estimate(self, arguments: Mapping[str, Any]) -> Estimate:
        answer = await self._ask("POST", "/research/estimate", arguments)
        return _read(Estimate, answer["estimate"])

    @override
    async def share(self, run_id: str, hours: float) -> SharedLink:
        return _read(SharedLink, await self._ask("POST", f"{_run(run_id)}/shares", {"hours": hours}))

    @override
    async def shares(self, run_id: str) -> list[SharedLink]:
        answer = await self._ask("GET", f"{_run(run_id)}/shares")
        return [_read(SharedLink, one) for one in answer["shares"]]

    @override
    async def unshare(self, run_id: str, share_id: str) -> None:
        await self._ask("DELETE", f"{_run(run_id)}/shares/{quote(share_id, safe='')}")

    @override
    async def webhook_secret(self) -> str:
        return str((await self._ask("GET", "/research/webhook-secret"))["secret"])

    @override
    async def search_library(
        self, query: str, *, collections: Sequence[str] | None, where: Sequence[str], limit: int
    ) -> list[FoundPassage]:
        asked: dict[str, str | list[str]] = {
            "query": query,
            "limit": str(limit),
            "collections": list(collections or ()),
            "where": list(where),
        }
        answer = await self._ask("GET", "/library/search", params=asked)
        places = ("url", "title", "collection", "text", "start", "end", "heading")
        return [
            FoundPassage(source_id="", score=0.0, **{name: one[name] for name in places}) for one in answer["passages"]
        ]

    @override
    async def collections(self) -> list[Collection]:
        answer = await self._ask("GET", COLLECTIONS)
        return [_read(Collection, one) for one in answer["collections"]]

    @override
    async def add_collection(self, name: str, sources: Sequence[str]) -> Collected:
        if not sources:
            raise InvalidRequest("No source was named.", "A server does not keep where documents came from: name them.")
        documents = [await _document(one) for one in sources]
        for document in documents:
            await self._ask("POST", f"{COLLECTIONS}/{quote(name, safe='')}/documents", document)
        return Collected(added=len(documents), unchanged=0, removed=0)

    @override
    async def remove_collection(self, name: str) -> None:
        await self._ask("DELETE", f"{COLLECTIONS}/{quote(name, safe='')}")

    async def _run_id(self, method: str, path: str, body: Mapping[str, Any]) -> str:
        return str((await self._ask(method, path, body))["run_id"])

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        params: Mapping[str, str | list[str]] | None = None,
    ) -> Any:  # noqa: ANN401 - what JSON holds
        """Send one request and return the JSON of its answer; None if there is none.

        Raises:
            DeepResearchError: The one that the server tells; `ProviderError` if it cannot be reached or understood.
        """
        answer = await self._answered(method, path, body, params=params)
        if not answer.content:
            return None
        try:
            return answer.json()
        except ValueError as error:
            raise _strange(self._http.base_url.host) from error

    async def _answered(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        params: Mapping[str, str | list[str]] | None = None,
    ) -> httpx2.Response:
        try:
            answer = await self._http.request(method, path, json=body, params=params)
        except httpx2.HTTPError as error:
            raise ProviderError(self._http.base_url.host, UNREACHABLE, retryable=True) from error
        if not answer.is_success:
            raise error_of(answer, path)
        return answer


def _strange(host: str) -> ProviderError:
    return ProviderError(host, "its answer is not that of this service", action="Check the address.")


def _run(run_id: str) -> str:
    return f"{RUNS}/{quote(run_id.strip(), safe='')}"


def _read(kind: type[T], value: object) -> T:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise ProviderError(
            "The server", f"its {kind.__name__} cannot be read", action="Use the same version on both sides."
        ) from error


async def _document(source: str) -> dict[str, str]:
    """Return what is sent of a source: an address, or the text of a file of this machine."""
    if source.lower().startswith(("http://", "https://")):
        return {"url": source}
    file = anyio.Path(source)
    try:
        return {"text": await file.read_text(encoding="utf-8"), "path": Path(source).name}
    except (OSError, ValueError) as error:
        raise InvalidRequest(
            f"{source[:80]!r} cannot be sent: it is no text file.", "Name text files and addresses of pages."
        ) from error
