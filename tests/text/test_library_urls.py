import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.library_urls import library_url, split_library_url


@given(st.text(min_size=1), st.text(min_size=1))
def test_every_name_and_path_survives_its_address(name: str, path: str) -> None:
    url = library_url(name, path)

    assert url.isascii()
    assert split_library_url(url) == (name, path)


@pytest.mark.parametrize("url", ["https://example.org/a", "library://", "library://notes", ""])
def test_other_addresses_are_none_of_ours(url: str) -> None:
    assert split_library_url(url) is None
