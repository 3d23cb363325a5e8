"""A transport that is built with the first request."""

from collections.abc import Callable

import anyio
import anyio.to_thread
import httpx2
from typing_extensions import override


class LateTransport(httpx2.AsyncBaseTransport):
    """Builds the real transport in a thread on the first request: loading it costs a tenth of a second of cold start.

    What `build` raises is raised by that request, and the next one tries again.
    """

    def __init__(self, build: Callable[[], httpx2.AsyncBaseTransport]) -> None:
        self._build = build
        self._building = anyio.Lock()
        self._inner: httpx2.AsyncBaseTransport | None = None

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        async with self._building:
            inner = self._inner = self._inner or await anyio.to_thread.run_sync(self._build)
        return await inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close what was built."""
        if self._inner is not None:
            await self._inner.aclose()
