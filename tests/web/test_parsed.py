from typing import Any

import pytest

from deepresearch_mcp.web.parsed import page_starts, unread_page


def test_a_page_without_text_has_a_reason() -> None:
    assert unread_page("empty", "The page holds no text.") == {"reason": "empty", "detail": "The page holds no text."}


@pytest.mark.parametrize(
    ("pages", "starts"),
    [
        ([[0, 1], [40, 2]], ((0, 1), (40, 2))),
        ([], ()),
        ([[40, 2], [0, 1]], ()),
        ([[0, 0]], ()),
        ([[0]], ()),
        ([["a", 1]], ()),
        (7, ()),
    ],
)
def test_only_offsets_that_rise_tell_pages(pages: Any, starts: Any) -> None:
    assert page_starts({"pages": pages}) == starts
