from typing import Any

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.web.fetching.fetcher import BrokenConnection


def test_a_request_knows_whose_patience_it_tries(make: Any) -> None:
    assert make.ask("https://example.org:8443/a").host == "example.org:8443"
    assert make.ask("https://bücher.example/").host == "xn--bcher-kva.example"


def test_a_broken_connection_is_an_unreachable_page() -> None:
    error = BrokenConnection("https://example.org/")

    assert isinstance(error, FetchFailed)
    assert error.reason == "unreachable"
