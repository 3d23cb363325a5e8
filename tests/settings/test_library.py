import pytest
from pydantic import ValidationError

from deepresearch_mcp.settings.library import LibrarySettings, is_this_machine


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("", ""),
        ("http://localhost:11434/v1", ""),
        ("http://127.0.0.1:1/v1/embeddings", ""),
        ("http://[::1]:1/v1", ""),
        ("http://10.0.0.5:8080/v1", "10.0.0.5"),
        ("https://api.example/v1", "api.example"),
    ],
)
def test_it_is_told_which_other_machine_gets_the_words(url: str, host: str) -> None:
    settings = LibrarySettings(embeddings_url=url)

    assert settings.sends_to == host
    assert not settings.embeddings_url.endswith("/embeddings")


def test_the_same_is_told_of_the_reranker() -> None:
    assert LibrarySettings(rerank_url="https://api.example/v1/rerank").reranked_by == "api.example"
    assert LibrarySettings(rerank_url="http://localhost:8012/v1/rerank").rerank_url == "http://localhost:8012/v1"
    assert LibrarySettings(rerank_url="http://localhost:8012/v1").reranked_by == ""


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://a.example", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="written like"):
        LibrarySettings(embeddings_url=url)


def test_only_the_loopback_is_this_machine() -> None:
    assert is_this_machine("a.localhost")
    assert not is_this_machine("localhost.example.org")
