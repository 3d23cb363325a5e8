import pytest

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.search.brave_codes import brave_country, brave_language


@pytest.mark.parametrize(("region", "told"), [("de", "DE"), ("GB", "GB"), ("ke", ""), ("", ""), ("germany", "")])
def test_a_country_is_one_that_brave_knows(region: str, told: str) -> None:
    assert brave_country(Filters(region=region)) == told


@pytest.mark.parametrize(
    ("language", "region", "told"),
    [("de", "", "de"), ("ja", "jp", "jp"), ("pt", "br", "pt-br"), ("pt", "", "pt-pt"), ("sw", "", ""), ("", "", "")],
)
def test_a_language_is_told_by_braves_own_code(language: str, region: str, told: str) -> None:
    assert brave_language(Filters(language=language, region=region)) == told
