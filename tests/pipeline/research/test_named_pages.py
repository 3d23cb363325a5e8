import pytest

from deepresearch_mcp.pipeline.research.named_pages import MOST, named_pages, searchable


def test_the_pages_that_a_question_names_come_in_order_and_once() -> None:
    question = "Compare https://a.example/x, https://b.example/y and (https://a.example/x)."

    assert named_pages(question) == ("https://a.example/x", "https://b.example/y")
    assert named_pages("Why does ice float on water.example or so?") == ()
    assert len(named_pages(" ".join(f"https://a.example/{number}" for number in range(50)))) == MOST


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does http://127.0.0.11:8900/library say about locks?", "What does say about locks?"),
        ("Why does ice float?", "Why does ice float?"),
        ("https://docs.example.org/guide/locking_modes.html", "docs.example.org guide locking modes"),
        ("Summarise https://docs.example.org/guide/", "Summarise docs.example.org guide"),
        ("http://127.0.0.11:8900/library", "library"),
        ("http://127.0.0.11:8900/", "http://127.0.0.11:8900/"),
    ],
)
def test_an_address_is_no_words_for_a_search_box(question: str, words: str) -> None:
    assert searchable(question) == words
