import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.urls import (
    addresses_in,
    host_of,
    in_domains,
    joined_url,
    normalise_url,
    site_of,
    typed_addresses,
)

BESIDE = r"\\x\y"
DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "url_ssrf" / "wpt_urltestdata.json"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        (
            "HTTP://www.Example.com:80/a/../b/./c/index.html?utm_source=x&b=2&a=1#frag",
            "http://www.example.com/b/c?b=2&a=1",
        ),
        ("https://example.com", "https://example.com/"),
        (" https://example.com:443/x/ ", "https://example.com/x"),
        ("https://example.com:8443/?", "https://example.com:8443/"),
        ("http://a.com/%7Euser/%c3%a9/é?q=ü b", "http://a.com/~user/%C3%A9/%C3%A9?q=%C3%BC%20b"),
        ("https://user:pw@a.com/", "https://a.com/"),
        ("http://[::1]:80/x", "http://[::1]/x"),
        ("http://müller.de./x", "http://xn--mller-kva.de/x"),
        ("http://faß.de", "http://xn--fa-hia.de/"),
        ("https://a.com//b/..", "https://a.com"),
        ("https://a.com/b/.", "https://a.com/b"),
        ("https://a.com/../..", "https://a.com/"),
        ("https://a.com/?ref=x&gclid=1&q=", "https://a.com/?q="),
        ("https://a.com/index.php?id=3", "https://a.com/index.php?id=3"),
        ("https://m.a.com/amp/x", "https://m.a.com/amp/x"),
    ],
)
def test_an_address_has_one_form(url: str, normal: str) -> None:
    assert normalise_url(url).rstrip("/") == normal.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "ftp://a.b/",
        "http://",
        "javascript:alert(1)",
        "http:///x",
        "http://a..b/",
        "http://a.b:99999/",
        "http://a.b:x/",
        "http://[::1/",
        "http://[::g]/",
        "http://[fe80::1%25eth0]/",
        "http://127.1/",
        "http://0x7f.1/",
        "http://256.1.1.1/",
        "http://a%41.b/",
        "http://a b/",
        "http://\ud800.b/",
        "http://" + "a" * 64 + ".b/",
        "http://" + "a." * 200,
        "http://" + "é" * 100 + ".de/",
        "http://a.b/" + "x" * 9000,
        "mailto:a@b.c",
        "//a.b/c",
    ],
)
def test_junk_has_none(url: str) -> None:
    assert normalise_url(url) == ""


def test_the_form_of_a_form_is_itself() -> None:
    once = normalise_url("http://a.com/%7e/../b/?x=%2f&y=é")

    assert normalise_url(once) == once


def test_hosts_and_sites() -> None:
    assert host_of("https://News.BBC.co.uk:8080/x") == "news.bbc.co.uk"
    assert site_of("https://news.bbc.co.uk/x") == "bbc.co.uk"
    assert site_of("https://a.b.example.com/") == "example.com"
    assert site_of("https://me.github.io/") == "me.github.io"
    assert site_of("https://github.io/") == "github.io"
    assert site_of("http://10.0.0.1/") == "10.0.0.1"
    assert site_of("http://[2001:db8::1]/") == "2001:db8::1"
    assert site_of("nonsense") == host_of("nonsense") == ""


@pytest.mark.parametrize(
    ("domains", "inside"),
    [
        (["example.com"], True),
        (["www.example.com"], True),
        (["*.Example.com."], True),
        (["https://example.com/path"], True),
        (["news.example.com"], True),
        (["ample.com"], False),
        (["other.com", "com.example"], False),
        (["", "   "], False),
        ([], False),
    ],
)
def test_a_domain_holds_its_subdomains(domains: list[str], *, inside: bool) -> None:
    assert in_domains("https://news.example.com/x", domains) is inside


def test_junk_is_in_no_domain() -> None:
    assert not in_domains("junk", ["junk"])


@given(st.one_of(st.text(max_size=60), st.text(alphabet="htp:/[]@%.#?é0x", max_size=40).map("http://".__add__)))
def test_nothing_raises(url: str) -> None:
    found = normalise_url(url)

    assert found == "" or normalise_url(found) == found
    site_of(url)
    in_domains(url, [url])


@pytest.mark.skipif(not DATA.exists(), reason="the public data set url_ssrf lies beside the repository, not in it")
def test_no_host_differs_from_the_one_a_browser_would_see() -> None:
    for case in json.loads(DATA.read_text()):
        if isinstance(case, str) or not case["input"].lower().startswith(("http://", "https://")):
            continue
        host = host_of(case["input"])
        assert host in {"", case.get("hostname", "").strip("[]")}, case["input"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://a.example/x?k=1, and (www.b.example).", ["https://a.example/x?k=1", "www.b.example"]),
        ("It is at evil.example/more or evil.example.", ["evil.example/more", "evil.example"]),
        ("Use asyncio.run, e.g. at 3.5 km, i.e. 2 a.m. in the U.S. Navy.", ["asyncio.run"]),
        ("Write to ada@a.example. Ice floats.Water flows.", []),
        ("", []),
    ],
)
def test_addresses_are_found_however_they_are_typed(text: str, found: list[str]) -> None:
    assert addresses_in(text) == found


@given(st.text())
def test_no_text_is_too_odd_to_be_searched_for_addresses(text: str) -> None:
    assert all(address and address in text for address in addresses_in(text))


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Unlike wait_for(), asyncio.wait() cancels nothing.", ()),
        ("os.path.join joins parts.", ("os.path.join",)),
        ("It is asyncio.org, or asyncio.io.", ("asyncio.org", "asyncio.io")),
        ("See www.asyncio.wait, https://asyncio.wait or asyncio.wait/now.",
         ("www.asyncio.wait", "https://asyncio.wait", "asyncio.wait/now")),
        ("Call asyncio.timeout() or asyncio.org().", ("asyncio.org",)),
        ("See evil.example.", ("evil.example",)),
        ("See one.example.", ()),
    ],
)  # fmt: skip
def test_what_a_page_calls_is_no_address_that_someone_typed(text: str, typed: tuple[str, ...]) -> None:
    page = "The asyncio module has wait(), and org(); evil example() is at one.example."

    assert typed_addresses(text, "wait() is at one.example", page) == typed


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        ("c?d#e", "https://a.example/b/c?d#e"),
        (BESIDE, "https://x/y"),
        ("///x/y", "https://x/y"),
        (r"/\/\x", "https://x"),
        (r"..\c", "https://a.example/c"),
        (" https:\\\\x.example\\y?\\z\n", "https://x.example/y?\\z"),
        ("java\nscript:x\\y", "javascript:x\\y"),
        (r"?c:d\e", r"https://a.example/b/?c:d\e"),
    ],
)
def test_a_link_leads_where_browsers_would_go(given: str, joined: str) -> None:
    assert joined_url("https://a.example/b/", given) == joined
