from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.asking import checked_request, filters_of, wrong_argument


def test_what_is_not_given_is_left_to_the_request() -> None:
    request = checked_request({"question": "  Why does ice float? ", "breadth": None, "depth": 1})

    assert (request.question, request.shape.breadth, request.shape.depth) == ("Why does ice float?", 6, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"question": " "}, "The question is empty: say what you want to find out."),
        ({"question": "Why?", "asks": True}, "There is no argument 'asks'."),
        ({"question": "?"}, "The question is '?', in which there is no word to search for."),
        ({"question": "… 🧊 !"}, "The question is '… 🧊 !', in which there is no word"),
        ({"question": "x"}, "The question is 'x', in which there is no word"),
        ({"question": "Why?", "language": "xx-klingon"}, "language: 'xx-klingon' is not a language tag."),
        ({"question": "Why?", "region": "zzz"}, "region: 'zzz' is no country."),
        ({"question": "Why?", "language": "klingon"}, "language: 'klingon' is not a language tag."),
        ({"question": "Why?", "language": "de, fr"}, "language: 'de, fr' is not a language tag."),
        ({"question": "a\x00b"}, "The question holds control characters: remove them."),
        ({}, "The argument 'question' is missing."),
        (
            {"question": "Why?", "depth": 99, "breadth": "many"},
            "breadth: input should be a valid integer, unable to parse string as an integer, not 'many'."
            " Also wrong: depth.",
        ),
        ({"question": "Why?", "efort": "deep"}, "There is no argument 'efort'."),
        ({"question": "Why?", "breadth": 11}, "breadth: input should be less than or equal to 10, not 11."),
        ({"question": "Why?", "max_usd": -1}, "max_usd: input should be greater than or equal to 0, not -1."),
        ({"question": "Why?", "include_domains": ["a b"]}, "include_domains: 'a b' is not a domain: write it like "),
        (
            {"question": "Why?", "published_after": "soon"},
            "published_after: a day is written as 2026-01-31, not 'soon'.",
        ),
        ({"question": "Why?", "web": False}, "web=false needs collections or urls to look in: name at least one."),
        (
            {"question": "Why?", "published_after": "2026-02-01", "published_before": "2026-01-01"},
            "published_after is later than published_before: no page can match both.",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_request(arguments)

    assert caught.value.message.startswith(sentence)
    assert "\n" not in str(caught.value)
    assert caught.value.action


@pytest.mark.parametrize("question", ["Photosynthesis", "C#", "水", "왜?", "4G", "Почему?", "ليش"])
def test_a_word_in_any_script_is_a_question(question: str) -> None:
    assert checked_request({"question": question}).question == question


@pytest.mark.parametrize("tag", ["de", "pt-BR", "pt_BR", "zh-Hant-TW", "gsw", "es-419", "de-CH-1996", "en-x-twain", ""])
def test_languages_are_told_by_their_tags(tag: str) -> None:
    assert checked_request({"question": "Why?", "language": f" {tag} "}).language == tag
    assert filters_of({"language": tag}).language == tag


def test_a_long_wrong_value_is_not_repeated_whole() -> None:
    with pytest.raises(InvalidRequest) as caught:
        checked_request({"question": "Why?", "effort": "x" * 5000})

    assert len(str(caught.value)) < 250


def test_a_fault_of_the_whole_is_a_sentence_of_its_own() -> None:
    class Two(BaseModel):
        a: int

    with pytest.raises(ValidationError) as caught:
        Two.model_validate("nothing of the kind")

    assert "valid dictionary" in wrong_argument(caught.value).message
