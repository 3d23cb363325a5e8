import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.web.fetching.robots_rules import LONGEST_LINE, Rules, path_of

DATA = Path(__file__).parents[4] / "shared" / "data" / "robots" / "google_cases.json"


def allows(robots: str, path: str, product: str = "FooBot") -> bool:
    return Rules.parse(robots.encode(), product).allow(path)


@pytest.mark.parametrize(
    ("robots", "path", "allowed"),
    [
        ("user-agent: FooBot\ndisallow: /\n", "/x", False),
        ("user-agent FooBot\ndisallow /\n", "/x", False),
        ("USERAGENT: foobot\rdissalow: /\r", "/x", False),
        ("user-agent: FooBot/2.1\ndisallow: / # all\n", "/x", False),
        ("user-agent: BarBot\ndisallow: /\n", "/x", True),
        ("user-agent: FooBot\nuser-agent: BarBot\ndisallow: /\n", "/x", False),
        ("user-agent: FooBot\nsitemap: https://a.example/s.xml\nuser-agent: BarBot\ndisallow: /\n", "/x", False),
        ("user-agent: *\ndisallow: /\nuser-agent: FooBot\n", "/x", True),
        ("user-agent: FooBot\ndisallow: /a\nuser-agent: *\nallow: /b\nuser-agent: FooBot\ndisallow: /c\n", "/c", False),
        ("user-agent: *\ndisallow: /x/*/y\n", "/x/1/2/yes", False),
        ("user-agent: *\ndisallow: /*.php$\n", "/a.php", False),
        ("user-agent: *\ndisallow: /*.php$\n", "/a.php?b=1", True),
        ("user-agent: *\ndisallow: /a$b\n", "/a$b", False),
        ("user-agent: *\ndisallow: /ab*ba$\n", "/aba", True),
        ("user-agent: *\ndisallow: /a\nallow: /a\n", "/a", True),
        ("user-agent: *\ndisallow: /\nallow: /p/index.html\n", "/p/", True),
        ("user-agent: *\ndisallow: /\nallow: /p/index.html\n", "/p/other", False),
        ("user-agent: *\ndisallow: /ä\n", "/%C3%A4x", False),
        ("user-agent: *\ndisallow: /%c3%a4\n", "/%C3%A4x", False),
        ("user-agent: *\ndisallow:\n", "/x", True),
        ("disallow: /\n", "/x", True),
        ("<html>disallow: /</html>", "/x", True),
        ("\ufeffuser-agent: *\ndisallow: /\n", "/x", False),
        ("user-agent: *agent\ndisallow: /\n", "/x", True),
    ],
)
def test_rules_are_read_as_the_standard_and_its_authors_read_them(robots: str, path: str, *, allowed: bool) -> None:
    assert allows(robots, path) is allowed


def test_only_so_much_of_a_line_is_read() -> None:
    rest = "a" * LONGEST_LINE
    rules = Rules.parse(f"user-agent: *\ndisallow: /x{rest}behind\n".encode(), "FooBot")

    assert not rules.allow(f"/x{rest}")


@pytest.mark.parametrize(
    ("robots", "delay"),
    [
        ("user-agent: *\ncrawl-delay: 2.5\n", 2.5),
        ("user-agent: *\ncrawl-delay: 4\nuser-agent: FooBot\ncrawl-delay: 1\n", 1.0),
        ("user-agent: *\ncrawl-delay: -1\n", 0.0),
        ("user-agent: *\ncrawl-delay: 1e9\n", 0.0),
        ("user-agent: *\ncrawl-delay: 999999999\n", 0.0),
        ("user-agent: *\ncrawl-delay: soon\n", 0.0),
    ],
)
def test_a_crawl_delay_is_a_number_of_seconds_that_makes_sense(robots: str, delay: float) -> None:
    assert Rules.parse(robots.encode(), "FooBot").crawl_delay == delay


@pytest.mark.parametrize(
    ("value", "refused"),
    [("search=yes, ai-input=no", True), ("AI-Input = No", True), ("ai-input=yes", False), ("ai-train=no", False)],
)
def test_a_content_signal_says_whether_pages_may_feed_answers(value: str, *, refused: bool) -> None:
    assert Rules.parse(f"user-agent: *\ncontent-signal: {value}\n".encode(), "FooBot").no_ai_input is refused


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://a.example", "/"),
        ("https://a.example/b;c?d=e#f", "/b;c?d=e"),
        ("https://a.example?d=/e", "/?d=/e"),
        ("https://a.example#/e", "/"),
        ("//a.example/b", "/b"),
        ("a.example/b?u=http://c.example/d", "/b?u=http://c.example/d"),
        ("", "/"),
    ],
)
def test_the_path_of_an_address_holds_its_query_and_not_its_fragment(url: str, path: str) -> None:
    assert path_of(url) == path


@given(st.binary(max_size=300), st.text(max_size=30))
def test_no_bytes_and_no_path_make_the_reader_fail(body: bytes, path: str) -> None:
    Rules.parse(b"user-agent: *\n" + body, "FooBot").allow(f"/{path}")
    path_of(path)


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
def test_every_case_of_the_authors_of_the_standard_is_decided_as_they_do() -> None:
    cases: list[dict[str, Any]] = json.loads(DATA.read_text())

    wrong = [
        case for case in cases if allows(case["robots"], path_of(case["url"]), case["agent"]) is not case["allowed"]
    ]

    assert wrong == []
