import pytest

from deepresearch_mcp.text.keywords import content_words, keywords, stem, words


def test_words_are_casefolded_and_scripts_without_spaces_come_in_pairs() -> None:
    assert words("Don’t STOP, my_func 2.3") == ["don't", "stop", "my", "func", "2", "3"]
    assert words("東京都は a 中") == ["東京", "京都", "都は", "a", "中"]
    assert words("") == []


@pytest.mark.parametrize(
    ("group", "base"),
    [
        ("run runs running", "run"),
        ("study studies studied studying", "study"),
        ("rate rates rated rating", "rat"),
        ("increase increases increased increasing", "increas"),
        ("writer writers writer's", "writer"),
        ("box boxes boxed", "box"),
        ("policy policies", "policy"),
        ("process processes processed", "process"),
        ("fall falls falling", "fall"),
        ("establish establishes established establishment", "establish"),
        ("organise organises organize organizes", "organiz"),
        ("quick quickly", "quick"),
        ("bus", "bus"),
        ("this", "this"),
        ("straße", "straße"),
        ("b2b", "b2b"),
        ("string", "string"),
    ],
)
def test_forms_of_a_word_have_one_stem(group: str, base: str) -> None:
    assert {stem(word) for word in group.split()} == {base}


def test_stopwords_of_the_texts_language_are_left_out() -> None:
    assert content_words("How do the rates of a bank change?") == ["rates", "bank", "change"]
    assert content_words("Warum ist der Himmel über der Stadt blau und nicht grün?") == [
        "himmel",
        "stadt",
        "blau",
        "grün",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "How do PostgreSQL and SQLite handle concurrent writers?",
            ["PostgreSQL", "SQLite", "handle", "concurrent", "writers"],
        ),
        (
            "Compare the European Central Bank's policy with “forward guidance” in 2024",
            ["European Central Bank", "policy", "forward guidance", "2024"],
        ),
        ("What is my_func in the asyncio library?", ["my_func", "asyncio", "library"]),
        ("東京の人口は何人ですか", ["東京", "人口", "何人"]),
        ("the the", []),
        ("rates rates rates of a bank", ["rates", "bank"]),
        ('Use "" and Rust, Rust and Rust', ["use", "Rust"]),
    ],
)
def test_keywords_keep_names_phrases_and_identifiers_whole(text: str, found: list[str]) -> None:
    assert keywords(text) == found


def test_names_and_frequent_words_are_kept_where_there_are_too_many() -> None:
    text = "alpha beta gamma alpha delta then Paris and gamma beta alpha"

    assert keywords(text, limit=2) == ["alpha", "Paris"]
    assert keywords("In Paris, Rome and Oslo", limit=2) == ["Paris", "Rome"]
    assert keywords(text, limit=0) == []
