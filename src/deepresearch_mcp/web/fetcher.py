"""One request of one page: its request, its response, and the interface that every wrapper has."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import httpx2

from deepresearch_mcp.exceptions import FetchFailed


@dataclass(frozen=True, slots=True)
class Request:
    """One GET of one address."""

    url: httpx2.URL
    """As returned by `check_url`, or still to be checked by it."""
    seconds: float
    """Time left on the wire: connecting, headers and body; waiting for a turn does not count."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Beside those that every request carries; names in lower case."""
    max_body: int | None = None
    """Bytes, decompressed, after which the rest is left unread; None: the setting, and more is a failure."""

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
    """Decompressed; empty where the status makes the body worthless to us."""
    seconds: float = 0.0
    """Spent on the wire."""


class Fetcher(Protocol):
    """Answers one request; a wrapper knows only the fetcher inside it."""

    async def get(self, ask: Request) -> Response:
        """Ask once.

        Raises:
            FetchRefused: It was not asked.
            FetchFailed: No whole answer came.
        """
        ...


class BrokenConnection(FetchFailed):
    """The connection broke during use: asking again may help."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "unreachable", "The connection broke before the page had arrived.")
