"""Quotes below the entry of a source."""

from deepresearch_mcp.cited_text.own_quotes import is_own_quote, own_quotes

BELOW = ["  - a “Ice floats.” [↗](<https://one.example/#:~:text=Ice>)", "  - b “It melts.” [↗](<https://one.example/>)"]


def test_each_quote_has_its_letter_and_its_address():
    assert own_quotes("3", BELOW) == [("a", "https://one.example/#:~:text=Ice"), ("b", "https://one.example/")]


def test_an_entry_with_anything_else_below_it_is_not_ours():
    assert own_quotes("3", [*BELOW, "  Second edition."]) == []
    assert own_quotes("note", BELOW) == []
    assert own_quotes("3", ["  - a “Ice floats.” in a book"]) == []
    assert own_quotes("3", []) == []


def test_a_line_is_known_by_its_letter_and_its_quotation_mark():
    assert is_own_quote(BELOW[0])
    assert not is_own_quote("- a “Ice floats.” https://one.example/")
    assert not is_own_quote("  - a book on ice, https://one.example/")


def test_several_quotes_of_a_line_have_each_their_own_address():
    line = "  - a “Ice · b floats.” [↗](<https://one.example/#:~:text=Ice>) · b “It … \\[↗\\](<x>) melts.” [↗](<https://one.example/>)"

    assert own_quotes("3", [line]) == [("a", "https://one.example/#:~:text=Ice"), ("b", "https://one.example/")]
    assert own_quotes("3", [f"{line} · and more"]) == []
    assert is_own_quote(line)
