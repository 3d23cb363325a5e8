"""Posts webhooks to addresses that callers named: checked like those of pages, and sent once."""

import ssl
from collections.abc import Mapping, Sequence

import anyio
import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import DeepResearchError, FetchFailed
from deepresearch_mcp.ports.webhooks import Poster
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.guard import AllowList, check_url

_SECONDS = 15.0
"""For one delivery; the Standard Webhooks specification advises 15 to 30."""


class GuardedPoster(Poster):
    """Posts over the transport of pages, whose connections go only to addresses that were checked.

    Each post opens a connection of its own: deliveries are rare.
    """

    def __init__(
        self, settings: WebSettings, allow_private: Sequence[str], context: ssl.SSLContext | None = None
    ) -> None:
        self._settings = settings.model_copy(update={"allow_private": tuple(allow_private), "concurrency": 1})
        self._allow = AllowList.of(allow_private)
        self._context = context

    @override
    def check(self, url: str) -> None:
        check_url(url, self._allow, self._settings.ports)

    @override
    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        # Late: most processes post nothing.
        from deepresearch_mcp.web.fetching.pinning import open_transport

        target = check_url(url, self._allow, self._settings.ports)
        timeout = {"connect": self._settings.connect_timeout, "read": None, "write": None, "pool": None}
        request = httpx2.Request(
            "POST",
            target,
            content=body,
            headers={"user-agent": self._settings.sent_as, **headers},
            extensions={"timeout": timeout},
        )
        try:
            with anyio.fail_after(_SECONDS):
                async with open_transport(self._settings, context=self._context) as transport:
                    response = await transport.handle_async_request(request)
                    with anyio.move_on_after(1, shield=True):
                        await response.aclose()
                    return response.status_code
        except (TimeoutError, httpx2.TimeoutException):
            raise FetchFailed(url, "timed_out", "The receiver did not answer in time.") from None
        except DeepResearchError:
            raise
        except Exception as error:
            # A hostile receiver can cause any exception in the libraries below.
            raise FetchFailed(url, "unreachable", "The receiver could not be reached.") from error
