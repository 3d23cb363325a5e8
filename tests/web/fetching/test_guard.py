from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import FetchRefused, SettingsError
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.guard import LONGEST_URL, AllowList, GuardedFetcher, check_url, is_public

PORTS = WebSettings().ports


def refused(url: str, allow: tuple[str, ...] = ()) -> bool:
    try:
        check_url(url, AllowList.of(allow), PORTS)
    except FetchRefused as error:
        return (error.reason, error.url) == ("address_refused", url)
    return False


@pytest.mark.parametrize(
    "address",
    [
        *(
            "10.0.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *("240.0.0.1", "255.255.255.255", "192.0.0.192", "192.0.2.1", "198.18.0.1", "168.63.129.16", "192.88.99.1"),
        *("::", "::1", "::127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "2001::1"),
        *("2001:db8::1", "2002:7f00:1::", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "3fff::1", "5f00::1", "2606:4700::1%1"),
    ],
)
def test_addresses_that_are_not_of_the_public_network_are_told(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "2002:101:101::", "64:ff9b::101:101"]
)
def test_public_addresses_are_public_in_every_form(address: str) -> None:
    assert is_public(address)


def test_no_address_of_the_public_collection_of_attacks_passes(data: Callable[[str], Any]) -> None:
    passed = [
        row["url"] for row in data("url_ssrf/ssrf_payloads.json") if row["kind"] != "dns" and not refused(row["url"])
    ]

    assert passed == []


def test_addresses_with_an_ip_host_are_read_as_browsers_read_them(data: Callable[[str], Any]) -> None:
    for row in data("url_ssrf/wpt_ip_hosts.json"):
        if row["is_global"] and is_public(row["ip"]):
            assert str(check_url(row["input"])) == row["href"]
        else:
            assert refused(row["input"])


def test_no_address_is_given_another_host_than_browsers_give_it(data: Callable[[str], Any]) -> None:
    import httpx2

    for row in data("url_ssrf/wpt_urltestdata.json"):
        if isinstance(row, str):
            continue
        try:
            url = check_url(row["input"], ports=range(1, 65_536))
        except FetchRefused:
            continue
        assert "failure" not in row, row["input"]
        assert url.host == httpx2.URL(row["href"]).host


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "example.org",
            "//example.org/",
            "ftp://example.org/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "http:/a.org",
        ),
        *(
            "http://",
            "http:///path",
            "http://user@example.org/",
            "http://user:pass@example.org/",
            "http://a b.org/",
            "http://.org/",
        ),
        *(
            "http://exa_mple..org/",
            "http://example.org\\@evil.org/",
            "http://exam%70le.org/",
            "http://a.org:99999/",
            "http://a.org:0/",
        ),
        *(
            "http://a.org:x/",
            "http://[::1",
            "http://[1.1.1.1]/",
            "http://::1/",
            "http://[fe80::1%25eth0]/",
            "http://1.1.1.1.1/",
        ),
        *(
            "http://08.1.1.1/",
            "http://1.1.1.256/",
            "http://0x1ffffffff/",
            "http://a.1/",
            "http://xn--a.org\x00/",
            "http://a.org/\x1b",
        ),
        *(
            "http://example.org:6379/",
            "http://router/",
            "http://printer.local/",
            "http://db.internal/",
            "http://nas.home.arpa/",
        ),
        *(
            "http://localhost/",
            "http://app.localhost:8080/",
            "http://" + "a." * 130 + "org/",
            "http://" + "a" * 64 + ".org/",
        ),
        *("http://a.org/" + "x" * LONGEST_URL, "http://\u2488/", "http://xn--/"),
    ],
)
def test_addresses_that_cannot_or_may_not_be_asked_are_refused(url: str) -> None:
    assert refused(url)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://EXAMPLE.org", "http://example.org/"),
        (" https://example.org:443/a?b=c#d ", "https://example.org/a?b=c"),
        ("http://example.org.:8080/", "http://example.org:8080/"),
        ("http://example.org:/", "http://example.org/"),
        ("https://bücher.example/ä?ö=ü", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC"),
        ("http://example.org?q", "http://example.org/?q"),
        ("http://example.org/a\\b c", "http://example.org/a%5Cb%20c"),
        ("http://0x01010101/", "http://1.1.1.1/"),
        ("http://１.1.1.1/", "http://1.1.1.1/"),
        ("https://[2606:4700:0::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        ("http://example.org/\ud800", "http://example.org/?"),
    ],
)
def test_an_address_is_given_one_spelling(url: str, canonical: str) -> None:
    expected = canonical if "\ud800" not in url else "http://example.org/%3F"

    assert str(check_url(url, ports=PORTS)) == expected


@given(st.text(max_size=60))
def test_no_text_whatever_does_more_than_be_refused(text: str) -> None:
    for url in (text, f"http://{text}", f"https://example.org/{text}", f"http://example.org:{text}/"):
        refused(url)


@given(st.ip_addresses())
def test_a_literal_address_passes_only_when_it_is_public(address: Any) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)

    assert refused(f"http://{host}/") is not is_public(address)


@pytest.mark.parametrize(
    ("entry", "passing", "failing"),
    [
        ("wiki.corp", "http://wiki.corp/", "http://wiki.corp:6379/"),
        ("wiki.corp:6379", "http://wiki.corp:6379/", "http://wiki.corp/"),
        ("intranet", "https://intranet/", "https://other/"),
        ("10.0.0.0/8", "http://10.1.2.3/", "http://11.0.0.1:22/"),
        ("127.0.0.0/8:8900", "http://127.0.0.11:8900/", "http://127.0.0.11/"),
        ("127.0.0.1:9", "http://2130706433:9/", "http://127.0.0.2:9/"),
        ("[::1]:8080", "http://[::1]:8080/", "http://[::1]/"),
        ("::1", "http://[::1]/", "http://[::2]/"),
        ("bücher.local", "http://xn--bcher-kva.local/", "http://printer.local/"),
    ],
)
def test_the_settings_allow_private_hosts_by_name_network_and_port(entry: str, passing: str, failing: str) -> None:
    assert not refused(passing, (entry,))
    assert refused(failing, (entry,))


@pytest.mark.parametrize("entry", ["", "a b", "http://wiki.corp/", "wiki.corp:port", "10.0.0.0/99"])
def test_an_entry_that_allows_nothing_is_a_settings_error(entry: str) -> None:
    with pytest.raises(SettingsError, match="allow_private"):
        AllowList.of([entry])


async def test_a_guarded_hop_asks_the_canonical_address_or_not_at_all(make: Any) -> None:
    inner = make.hop()
    hop = GuardedFetcher(inner, AllowList.of(()), (80, 443))

    await hop.get(make.ask("https://example.org:443/a#b"))
    with pytest.raises(FetchRefused):
        await hop.get(make.ask("http://10.0.0.1/"))

    assert inner.urls == ["https://example.org/a"]
