from deepresearch_mcp.web.parsed import unread_page


def test_a_page_without_text_has_a_reason() -> None:
    assert unread_page("empty", "The page holds no text.") == {"reason": "empty", "detail": "The page holds no text."}
