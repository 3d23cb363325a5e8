from deepresearch_mcp.text.common_words import common_words, language_name, short_words


def test_common_words_are_known_by_code() -> None:
    assert {"the", "and", "of"} <= common_words("en")
    assert {"и", "не"} <= common_words("ru")
    assert language_name("nl") == "Dutch"


def test_nothing_is_known_of_a_language_without_a_list() -> None:
    assert common_words("zz") == frozenset()
    assert language_name("zz") == ""


def test_short_words_name_the_languages_that_have_them() -> None:
    assert "Dutch" in short_words()["het"]
    assert "Esperanto" in short_words()["kaj"]
    assert "и" not in short_words()
    assert max(map(len, short_words())) <= 5
