"""Quotes below the entry of a source."""

from deepresearch_mcp.cited_text.own_quotes import is_own_quote, own_quotes

ICE = "https://one.example/#:~:text=Ice&text=It%20melts."
BELOW = ["  - a “Ice floats.” [↗](<https://one.example/#:~:text=Ice>)", "  - b “It melts.” [↗](<https://one.example/>)"]


def test_each_quote_has_its_letter_and_its_address():
    assert own_quotes("3", ICE, BELOW) == [("a", "https://one.example/#:~:text=Ice"), ("b", "https://one.example/")]


def test_quotes_of_a_file_of_a_library_have_letters_and_no_address():
    head, below = r"“Ice” library:/\/books/ice\.pdf", ["  - a “Ice floats.”, p. 12 · b “It melts.”, p. 12–13"]

    assert own_quotes("3", "", below, head) == [("a", ""), ("b", "")]
    assert own_quotes("3", "", [*below, "  Second edition."], head) == []


def test_an_ellipsis_of_the_page_is_one_of_its_words():
    url = "https://one.example/#:~:text=In"

    def place(words: str) -> str:
        [(_, found)] = own_quotes("3", url, [f"  - a “{words}”"])
        return found.partition("text=")[2]

    assert place("In a try…finally it floats…") == "In%20a%20try%E2%80%A6finally%20it%20floats"
    assert place("In a try…finally") == "In%20a%20try%E2%80%A6finally"
    # Reports of before 2026-11-29 show both ends of a quote.
    assert place("Ice floats on … as a rule.") == "Ice%20floats%20on,as%20a%20rule."


def test_an_entry_with_anything_else_below_it_is_not_ours():
    assert own_quotes("3", ICE, [*BELOW, "  Second edition."]) == []
    assert own_quotes("note", ICE, BELOW) == []
    assert own_quotes("3", "", ["  - a “Ice floats.”"]) == []
    assert own_quotes("3", ICE, ["  - a “Ice floats.” b “It melts.”"]) == []
    assert own_quotes("3", ICE, []) == []


def test_a_line_is_known_by_its_letter_and_its_quotation_mark():
    assert is_own_quote(BELOW[0])
    assert not is_own_quote("- a “Ice floats.” https://one.example/")
    assert not is_own_quote("  - a book on ice, https://one.example/")


def test_several_quotes_of_a_line_have_each_their_own_address():
    line = "  - a “Ice · b floats.” [↗](<https://one.example/#:~:text=Ice>) · b “It … \\[↗\\](<x>) melts.” [↗](<https://one.example/>)"

    assert own_quotes("3", ICE, [line]) == [("a", "https://one.example/#:~:text=Ice"), ("b", "https://one.example/")]
    assert own_quotes("3", ICE, [f"{line} · and more"]) == []
    assert is_own_quote(line)


def test_quotes_without_an_address_stand_on_the_page_of_their_entry():
    line = "  - a “Ice · b … floats.” · b “It \\_melts\\_.”, p. 3, under Ice · c “It ‘floats’.”"

    assert own_quotes("3", ICE, [line]) == [
        ("a", "https://one.example/#:~:text=Ice%20%C2%B7%20b,floats."),
        ("b", "https://one.example/#:~:text=It%20_melts_."),
        ("c", "https://one.example/#:~:text=It%20%E2%80%98floats%E2%80%99."),
    ]
