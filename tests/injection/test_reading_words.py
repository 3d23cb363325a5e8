import pytest

from deepresearch_mcp.injection import reading_words
from deepresearch_mcp.injection.about_reading import notions

LISTS = {name: getattr(reading_words, name) for name in dir(reading_words) if name.isupper()}


@pytest.mark.parametrize("name", LISTS)
def test_every_word_is_met_as_its_notion(name: str) -> None:
    words = [word.strip() for word in LISTS[name].replace("\n", " ").split(",")]

    assert len(words) == len(set(words))
    assert all(words)
    assert [word for word in words if name.lower() not in notions(f"x {word.removesuffix('$')} y")] == []
