import pytest

from deepresearch_mcp.http_app.pages.templates import host, many, money, rendered, web_address


def test_every_value_is_escaped_and_a_lone_surrogate_does_no_harm() -> None:
    page = rendered("bare_error.html", {"title": "<b>", "message": '"><script>', "action": "\ud800"})

    text = bytes(page.body).decode()
    assert "<b>" not in text
    assert "<script>" not in text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "library://notes/ice.md", ""])
def test_only_addresses_of_the_web_become_links(url: str) -> None:
    assert web_address(url) == ""
    assert web_address("HTTPS://example.org/") == "HTTPS://example.org/"


def test_figures_read_as_a_person_writes_them() -> None:
    assert [money(one) for one in (0.0, 0.004, 1.5, None)] == ["$0.00", "$0.0040", "$1.50", "price unknown"]
    assert [many(1, "page"), many(2_000, "page"), many(0.5, "minute")] == ["1 page", "2,000 pages", "0.5 minutes"]
    assert [host("https://www.example.org/x"), host("http://[bad")] == ["example.org", "http://[bad"]
