import shutil
import sys
from collections.abc import AsyncGenerator
from importlib.util import find_spec
from typing import Any

import anyio
import anyio.abc
import pytest
from anyio.abc import SocketAttribute, SocketStream

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.browser import FEW, RENDERED, Browser, open_browser
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.reader import open_web

CHROMIUM = next((found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), "")
needs_chromium = pytest.mark.skipif(
    not CHROMIUM or find_spec("playwright") is None, reason="the extra browser or Chromium is not installed"
)
SCRIPTED = """<html><head><title>Ice</title></head><body><div id=root></div><script>
document.getElementById('root').innerHTML = '<article><h1>Ice</h1>' +
  '<p>Ice floats because water expands when it freezes, and the solid is lighter than the liquid.</p>'.repeat(12) +
  '</article>';
</script></body></html>"""
ATTACKS = """<html><body><p id=out></p><iframe src="{canary}frame"></iframe><img src="{canary}img">
<link rel=stylesheet href="{canary}css"><link rel=preconnect href="{canary}"><link rel=dns-prefetch href="{canary}">
<link rel=prefetch href="{canary}prefetch"><script src="{canary}js"></script>
<object data="{canary}object"></object><embed src="{canary}embed"><video src="{canary}video"></video>
<form id=form action="{canary}form" method=post></form><a id=link href="{canary}ping" ping="{canary}ping"></a>
<script>
const canary = "{canary}";
const tried = [
  () => fetch(canary + 'fetch', {{mode: 'no-cors'}}), () => fetch(canary + 'post', {{mode: 'no-cors', method: 'POST'}}),
  () => navigator.sendBeacon(canary + 'beacon', 'x'), () => new WebSocket(canary.replace('http', 'ws') + 'ws'),
  () => new EventSource(canary + 'events'), () => new Worker(canary + 'worker'), () => import(canary + 'module'),
  () => new WebTransport(canary.replace('http:', 'https:') + 'transport'),
  () => window.open(canary + 'popup'), () => navigator.serviceWorker.register('/sw.js'),
  () => {{ const x = new XMLHttpRequest(); x.open('GET', canary + 'xhr'); x.send(); }},
  () => {{ const p = new RTCPeerConnection({{iceServers: [{{urls: 'stun:' + new URL(canary).host}}]}});
          p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); }},
  () => document.getElementById('link').click(), () => document.getElementById('form').submit(),
  () => {{ location.href = canary + 'away'; }},
];
for (const one of tried) {{ try {{ const r = one(); if (r && r.catch) r.catch(() => 0); }} catch (e) {{}} }}
document.getElementById('out').textContent = 'The attacks were started.';
</script></body></html>"""


def page_at(url: str, body: bytes = b"<script></script>") -> Fetched:
    return Fetched(url=url, final_url=url, status=200, media_type="text/html", charset="", body=body)


class Canary:
    """Counts connections, and whatever datagrams arrive."""

    def __init__(self) -> None:
        self.hits = 0
        self.url = ""

    async def serve(self, stream: SocketStream) -> None:
        self.hits += 1
        async with stream:
            await stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.fixture
async def canary() -> AsyncGenerator[Canary]:
    one = Canary()

    async def count(datagrams: anyio.abc.UDPSocket) -> None:
        async for _ in datagrams:
            one.hits += 1

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(SocketAttribute.local_port)
        one.url = f"http://127.0.0.1:{port}/"
        async with (
            await anyio.create_udp_socket(local_host="127.0.0.1", local_port=port) as datagrams,
            anyio.create_task_group() as group,
        ):
            group.start_soon(listener.serve, one.serve)
            group.start_soon(count, datagrams)
            yield one
            group.cancel_scope.cancel()


@needs_chromium
async def test_a_page_of_scripts_alone_is_read_as_they_make_it(
    site: Any, make: Any, settings: WebSettings, clock: HandClock, documents: Any
) -> None:
    site.pages["/app"] = make.http(SCRIPTED)

    async with open_web(settings, clock, documents) as web:
        document = await web.fetch(site.url("/app"))

    assert document.text.startswith("# Ice\n\nIce floats because water expands")
    assert RENDERED in document.flags
    agents = [line for request in site.requests for line in request.lower().split(b"\r\n") if b"user-agent" in line]
    assert set(agents) == {b"user-agent: " + settings.sent_as.lower().encode()}


@needs_chromium
async def test_nothing_that_a_page_tries_in_the_browser_reaches_a_private_address(
    site: Any, make: Any, settings: WebSettings, canary: Canary
) -> None:
    site.pages["/attack"] = make.http(ATTACKS.format(canary=canary.url))

    made = await open_browser(settings).rendered(page_at(site.url("/attack")))

    assert b"The attacks were started." in made.body
    assert canary.hits == 0


@needs_chromium
async def test_the_same_attacks_do_reach_an_address_that_the_settings_allow(
    site: Any, make: Any, settings: WebSettings, canary: Canary
) -> None:
    site.pages["/attack"] = make.http(ATTACKS.format(canary=canary.url))
    allowed = (*settings.allow_private, canary.url.split("/")[2])

    await open_browser(settings.model_copy(update={"allow_private": allowed})).rendered(page_at(site.url("/attack")))

    assert canary.hits > 0


@needs_chromium
async def test_the_browser_itself_may_not_be_sent_to_a_private_address(settings: WebSettings, canary: Canary) -> None:
    with pytest.raises(FetchRefused):
        await open_browser(settings).rendered(page_at(canary.url))

    assert canary.hits == 0


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("import sys; sys.stdout.write('no JSON')", "unparsable"),
        ("", "unparsable"),
        ("import sys; sys.stdin.read(); print('[]')", "empty"),
        ('import sys; sys.stdin.read(); print(\'{"error": "no"}\')', "empty"),
        ("import time; time.sleep(60)", "timed_out"),
        ("import sys\nwhile 1: sys.stdout.write('x' * 65536)", "unparsable"),
    ],
)
async def test_a_browser_that_breaks_is_one_failed_page(settings: WebSettings, program: str, error: str) -> None:
    small = settings.model_copy(update={"max_body_bytes": 100_000, "browser_seconds": -3.5})
    browser = Browser(small, "chromium", command=(sys.executable, "-c", program))

    with pytest.raises(FetchFailed) as caught:
        await browser.rendered(page_at("https://93.184.215.14/"))

    assert caught.value.reason == error


@pytest.mark.parametrize(
    ("body", "text", "wanted"),
    [
        (b"<SCRIPT src=a.js></SCRIPT>", "", True),
        (b"<script></script>", "x" * FEW, False),
        (b"<p>Short.</p>", "Short.", False),
    ],
)
def test_only_pages_with_scripts_and_hardly_a_text_are_rendered(body: bytes, text: str, *, wanted: bool) -> None:
    assert Browser(WebSettings(), "chromium").wanted_for(page_at("https://a.example/", body), text) is wanted


def test_a_page_of_scripts_says_which_extra_would_have_read_it() -> None:
    lacking = Browser(WebSettings(), "", lacking=True)

    with pytest.raises(FetchFailed) as caught:
        lacking.check_installed(page_at("https://a.example/"))

    assert caught.value.reason == "missing_extra"
    assert "Install the extra browser" in caught.value.action
    lacking.check_installed(page_at("https://a.example/", b"<p></p>"))
    Browser(WebSettings(), "chromium").check_installed(page_at("https://a.example/"))


@pytest.mark.parametrize(
    "settings",
    [
        WebSettings(browser=False),
        WebSettings(proxy="http://proxy.example:3128"),
        WebSettings(browser_program="/nowhere/chromium"),
    ],
    ids=["switched off", "behind a proxy", "no such program"],
)
def test_without_a_browser_that_can_be_guarded_nothing_is_rendered(settings: WebSettings) -> None:
    assert not open_browser(settings).wanted_for(page_at("https://a.example/"), "")
