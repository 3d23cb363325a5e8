"""Tells others of the end of runs: signed, at least once, and tried again for three days."""

import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from anyio.abc import TaskGroup

from deepresearch_mcp.exceptions import DeepResearchError, FetchFailed, FetchRefused, InvalidRequest, StoreError
from deepresearch_mcp.pipeline.signal import at_most
from deepresearch_mcp.records.deliveries import DueDelivery
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.settings.webhooks import WebhookSettings, secret_of, signing_key
from deepresearch_mcp.text.library_urls import LIBRARY

_log = logging.getLogger(__name__)

_PAUSES = (5.0, 60.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 50_400.0, 72_000.0, 86_400.0)
"""Seconds before each further attempt, as the Standard Webhooks specification advises: about three days in all."""
_TAKEN = 60.0
"""Seconds after which another process takes over a delivery; longer than an attempt lasts."""
_AT_ONCE = 8
_LAST_WORDS = 10.0
"""Most seconds that a process which ends waits for deliveries of its own runs."""
_SMALL = 4_000
"""Most characters of a report that goes with the message; a longer one is fetched by its link."""
_GONE = 410
"""The receiver wants no more."""
_FOR_CALLER = b"deepresearch webhook key of caller 1\n"
"""Before a caller in what its key is derived from. No message begins so: none can be passed off as a key."""


async def expect_webhook(runtime: Runtime, run_id: str, url: str) -> None:
    """Tell this address when the run ends; `check_webhook` has accepted it."""
    await runtime.store.webhooks.expect(run_id, url)


def check_webhook(runtime: Runtime, url: str) -> None:
    """Refuse a webhook that can only fail, before a run is started.

    Raises:
        InvalidRequest: The address is wrong or private, or nothing can be signed.
    """
    _secret_set(runtime.settings.webhooks)
    try:
        runtime.poster.check(url)
    except FetchRefused as error:
        raise InvalidRequest(f"webhook_url: {error.message}", error.action or "Give a public address.") from error


def caller_secret(runtime: Runtime, caller: str) -> str:
    """Return the secret, in the form of `webhooks.secret`, that verifies what is told to a caller's addresses.

    Raises:
        InvalidRequest: The operator has set none.
    """
    _secret_set(runtime.settings.webhooks)
    return secret_of(_key_of(runtime.settings.webhooks, caller))


def _secret_set(settings: WebhookSettings) -> None:
    if settings.secret is None:
        raise InvalidRequest("Webhooks cannot be signed: webhooks.secret is not set.", "Ask the operator to set it.")


def _key_of(settings: WebhookSettings, caller: str, url: str = "") -> bytes:
    """The key that signs what a caller's address is told; the operator's own address has the secret itself.

    One key for all callers would let each of them, who can verify its messages, forge those of the others.
    """
    assert settings.secret
    key = signing_key(settings.secret)
    if caller == LOCAL_CALLER or (url and url == settings.url):
        return key
    return hmac.new(key, _FOR_CALLER + caller.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()


class Deliveries:
    """The webhooks that this process sends."""

    def __init__(self, runtime: Runtime, result: Callable[[str, str], Awaitable[Run]]) -> None:
        self._settings = runtime.settings.webhooks
        self._store = runtime.store.webhooks
        self._poster = lambda: runtime.poster
        self._clock = runtime.clock
        self._result = result
        self._own = 0

    async def begin(self, run_id: str) -> None:
        """Note that a run is worked on, so that its end is told; a resumed run is told of again."""
        if self._settings.url and self._settings.secret:
            await self._store.expect(run_id, self._settings.url)
        self._own += await self._store.begin(run_id)

    async def send(self, tasks: TaskGroup | None = None) -> None:
        """Send what is due, in the background if `tasks` are given. Trouble with the store is tried again later."""
        if self._settings.secret is None:
            return
        now = self._clock.now().timestamp()
        try:
            taken = await self._store.take(now, now + _TAKEN, _AT_ONCE)
        except StoreError as error:
            _log.warning("Webhooks that are due were not read: %s", error)
            return
        for one in taken:
            if tasks:
                tasks.start_soon(self._deliver, one)
            else:
                await self._deliver(one)

    async def finish(self) -> None:
        """Send what is due of this process's own runs, before it ends; the rest is for the next process."""
        if self._own:
            await at_most(self._clock, _LAST_WORDS, self.send)

    async def _deliver(self, due: DueDelivery) -> None:
        try:
            run = await self._result(due.run_id, due.caller)
        except DeepResearchError as error:
            # Its caller has just deleted it, or the store does not answer: raised here, it would end all runs of this
            # process. What still is in the store is due again when `_TAKEN` has passed.
            _log.warning("The webhook of run %s was not made: %s", due.run_id, error)
            return
        now = self._clock.now().timestamp()
        body = json.dumps(message_of(run, due.ended), ensure_ascii=False).encode("utf-8", "replace")
        name = f"msg_{due.run_id}_{int(due.ended * 1000)}"
        reason, final = "", False
        try:
            headers = signed_headers(_key_of(self._settings, due.caller, due.url), name, int(now), body)
            status = await self._poster().post(due.url, body, headers)
            if not 200 <= status < 300:
                reason, final = f"The receiver answered HTTP {status}.", status == _GONE
        except FetchFailed as error:
            reason, final = error.message, isinstance(error, FetchRefused)
        again = None if final or due.attempt > len(_PAUSES) else now + _PAUSES[due.attempt - 1]
        if reason:
            _log.warning("The webhook of run %s was not delivered (attempt %d): %s", due.run_id, due.attempt, reason)
        try:
            await self._store.settle(due, reason=reason, again_at=again if reason else None)
        except StoreError as error:
            _log.warning("The outcome of a webhook of run %s was not written: %s", due.run_id, error)


def signed_headers(key: bytes, name: str, at: int, body: bytes) -> dict[str, str]:
    """Return the headers of the Standard Webhooks specification; `at` is in whole seconds since the epoch."""
    signature = hmac.new(key, f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def message_of(run: Run, ended: float) -> dict[str, Any]:
    """Return the message about the end of a run. A long report is not in it; `links` lead to it.

    Nor is what was written from collections: the receiver is often a service of others, and who may read the run can
    fetch it.
    """
    place, private = f"/research/runs/{run.run_id}", _rests_on_collections(run)
    data: dict[str, Any] = {
        "run_id": run.run_id,
        "status": run.status,
        "question": run.question,
        "answer": "" if private else run.answer,
        "error": run.error,
        "links": {"run": place, "report": f"{place}/report"},
    }
    if len(run.report) <= _SMALL and not private:
        data["report"] = run.report
    at = datetime.fromtimestamp(ended, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"type": "research.run.ended", "timestamp": at, "data": data}


def _rests_on_collections(run: Run) -> bool:
    return any(source.url.startswith(LIBRARY) for source in run.sources)
