"""Follows redirects, so that each of them passes the same guards."""

from dataclasses import replace

import httpx2

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.text.urls import joined_url
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response

REDIRECTS = frozenset({301, 302, 303, 307, 308})


async def follow_redirects(hop: Fetcher, ask: Request, most: int) -> tuple[Response, tuple[str, ...]]:
    """Send a request and follow its redirects; return the last response and the addresses that redirected.

    Only the first address gets the conditional headers. All hops share the time limit of the request.

    Raises:
        FetchRefused: The address, or one that it redirects to, is refused.
        FetchFailed: No complete response, an unreadable redirect, or more than `most` redirects.
    """
    passed: list[str] = []
    while True:
        answer = await hop.get(ask)
        if answer.status not in REDIRECTS:
            return answer, tuple(passed)
        if len(passed) == most:
            raise FetchFailed(str(ask.url), "unparsable", f"The page redirects more than {most} times.")
        passed.append(str(answer.url))
        ask = replace(ask, url=_target(ask, answer), headers={}, seconds=max(0.0, ask.seconds - answer.seconds))


def _target(ask: Request, answer: Response) -> httpx2.URL:
    where = answer.headers.get("location", "").strip()
    try:
        if where:
            return httpx2.URL(joined_url(str(answer.url), where))
    except (ValueError, httpx2.InvalidURL):
        pass
    raise FetchFailed(str(ask.url), "unparsable", "The page redirects to no address that can be read.")
