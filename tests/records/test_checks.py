import pytest
from pydantic import TypeAdapter, ValidationError

from deepresearch_mcp.records.checks import CHECKING, AnyRequest, CheckRequest
from deepresearch_mcp.records.request import MAX_TEXT, ResearchRequest

TEXT = "# Why *ice* floats\n\nIce floats [1].\n\n[1]: https://a.example"


def test_a_check_is_called_after_the_first_words_of_its_text_or_after_its_run() -> None:
    assert CheckRequest(text=TEXT).question == "Check of “Why *ice* floats”"
    assert CheckRequest(text="---\n\n> " + "ice " * 50).question == f"Check of “{('ice ' * 50)[:79]}…”"
    assert CheckRequest(text="…").question == "Check of “…”"
    assert CheckRequest(run_id=" abc ").question == "Check of run abc"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "there is nothing to check"),
        ({"text": "  "}, "there is nothing to check"),
        ({"text": "\u200b\x07"}, "there is nothing to check"),
        ({"text": TEXT, "run_id": "abc"}, "a text and a run are two checks"),
        ({"text": "x" * (MAX_TEXT + 1)}, "the text has 200,001 characters; at most 200,000 are taken"),
        ({"text": TEXT, "max_pages": -1}, "greater than or equal to 0"),
        ({"text": TEXT, "max_usd": float("inf")}, "finite"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_one_sentence(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        CheckRequest.model_validate(given)


def test_control_characters_go_out_of_a_text_and_what_they_colour_stays() -> None:
    request = CheckRequest(text="The \x1b[31mred\x1b[0m\x07 \x00brick\x9b house\x0cburnt \x1b]0;title\x07down\ud800.")

    assert request.text == "The red brick house\nburnt down."
    assert request.question == "Check of “The red brick house”"
    assert ResearchRequest(question=request.question)


def test_ceilings_that_are_not_given_are_the_usual_ones() -> None:
    shape = CheckRequest(text=TEXT, max_pages=3, max_usd=0).shape

    assert shape == CHECKING.model_copy(update={"max_pages": 3, "max_usd": 0})
    assert shape.max_searches == shape.depth == 0


def test_equal_checks_have_one_form_and_the_text_stands_in_it_by_its_hash() -> None:
    one, other = CheckRequest(text=TEXT), CheckRequest(text=TEXT, max_pages=CHECKING.max_pages)

    assert one.canonical() == other.canonical()
    assert TEXT not in str(one.canonical())
    assert one.canonical() != CheckRequest(text=TEXT + " ").canonical()
    assert CheckRequest(run_id="abc").canonical()["text"] == ""
    assert one.outline()["text"] == one.canonical()["text"]


def test_a_stored_request_comes_back_as_what_it_was() -> None:
    adapter: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)

    for request in (CheckRequest(text=TEXT), CheckRequest(run_id="abc"), ResearchRequest(question="Why?")):
        assert adapter.validate_json(request.model_dump_json()) == request
