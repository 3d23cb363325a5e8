from mcp import types

from deepresearch_mcp.mcp_server.outcomes import as_text


def test_words_that_only_a_model_would_see_are_no_part_of_a_result() -> None:
    result = as_text("Ice floats.\U000e0041\U000e0042", is_error=True)

    assert result.content == [types.TextContent(type="text", text="Ice floats.")]
    assert (result.is_error, result.structured_content) == (True, None)
