from collections.abc import AsyncGenerator, Sequence
from typing import Any

import anyio
import pytest

from deepresearch_mcp.web.fetching.browser_proxy import LONGEST_HEAD, GuardedProxy, open_proxy
from deepresearch_mcp.web.fetching.guard import AllowList
from deepresearch_mcp.web.fetching.pinning import PinnedBackend


class Names:
    """Resolves every name to the addresses told, and remembers what it was asked."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.addresses


class Rig:
    def __init__(self, site: Any, *addresses: str, most: int = 100_000) -> None:
        self.names = Names(*addresses)
        allow = AllowList.of((site.address,))
        self.proxy = GuardedProxy(PinnedBackend(allow, self.names), allow, (80, 443, site.port), most, 5.0)
        self.address = ""

    async def ask(self, raw: bytes, until: bytes = b"\0") -> bytes:
        """What is answered up to these bytes, or up to the end of the connection."""
        host, _, port = self.address.removeprefix("http://").partition(":")
        async with await anyio.connect_tcp(host, int(port)) as stream:
            await stream.send(raw)
            heard = b""
            try:
                with anyio.fail_after(5):
                    while not heard.endswith(until):
                        heard += await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass
            return heard


@pytest.fixture
async def rig(site: Any) -> AsyncGenerator[Rig]:
    one = Rig(site, "127.0.0.1")
    async with open_proxy(one.proxy) as one.address:
        yield one


async def test_a_plain_request_is_passed_on_without_what_concerns_the_proxy(rig: Rig, site: Any, make: Any) -> None:
    site.pages["/ice?a=b"] = make.http("Ice.", Keep_Alive="timeout=5", Connection="keep-alive")

    heard = await rig.ask(
        f"GET {site.url('/ice?a=b')} HTTP/1.1\r\nHost: {site.address}\r\nProxy-Connection: keep-alive\r\n\r\n".encode(),
        until=b"Ice.",
    )

    assert heard.startswith(b"HTTP/1.1 200 OK")
    assert heard.endswith(b"\r\nConnection: close\r\n\r\nIce.")
    assert b"keep-alive" not in heard.lower()
    assert site.requests[0].split(b"\r\n")[0] == b"GET /ice?a=b HTTP/1.1"
    assert b"proxy" not in site.requests[0].lower()


async def test_a_tunnel_carries_bytes_both_ways(rig: Rig, site: Any, make: Any) -> None:
    site.pages["/ice"] = make.http("Ice.", Connection="close")

    heard = await rig.ask(
        f"CONNECT {site.address} HTTP/1.1\r\n\r\nGET /ice HTTP/1.1\r\nHost: x\r\n\r\n".encode(), until=b"Ice."
    )

    assert heard.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK")


@pytest.mark.parametrize(
    "target",
    [
        "CONNECT 127.0.0.1:80",
        "CONNECT localhost:443",
        "CONNECT [::1]:443",
        "CONNECT 2130706433:443",
        "CONNECT rebound.example:443",
        "CONNECT public.example:22",
        "CONNECT user@public.example:443",
        "GET http://127.0.0.1/",
        "GET http://169.254.169.254/latest/meta-data",
        "GET http://rebound.example/",
        "GET file:///etc/passwd",
        "GET ftp://public.example/",
    ],
)
async def test_what_does_not_lead_to_a_public_address_is_refused(rig: Rig, site: Any, target: str) -> None:
    heard = await rig.ask(f"{target} HTTP/1.1\r\nHost: public.example\r\n\r\n".encode())

    assert heard.startswith(b"HTTP/1.1 403 ")
    assert len(rig.proxy.refused) == 1
    assert site.asked == []


@pytest.mark.parametrize(
    "raw",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"CONNECT \xff\xfe:443 HTTP/1.1\r\n\r\n",
        b"PUT http://93.184.215.14/ HTTP/1.1\r\n\r\n",
        b"POST http://93.184.215.14/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"x" * (LONGEST_HEAD + 70_000),
    ],
)
async def test_what_is_no_request_of_a_browser_is_dropped(rig: Rig, raw: bytes) -> None:
    assert (await rig.ask(raw))[:10] in {b"", b"HTTP/1.1 4"}


async def test_only_so_many_bytes_reach_the_browser(site: Any, make: Any) -> None:
    site.pages["/big"] = make.http("x" * 300_000)
    rig = Rig(site, "127.0.0.1")
    async with open_proxy(rig.proxy) as rig.address:
        heard = await rig.ask(f"GET {site.url('/big')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())

    assert len(heard) <= 100_000
