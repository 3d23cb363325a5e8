import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.rest.shelving import order_of


def test_empty_fields_of_a_document_count_as_missing() -> None:
    order = order_of({"text": "# Ice", "url": "", "path": ""})

    assert (order.text, order.url, order.path) == ("# Ice", None, None)


@pytest.mark.parametrize("texts", [{"text": "", "url": ""}, {"text": "x", "url": "https://example.org/"}])
def test_a_document_has_either_a_text_or_an_address(texts: dict[str, str]) -> None:
    with pytest.raises(InvalidRequest, match="either text or url"):
        order_of(texts)


def test_a_text_that_is_none_is_refused_as_one_and_not_as_an_address() -> None:
    with pytest.raises(InvalidRequest, match="Text holds NUL characters"):
        order_of({"text": "ice\0water"})
