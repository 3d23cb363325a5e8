import json

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.loopback import NothingStored, Server, listening, page
from deepresearch_mcp.evals.ssrf import Tally, at_port, measure, names_private_host
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.web.reader import open_web


async def test_payloads_hostile_answers_and_malformed_pages_are_all_tried(tmp_path):
    for name in ("url_ssrf", "http_hostile", "html_malformed"):
        (tmp_path / name).mkdir()
    payloads = [{"url": "http://127.0.0.1:80"}, {"url": "http://localtest.me/"}, {"url": "gopher://127.0.0.1/"}]
    (tmp_path / "url_ssrf" / "ssrf_payloads.json").write_text(json.dumps(payloads))
    (tmp_path / "http_hostile" / "responses.json").write_text(json.dumps([{"latin1": "HTTP/9.9 \xff\r\n"}]))
    (tmp_path / "html_malformed" / "html5lib_tree.jsonl").write_text(json.dumps({"html": "<table><tr><p>x"}))
    (tmp_path / "html_malformed" / "blns.json").write_text(json.dumps(["\ud800\u0000"]))

    result = await measure(tmp_path, Lab(Extractive(), HandClock(auto=True)))

    # Three payloads, the same at the canary's port, three ways each and through a proxy; two names; three pages.
    assert result.figures["tried"] >= 6 * 4 + 3 + 3
    assert {name: value for name, value in result.figures.items() if name != "tried"} == {
        "reached": 0,
        "hangs": 0,
        "crashes": 0,
    }


async def test_a_page_that_is_not_refused_is_counted():
    tally = Tally()
    async with listening(Server({"/": page(b"<p>Ice floats on water because it is lighter.</p>")})) as site:
        settings = WebSettings(allow_private=("127.0.0.1",), ports=(site.port,), robots=False)
        async with open_web(settings, HandClock(auto=True), NothingStored()) as web:
            await tally.fetch(web, f"http://127.0.0.1:{site.port}/", refused=True)
            await tally.fetch(web, f"http://127.0.0.1:{site.port}/missing", refused=True)
            await tally.fetch(web, f"http://127.0.0.1:{site.port}/missing", refused=False)
            await tally.fetch(web, "http://127.0.0.1:1/", refused=True)

    assert dict(tally.counts) == {"tried": 4, "reached": 2}


@pytest.mark.parametrize(
    ("url", "moved"),
    [
        ("http://127.0.0.1:80/x", "http://127.0.0.1:9/x"),
        ("http://[::]:80/", "http://[::]:9/"),
        ("http://127.1", "http://127.1:9"),
        ("nothing", "nothing"),
    ],
)
def test_a_payload_is_moved_to_the_canarys_port(url: str, moved: str) -> None:
    assert at_port(url, 9) == moved


@pytest.mark.parametrize(
    ("line", "private"),
    [
        ("GET http://127.0.0.1:80/ HTTP/1.1", True),
        ("CONNECT localhost:443 HTTP/1.1", True),
        ("CONNECT [::1]:443 HTTP/1.1", True),
        ("CONNECT a.example:443 HTTP/1.1", False),
        ("", False),
    ],
)
def test_a_private_host_named_to_a_proxy_is_seen(line: str, *, private: bool) -> None:
    assert names_private_host(line) is private
