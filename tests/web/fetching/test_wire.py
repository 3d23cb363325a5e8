import gzip
import zlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

import anyio
import httpx2
import pytest
from anyio.abc import SocketStream

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, SettingsError
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.version import __version__
from deepresearch_mcp.web.fetching.fetcher import BrokenConnection
from deepresearch_mcp.web.fetching.pinning import open_transport
from deepresearch_mcp.web.fetching.wire import WireFetcher


@pytest.fixture
async def wire(settings: WebSettings, clock: HandClock) -> AsyncGenerator[WireFetcher]:
    small = settings.model_copy(update={"max_wire_bytes": 20_000, "max_body_bytes": 50_000})
    async with open_transport(small) as transport:
        yield WireFetcher(transport, small, clock)


async def reason(wire: WireFetcher, ask: Any) -> str:
    with pytest.raises(FetchFailed) as caught:
        await wire.get(ask)
    return caught.value.reason


async def test_a_page_comes_back_whole_and_decompressed(wire: WireFetcher, site: Any, make: Any) -> None:
    site.pages["/"] = make.http(gzip.compress(make.page.encode()), content_encoding="gzip")

    got = await wire.get(make.ask(site.url(), if_none_match='"a"'))

    assert (got.status, got.body.decode()) == (200, make.page)
    assert b'if-none-match: "a"' in site.requests[0].lower()
    assert f"user-agent: deepresearch-server/{__version__}\r\n".encode() in site.requests[0].lower()


async def test_of_an_error_only_the_status_is_read(wire: WireFetcher, site: Any, make: Any) -> None:
    got = await wire.get(make.ask(site.url("/missing")))

    assert (got.status, got.body) == (404, b"")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"x" * 30_000, {}),
        (gzip.compress(b"x" * 60_000), {"content_encoding": "gzip"}),
        (gzip.compress(gzip.compress(b"\x00" * 90_000_000)), {"content_encoding": "gzip, gzip"}),
        (zlib.compress(b"x" * 60_000), {"content_encoding": "deflate"}),
    ],
    ids=["plain", "gzip", "twice", "deflate"],
)
async def test_a_page_larger_than_allowed_on_the_wire_or_unpacked_is_refused(
    wire: WireFetcher, site: Any, make: Any, body: bytes, headers: dict[str, str]
) -> None:
    site.pages["/"] = make.http(body, **headers)

    assert await reason(wire, make.ask(site.url())) == "too_large"


async def test_a_stream_without_an_end_is_cut_at_the_cap(wire: WireFetcher, site: Any, make: Any) -> None:
    async def pour(stream: SocketStream) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            await stream.send(b"x" * 5_000)

    site.pages["/"] = pour

    assert await reason(wire, make.ask(site.url())) == "too_large"


async def test_where_the_beginning_is_enough_the_rest_is_left(wire: WireFetcher, site: Any, make: Any) -> None:
    from dataclasses import replace

    site.pages["/"] = make.http(b"x" * 30_000)

    got = await wire.get(replace(make.ask(site.url()), max_body=1_000))

    assert got.body == b"x" * 1_000


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"media_type": "image/png"}, "unsupported_type"),
        ({"media_type": " Video/MP4"}, "unsupported_type"),
        ({"content_encoding": "gzip, gzip, gzip"}, "unparsable"),
        ({"content_encoding": "gzip"}, "unparsable"),
        ({"content_encoding": "deflate"}, "unparsable"),
    ],
)
async def test_what_cannot_be_text_is_told_by_its_headers(
    wire: WireFetcher, site: Any, make: Any, headers: dict[str, str], expected: str
) -> None:
    site.pages["/"] = make.http(b"no compressed data", **headers)

    assert await reason(wire, make.ask(site.url())) == expected


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhalf a "])
async def test_a_server_that_never_finishes_is_timed_out(wire: WireFetcher, site: Any, make: Any, said: bytes) -> None:
    async def stall(stream: SocketStream) -> None:
        await stream.send(said)
        await anyio.sleep_forever()

    site.pages["/"] = stall

    assert await reason(wire, make.ask(site.url(), seconds=0.1)) == "timed_out"


async def test_a_connection_that_breaks_may_be_tried_again(wire: WireFetcher, site: Any, make: Any) -> None:
    async def hang_up(stream: SocketStream) -> None:
        await stream.aclose()

    site.pages["/"] = hang_up

    with pytest.raises(BrokenConnection):
        await wire.get(make.ask(site.url()))


async def test_a_host_that_is_not_there_is_unreachable(wire: WireFetcher, site: Any, make: Any) -> None:
    assert await reason(wire, make.ask("http://127.0.0.1:1/")) == "address_refused"

    settings = WebSettings(allow_private=("127.0.0.1:1",))
    async with open_transport(settings) as transport:
        assert (
            await reason(WireFetcher(transport, settings, HandClock()), make.ask("http://127.0.0.1:1/"))
            == "unreachable"
        )


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (httpx2.ReadError("reset"), "unreachable"),
        (httpx2.RemoteProtocolError("Server disconnected without sending a response."), "unreachable"),
        (httpx2.RemoteProtocolError("illegal header line"), "unparsable"),
        (httpx2.LocalProtocolError("bad"), "unparsable"),
        (httpx2.ReadTimeout("slow"), "timed_out"),
        (ValueError("a fault of a library"), "unparsable"),
        (OSError("no file descriptor left"), "unreachable"),
    ],
)
async def test_whatever_the_libraries_raise_is_a_failed_fetch(error: Exception, expected: str, make: Any) -> None:
    def fail(request: httpx2.Request) -> httpx2.Response:
        raise error

    wire = WireFetcher(httpx2.MockTransport(fail), WebSettings(), HandClock())

    assert await reason(wire, make.ask()) == expected


async def test_wrong_settings_are_not_a_page_s_fault(make: Any) -> None:
    def fail(request: httpx2.Request) -> httpx2.Response:
        raise SettingsError("web.proxy is not the address of a proxy.")

    with pytest.raises(SettingsError):
        await WireFetcher(httpx2.MockTransport(fail), WebSettings(), HandClock()).get(make.ask())


async def test_no_hostile_response_does_more_than_fail(
    wire: WireFetcher, site: Any, make: Any, data: Callable[[str], Any]
) -> None:
    rows, reasons = data("http_hostile/responses.json"), []
    for number, row in enumerate(rows):

        async def send(stream: SocketStream, raw: bytes = row["latin1"].encode("latin-1")) -> None:
            await stream.send(raw)
            await stream.send_eof()

        site.pages[f"/{number}"] = send
        try:
            got = await wire.get(make.ask(site.url(f"/{number}"), seconds=5))
        except FetchFailed as error:
            reasons.append(error.reason)
        else:
            assert len(got.body) <= 50_000
    assert len(site.asked) == len(rows)
    assert "timed_out" not in reasons
