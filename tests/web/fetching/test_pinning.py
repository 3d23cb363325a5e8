import ssl
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import httpcore2
import httpx2
import pytest
import trustme
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.tls import TLSListener

from deepresearch_mcp.exceptions import FetchRefused, SettingsError
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.guard import AllowList
from deepresearch_mcp.web.fetching.pinning import PinnedBackend, open_transport, system_resolver


class Names:
    """A name service by hand; keeps what it was asked."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        await anyio.lowlevel.checkpoint()
        if not self.addresses:
            raise OSError(f"no address for {host}")
        return self.addresses


def get(url: str) -> httpx2.Request:
    return httpx2.Request("GET", url, extensions={"timeout": {"connect": 5.0}})


@pytest.fixture
async def tls() -> AsyncGenerator[tuple[int, ssl.SSLContext, list[str]]]:
    """A server that has a certificate for example.org: its port, what to trust, and the names it was called by."""
    authority = trustme.CA()
    served, trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("example.org").configure_cert(served)
    authority.configure_trust(trusted)
    called: list[str] = []
    served.sni_callback = lambda _, name, __: called.append(str(name))

    async def serve(stream: Any) -> None:
        async with stream:
            await stream.receive()
            await stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

    plain = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with TLSListener(plain, served, standard_compatible=False) as listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, serve)
        yield plain.extra(SocketAttribute.local_port), trusted, called
        group.cancel_scope.cancel()


async def test_the_vetted_address_is_connected_to_and_tls_stays_on_the_name(
    tls: tuple[int, ssl.SSLContext, list[str]],
) -> None:
    port, context, called = tls
    names = Names("127.0.0.1")
    settings = WebSettings(allow_private=(f"127.0.0.1:{port}",))

    async with open_transport(settings, resolve=names, context=context) as transport:
        response = await transport.handle_async_request(get(f"https://example.org:{port}/"))
        body = await response.aread()

    assert body == b"hi"
    assert called == ["example.org"]
    assert names.asked == [("example.org", port)]


async def test_a_certificate_for_another_name_is_refused(tls: tuple[int, ssl.SSLContext, list[str]]) -> None:
    port, context, _ = tls
    settings = WebSettings(allow_private=(f"127.0.0.1:{port}",))

    async with open_transport(settings, resolve=Names("127.0.0.1"), context=context) as transport:
        with pytest.raises(httpx2.ConnectError):
            await transport.handle_async_request(get(f"https://other.example:{port}/"))


@pytest.mark.parametrize(
    "addresses", [("10.0.0.1",), ("1.1.1.1", "127.0.0.1"), ("::ffff:127.0.0.1",), ("fe80::1%eth0",)]
)
async def test_a_name_with_any_private_address_is_refused_without_telling_which(addresses: tuple[str, ...]) -> None:
    async with open_transport(WebSettings(), resolve=Names(*addresses)) as transport:
        with pytest.raises(FetchRefused) as caught:
            await transport.handle_async_request(get("http://rebinding.example/"))

    assert caught.value.reason == "address_refused"
    assert not any(address in str(caught.value) for address in addresses)


async def test_every_name_of_the_collection_of_attacks_is_refused_when_it_leads_inside(
    data: Callable[[str], Any],
) -> None:
    backend = PinnedBackend(AllowList.of(()), Names("169.254.169.254"))
    for row in data("url_ssrf/ssrf_payloads.json"):
        if row["kind"] == "dns":
            with pytest.raises(FetchRefused):
                await backend.connect_tcp(httpx2.URL(row["url"]).host, 80)


@pytest.mark.parametrize("addresses", [(), ("not an address",)])
async def test_a_name_that_leads_nowhere_is_a_failed_connection(addresses: tuple[str, ...]) -> None:
    with pytest.raises(httpcore2.ConnectError):
        await PinnedBackend(AllowList.of(()), Names(*addresses)).connect_tcp("gone.example", 80)


async def test_an_empty_answer_is_a_failed_connection() -> None:
    async def nothing(host: str, port: int) -> Sequence[str]:
        return ()

    with pytest.raises(httpcore2.ConnectError):
        await PinnedBackend(AllowList.of(()), nothing).connect_tcp("gone.example", 80)


async def test_a_name_service_that_never_answers_ends_in_time() -> None:
    async def forever(host: str, port: int) -> Sequence[str]:
        await anyio.sleep_forever()
        return ()

    with pytest.raises(httpcore2.ConnectTimeout):
        await PinnedBackend(AllowList.of(()), forever).connect_tcp("slow.example", 80, timeout=0.01)


async def test_the_next_address_is_tried_when_one_does_not_answer(site: Any, make: Any) -> None:
    site.pages["/"] = make.http("hello")
    # No one listens at that port of the other loopback address.
    settings = WebSettings(allow_private=(f"127.0.0.0/8:{site.port}",))

    async with open_transport(settings, resolve=Names("127.0.0.9", "127.0.0.1")) as transport:
        response = await transport.handle_async_request(get(f"http://two.example:{site.port}/"))
        assert await response.aread() == b"hello"


async def test_a_literal_address_is_never_looked_up(site: Any, make: Any) -> None:
    site.pages["/"] = make.http("hello")
    names = Names()

    async with open_transport(WebSettings(allow_private=(site.address,)), resolve=names) as transport:
        await (await transport.handle_async_request(get(site.url()))).aread()

    assert names.asked == []


async def test_sockets_of_this_machine_are_refused(tmp_path: Path) -> None:
    backend = PinnedBackend(AllowList.of(()), Names())

    with pytest.raises(FetchRefused):
        await backend.connect_unix_socket(str(tmp_path / "socket"))
    await backend.sleep(0)


async def test_the_system_knows_this_machine() -> None:
    assert set(await system_resolver("localhost", 80)) <= {"127.0.0.1", "::1"}


async def test_with_a_proxy_the_proxy_is_asked_for_the_page(site: Any, make: Any) -> None:
    async def proxy(stream: SocketStream) -> None:
        await stream.send(make.http("by proxy"))

    site.pages["http://example.org/page"] = proxy

    async with open_transport(WebSettings(proxy=site.url())) as transport:
        response = await transport.handle_async_request(get("http://example.org/page"))
        assert await response.aread() == b"by proxy"


def test_a_certificate_file_is_trusted_or_a_settings_error(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pem", tmp_path / "bad.pem"
    trustme.CA().cert_pem.write_to_path(str(good))
    bad.write_text("no certificate")

    assert open_transport(WebSettings(ca_file=str(good)))
    for path in (bad, tmp_path / "missing.pem"):
        with pytest.raises(SettingsError, match="ca_file"):
            open_transport(WebSettings(ca_file=str(path)))
