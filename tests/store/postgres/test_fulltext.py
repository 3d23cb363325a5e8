import pytest

from deepresearch_mcp.store.postgres.fulltext import terms


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Why does ice float?", ["'ice'", "'float'"]),
        ("snake_case", ["'snake case'"]),
        ("café", ["'cafe'"]),
        ("写", ["'写':*"]),
        ("it's & | ! <-> :* ' \\", ["'s'"]),
        ("?!", []),
    ],
)
def test_words_of_a_query_become_terms_and_no_sign_becomes_an_operator(query: str, found: list[str]) -> None:
    assert terms(query) == found
