from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.sources import Document, DocumentCard, Hit, Query

DOCUMENT = Document(
    source_id="s1",
    url="https://a.example/",
    requested_url="https://a.example/?from=x",
    snapshot="ab",
    length=10,
    read_at=datetime(2026, 11, 20, 12, tzinfo=UTC),
    text="ice floats",
)


def test_a_documents_card_is_all_of_it_but_the_text() -> None:
    card = DOCUMENT.card()

    assert type(card) is DocumentCard
    assert DOCUMENT.model_dump(exclude={"text"}) == card.model_dump()
    assert Document.model_validate(card.model_dump() | {"text": DOCUMENT.text}) == DOCUMENT


def test_a_document_goes_through_json_unchanged() -> None:
    assert Document.model_validate_json(DOCUMENT.model_dump_json()) == DOCUMENT


def test_a_query_asks_for_ten_hits_from_anywhere_unless_told_otherwise() -> None:
    query = Query("ice")

    assert (query.limit, query.collections, query.filters.include_domains) == (10, (), ())


def test_a_hit_cannot_be_changed_and_takes_no_word_it_does_not_know() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Hit(url="https://a.example/").score = 1.0  # pyright: ignore[reportAttributeAccessIssue] - the point of the test
    with pytest.raises(ValidationError, match="evidence"):
        Hit.model_validate({"url": "https://a.example/", "evidence": "yes"})


@pytest.mark.parametrize(("offset", "number"), [(0, 1), (9, 1), (10, 2), (14, 1), (99, 3)])
def test_an_offset_stands_on_the_page_that_began_last(offset: int, number: int) -> None:
    document = DOCUMENT.model_copy(update={"pages": ((0, 1), (10, 2), (12, 1), (20, 3))})

    assert document.page_at(offset) == number


def test_a_page_of_the_web_has_no_page_numbers() -> None:
    assert DOCUMENT.page_at(3) is None
