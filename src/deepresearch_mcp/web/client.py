"""A page's bytes, with redirects followed and the answer's meaning read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message

import httpx2

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused, UnreadReason
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetcher import Fetcher, Request, Response
from deepresearch_mcp.web.guard import AllowList, check_url
from deepresearch_mcp.web.redirects import follow_redirects
from deepresearch_mcp.web.wire import BODY_STATUSES

NOT_MODIFIED = 304

_REASONS: dict[int, tuple[UnreadReason, str]] = {
    402: ("paywalled", "The page is for paying readers."),
    404: ("not_found", "There is no page at this address."),
    410: ("not_found", "The page is gone for good."),
    408: ("timed_out", "The server gave up waiting."),
    429: ("rate_limited", "The host answers that it is asked too often."),
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """What stands at an address, as bytes."""

    url: str
    """As it was asked for."""
    final_url: str
    """After redirects."""
    status: int
    media_type: str
    """As declared, in lower case, without parameters; empty where it is not."""
    charset: str
    """As declared in the header; empty where it is not."""
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Names in lower case."""
    redirects: tuple[str, ...] = ()
    """Addresses that led on."""


class PageClient:
    """Fetches bytes through a stack of hops."""

    def __init__(self, hop: Fetcher, settings: WebSettings, allow: AllowList) -> None:
        self._hop = hop
        self._settings = settings
        self._allow = allow

    async def fetch_bytes(self, url: str, headers: Mapping[str, str] | None = None) -> Fetched:
        """Fetch what stands at `url`.

        `headers` are conditions (If-None-Match …); with them the status may be 304, without a body.

        Raises:
            FetchRefused: By a guard, robots.txt or an open circuit.
            FetchFailed: Anything else that leaves the page unread; its `url` is the one asked for.
        """
        target = check_url(url, self._allow, self._settings.ports)
        try:
            ask = Request(target, self._settings.timeout, dict(headers or {}))
            answer, passed = await follow_redirects(self._hop, ask, self._settings.redirects)
            _check_status(answer, conditional=bool(headers))
        except FetchFailed as error:
            after = "" if error.url == str(target) else "After a redirect: "
            kind = FetchRefused if isinstance(error, FetchRefused) else FetchFailed
            raise kind(url, error.reason, after + error.message, error.action) from error
        media_type, charset = content_type(answer.headers)
        return Fetched(
            url=url,
            final_url=str(answer.url),
            status=answer.status,
            media_type=media_type,
            charset=charset,
            body=answer.body,
            headers={name.lower(): value for name, value in answer.headers.items()},
            redirects=passed,
        )


def content_type(headers: httpx2.Headers) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, however it is written; empty strings for what is missing."""
    message = Message()
    message["content-type"] = " ".join(headers.get("content-type", "").split())[:500]
    declared = headers.get("content-type", "").partition(";")[0].strip().lower()
    charset = message.get_param("charset", "")
    return (declared if "/" in declared else ""), (charset.strip().lower() if isinstance(charset, str) else "")


def _check_status(answer: Response, *, conditional: bool) -> None:
    status, url = answer.status, str(answer.url)
    if status in BODY_STATUSES or (conditional and status == NOT_MODIFIED):
        return
    if status in _REASONS:
        raise FetchFailed(url, *_REASONS[status])
    if status >= 500:
        raise FetchFailed(url, "server_error", f"The server failed (HTTP {status}).")
    if status >= 400:
        raise FetchFailed(url, "blocked", f"The server does not give this page to us (HTTP {status}).")
    if status in {204, 205}:
        raise FetchFailed(url, "empty", "The server answered with an empty page.")
    raise FetchFailed(url, "unparsable", f"The server's answer makes no sense here (HTTP {status}).")
