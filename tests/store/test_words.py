from deepresearch_mcp.store import words


def test_a_word_is_asked_for_once_and_stopwords_where_there_is_nothing_else() -> None:
    assert words.query_words("Why is the ice, the ICE, so cold?") == ["ice", "cold"]
    assert words.query_words("to be") == ["to", "be"]


def test_one_character_of_a_script_without_spaces_only_begins_what_is_indexed() -> None:
    assert words.searchable("数据库") == " 数据 据库 "
    assert words.only_begins("写")
    assert not words.only_begins("写入")
    assert not words.only_begins("x")


def test_the_first_word_of_a_query_is_found_where_it_stands() -> None:
    assert words.first_word("ice float", "Water and Ice and floats") == 10
    assert words.first_word("ICE", "İ and ice") == 6
    assert words.first_word("nothing", "Water") == 0
    assert words.first_word("?", "Water") == 0
