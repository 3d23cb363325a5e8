from typing import Any

import pytest

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.web.parsed_page import page_of, screening_of

URL = "https://a.org/page"


def test_an_answer_becomes_a_page() -> None:
    page = page_of(URL, {"kind": "html", "text": "Ice floats.", "published": "2024-03-05", "next_page": f"{URL}/2"})

    assert (page.kind, page.text, page.next_page) == ("html", "Ice floats.", f"{URL}/2")
    assert page.published is not None
    assert page.published.isoformat() == "2024-03-05"
    assert page.screening is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            {"kind": "html", "text": "We value your privacy.", "reason": "consent_wall", "detail": "A form."},
            "consent_wall",
        ),
        ({"kind": "html", "text": "Buy me.", "reason": "parked"}, "parked"),
        ({"kind": "html", "text": "Word word.", "reason": "trap"}, "trap"),
        ({"kind": "html", "text": "x", "reason": "made up"}, "unparsable"),
        ({"kind": "unknown", "text": "x"}, "empty"),
        ({"kind": "html", "text": ""}, "empty"),
    ],
)
def test_what_stands_in_the_place_of_a_page_never_becomes_its_text(answer: Any, reason: str) -> None:
    with pytest.raises(FetchFailed) as caught:
        page_of(URL, answer)

    assert (caught.value.reason, caught.value.url) == (reason, URL)


def test_a_screening_that_is_invalid_counts_as_missing() -> None:
    odd: Any = {"planted": [["x"]], "sketch": ["y"]}

    assert screening_of(odd) is None
