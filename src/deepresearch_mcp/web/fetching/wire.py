"""Sends one GET over a transport and limits its time and bytes."""

import zlib

import anyio
import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import DeepResearchError, FetchFailed, FetchRefused, UnreadReason
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import BrokenConnection, Fetcher, Request, Response

BODY_STATUSES = frozenset({200, 203, 206})
"""Statuses whose body is a page. For any other status only the headers are read."""

_ACCEPT = {
    "accept": "text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.5",
    "accept-encoding": "gzip, deflate",
    "accept-language": "en,*;q=0.8",
}
_NEVER_TEXT = ("image/", "audio/", "video/", "font/", "model/")
MOST_ENCODINGS = 2
"""Most Content-Encodings of one response; honest servers do not compress three times."""


class WireFetcher(Fetcher):
    """The innermost fetcher: it sends and reads one request, follows no redirect and applies no rule."""

    def __init__(self, transport: httpx2.AsyncBaseTransport, settings: WebSettings, clock: Clock) -> None:
        self._transport = transport
        self._settings = settings
        self._clock = clock

    @override
    async def get(self, ask: Request) -> Response:
        url = str(ask.url)
        began = self._clock.monotonic()
        try:
            with anyio.fail_after(max(ask.seconds, 0.0)):
                response = await self._transport.handle_async_request(self._request(ask))
                try:
                    body = await self._read(ask, response) if response.status_code in BODY_STATUSES else b""
                finally:
                    with anyio.move_on_after(1, shield=True):
                        await response.aclose()
        except (TimeoutError, httpx2.TimeoutException):
            raise FetchFailed(url, "timed_out", "The page did not arrive in time.") from None
        except FetchRefused as error:
            raise FetchRefused(url, error.reason, error.message, error.action) from None
        except DeepResearchError:
            raise
        except Exception as error:
            # A hostile server can cause any exception in the libraries below; none may end a run.
            raise _translated(url, error) from error
        return Response(ask.url, response.status_code, response.headers, body, self._clock.monotonic() - began)

    def _request(self, ask: Request) -> httpx2.Request:
        timeout = {"connect": self._settings.connect_timeout, "read": None, "write": None, "pool": None}
        headers = {"user-agent": self._settings.sent_as, **_ACCEPT, **ask.headers}
        return httpx2.Request("GET", ask.url, headers=headers, extensions={"timeout": timeout})

    async def _read(self, ask: Request, response: httpx2.Response) -> bytes:
        most = min(ask.max_body or self._settings.max_body_bytes, self._settings.max_body_bytes)
        self._check_headers(str(ask.url), response.headers, cut=ask.max_body is not None)
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > most or response.num_bytes_downloaded > self._settings.max_wire_bytes:
                if ask.max_body is None:
                    raise _too_large(str(ask.url), most)
                break
        return bytes(body[:most])

    def _check_headers(self, url: str, headers: httpx2.Headers, *, cut: bool) -> None:
        media = headers.get("content-type", "").strip().lower()
        if media.startswith(_NEVER_TEXT):
            kind = media.partition("/")[0]
            raise FetchFailed(url, "unsupported_type", f"The address holds no text but {kind} data.")
        if len(headers.get("content-encoding", "").split(",")) > MOST_ENCODINGS:
            raise FetchFailed(url, "unparsable", "The answer is compressed too many times over.")
        length = headers.get("content-length", "")
        if length.isdecimal() and not cut and int(length[:20]) > self._settings.max_wire_bytes:
            raise _too_large(url, self._settings.max_wire_bytes)


def _too_large(url: str, most: int) -> FetchFailed:
    return FetchFailed(url, "too_large", f"The page is larger than {most:,} bytes.")


def _translated(url: str, error: Exception) -> FetchFailed:
    reason: UnreadReason = "unparsable"
    detail = "The server's answer is not valid HTTP."
    if isinstance(error, httpx2.ConnectError):
        reason, detail = "unreachable", "The host could not be reached."
    elif isinstance(error, httpx2.NetworkError | OSError | anyio.BrokenResourceError):
        return BrokenConnection(url)
    elif isinstance(error, httpx2.RemoteProtocolError) and "disconnected" in str(error):
        # httpcore reports a kept-alive connection that the server has closed in this way.
        return BrokenConnection(url)
    elif isinstance(error, httpx2.DecodingError | zlib.error):
        detail = "The answer cannot be decompressed."
    return FetchFailed(url, reason, detail)
