"""Fetches a page's bytes: follows redirects and interprets the status."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message

import httpx2

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused, UnreadReason
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response
from deepresearch_mcp.web.fetching.guard import AllowList, check_url
from deepresearch_mcp.web.fetching.redirects import follow_redirects
from deepresearch_mcp.web.fetching.wire import BODY_STATUSES

NOT_MODIFIED = 304

_REASONS: dict[int, tuple[UnreadReason, str]] = {
    402: ("paywalled", "The page is for paying readers only."),
    404: ("not_found", "There is no page at this address."),
    410: ("not_found", "The page is gone for good."),
    408: ("timed_out", "The server gave up waiting."),
    429: ("rate_limited", "The host reports too many requests."),
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes at an address."""

    url: str
    """The requested address."""
    final_url: str
    """The address after redirects."""
    status: int
    media_type: str
    """As declared, in lower case, without parameters; empty if undeclared."""
    charset: str
    """As declared in the header; empty if undeclared."""
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Names in lower case."""
    redirects: tuple[str, ...] = ()
    """The addresses that redirected."""


class PageClient:
    """Fetches bytes through a stack of fetchers."""

    def __init__(self, hop: Fetcher, settings: WebSettings, allow: AllowList) -> None:
        self._hop = hop
        self._settings = settings
        self._allow = allow

    async def fetch_bytes(self, url: str, headers: Mapping[str, str] | None = None) -> Fetched:
        """Fetch the bytes at `url`.

        `headers` are conditions (If-None-Match …). With them the status may be 304, without a body.

        Raises:
            FetchRefused: A guard, robots.txt or an open circuit refuses the address.
            FetchFailed: The page could not be read for another reason. `url` is the requested one.
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
    """Return the media type and charset of a Content-Type header; an empty string for a missing one."""
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
    raise FetchFailed(url, "unparsable", f"The server answered with an unexpected status (HTTP {status}).")
