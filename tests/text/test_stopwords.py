from deepresearch_mcp.text.stopwords import STOPWORDS, word_set


def test_seven_languages_have_their_commonest_words() -> None:
    assert {"en", "de", "fr", "es", "it", "pt", "nl"} <= STOPWORDS.keys()
    for language, word in {
        "en": "the",
        "de": "und",
        "fr": "est",
        "es": "pero",
        "it": "che",
        "pt": "não",
        "nl": "het",
    }.items():
        assert word in STOPWORDS[language]


def test_every_stopword_is_one_casefolded_word() -> None:
    for found in STOPWORDS.values():
        assert all(word == word.casefold() and word for word in found)


def test_a_list_is_read_from_a_line() -> None:
    assert word_set("a  b\n a") == {"a", "b"}
