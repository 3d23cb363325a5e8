"""A process that renders one page in Chromium: it reads a job from standard input and answers on standard output.

Both are JSON objects. The parent passes no environment with secrets and kills this process when time is up; Chromium
ends when its pipe to this process breaks.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request, Route

_UNNEEDED = frozenset({"image", "media", "font", "texttrack", "manifest", "eventsource", "websocket", "other", "ping"})
"""Kinds of requests that bring no text."""
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST"})
_SETTLING = 0.4
"""Share of the time limit for which an open connection is waited for after the page has loaded."""
_SWITCHES = (
    # No request may go round the proxy: no name is resolved by the browser, no datagram is sent.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-features=WebTransport,DnsOverHttps,AsyncDns,PreconnectToSearch,MediaRouter,OptimizationHints",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pings",
    "--js-flags=--max-old-space-size=512",
    "--disable-dev-shm-usage",
    "--disable-gpu",
)


def main() -> None:
    """Do one job."""
    job = json.loads(sys.stdin.buffer.read())
    try:
        answer = rendered(job)
    except Exception as error:  # noqa: BLE001 - whatever breaks here is one failed page
        answer = {"error": str(error).partition("\n")[0][:300]}
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii"))


def rendered(job: Mapping[str, Any]) -> dict[str, Any]:
    """Load `url` through `proxy`, run its scripts for at most `seconds` and return `html`, at most `most` characters.

    Nothing is downloaded or kept, no service worker starts, and neither scripts nor frames lead to other pages.
    """
    from playwright.sync_api import Error, sync_playwright

    limit = 1_000 * float(job["seconds"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=job["executable"],
            headless=True,
            chromium_sandbox=bool(job["sandbox"]),
            proxy={"server": job["proxy"], "bypass": "<-loopback>"},
            args=list(_SWITCHES),
            timeout=limit,
        )
        context = browser.new_context(
            user_agent=job["user_agent"], accept_downloads=False, service_workers="block", locale="en"
        )
        page = context.new_page()
        _restrict(context, page, job["url"])
        response = page.goto(job["url"], wait_until="commit", timeout=limit)
        with suppress(Error):  # a page that never falls silent is taken as it is
            page.wait_for_load_state("domcontentloaded", timeout=limit * _SETTLING)
            page.wait_for_load_state("networkidle", timeout=limit * _SETTLING)
        answer = {"html": page.content()[: job["most"]], "status": response.status if response else 0}
        browser.close()
    return answer


def _restrict(context: "BrowserContext", page: "Page", url: str) -> None:
    """Let the page be loaded once, and refuse what brings no text, other pages and new windows."""
    from playwright.sync_api import Error

    started: list[str] = []

    def decide(route: "Route", request: "Request") -> None:
        # Errors of a page that closes, or opens another, while it is asked about; they must not reach the library.
        with suppress(Error):
            if request.is_navigation_request() and (started or request.url != url):
                route.abort("aborted")  # any other reason would put an error page in the place of this one
            elif request.resource_type in _UNNEEDED or request.method not in _METHODS:
                route.abort()
            else:
                if request.is_navigation_request():
                    started.append(url)
                route.continue_()

    def close(opened: "Page") -> None:
        with suppress(Error):
            if opened is not page:
                opened.close()

    context.route("**/*", decide)
    context.route_web_socket("**/*", lambda socket: socket.close())
    context.on("page", close)


def can_be_sandboxed() -> bool:
    """Return whether Chromium may start its sandbox: it refuses to as root."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


if __name__ == "__main__":
    main()
