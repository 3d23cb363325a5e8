"""The names of ceilings, for a reader."""

from deepresearch_mcp.records.ceilings import limit_in, limit_words


def test_a_ceiling_is_named_in_words():
    assert limit_words("max_tokens") == "the token limit"
    assert limit_words("a share") == "a share"


def test_the_limit_that_a_message_names_is_found():
    assert limit_in("The ceiling max_usd = 3 is met (spent: 2.9).") == "the cost limit"
    assert limit_in("HTTP 503") == ""
