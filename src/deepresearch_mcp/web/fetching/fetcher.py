"""A request, its response, and the interface of every fetcher and its wrappers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import httpx2

from deepresearch_mcp.exceptions import FetchFailed


@dataclass(frozen=True, slots=True)
class Request:
    """One GET request."""

    url: httpx2.URL
    """As `check_url` returns it, or not yet checked."""
    seconds: float
    """Time limit for connecting, headers and body. Waiting for a turn at the host does not count."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent in addition to those of every request; names in lower case."""
    max_body: int | None = None
    """Decompressed bytes after which reading stops. None: a body above `web.max_body_bytes` is a failure."""

    @property
    def host(self) -> str:
        """Host and port, which share one rate limit."""
        return self.url.netloc.decode("ascii")


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to one `Request`, with any status."""

    url: httpx2.URL
    status: int
    headers: httpx2.Headers
    body: bytes = field(repr=False)
    """Decompressed; empty unless the status is one of `BODY_STATUSES`."""
    seconds: float = 0.0
    """Time spent on the wire."""


class Fetcher(Protocol):
    """Answers one request. A wrapper knows only the fetcher that it wraps."""

    async def get(self, ask: Request) -> Response:
        """Send one request.

        Raises:
            FetchRefused: The request was not sent.
            FetchFailed: No complete response arrived.
        """
        ...


class BrokenConnection(FetchFailed):
    """The connection broke during use; a retry may help."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "unreachable", "The connection broke before the page had arrived.")
