"""Retries requests that failed temporarily."""

from typing_extensions import override

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.retry_after import retry_after
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import BrokenConnection, Fetcher, Request, Response

RETRIED = frozenset({429, 502, 503, 504})
FIRST_PAUSE = 0.5
"""Seconds before the second attempt, doubled before each further one."""


class RetryingFetcher(Fetcher):
    """A fetcher that retries after a status in `RETRIED` or a broken connection.

    It waits as Retry-After says. If that is longer than `retry_wait` seconds, it returns the response as it is.
    """

    def __init__(self, inner: Fetcher, settings: WebSettings, clock: Clock) -> None:
        self._inner = inner
        self._settings = settings
        self._clock = clock

    @override
    async def get(self, ask: Request) -> Response:
        for number in range(self._settings.retries):
            try:
                answer = await self._inner.get(ask)
            except BrokenConnection:
                pause = FIRST_PAUSE * 2**number
            else:
                if answer.status not in RETRIED:
                    return answer
                asked = retry_after(answer.headers, self._clock.now())
                pause = FIRST_PAUSE * 2**number if asked is None else asked
                if pause > self._settings.retry_wait:
                    return answer
            await self._clock.sleep(pause)
        return await self._inner.get(ask)
