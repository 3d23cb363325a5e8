from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.passages import pieces

PARAGRAPH = "This is a sentence of some length about the matter. " * 5


def test_pieces_stand_under_their_headings_which_are_in_none() -> None:
    text = f"Before.\n\n# One\n\n{PARAGRAPH}\n\n## Two **bold**\n\nText two.\n\n## Three\n\nText.\n\n# Four\n\nEnd."

    found = pieces(text)

    assert [piece.heading for piece in found] == ["", "One", "One › Two bold", "One › Three", "Four"]
    assert text[found[2].start : found[2].end] == "Text two."
    assert not any("#" in text[piece.start : piece.end] for piece in found)


def test_paragraphs_are_joined_up_to_the_size_and_cut_between() -> None:
    text = "\n\n".join([PARAGRAPH.strip()] * 9)

    found = pieces(text, size=600)

    assert all(text[piece.start : piece.end].endswith("matter.") for piece in found)
    assert [(piece.end - piece.start) // 250 for piece in found] == [2] * 4 + [1]


def test_a_long_paragraph_is_cut_between_sentences_and_a_long_sentence_between_words() -> None:
    prose = pieces(PARAGRAPH * 10, size=300)
    words = pieces("word " * 1000, size=300)
    solid = pieces("x" * 1000, size=300)

    assert all(piece.end - piece.start <= 450 for piece in [*prose, *words, *solid])
    assert len(prose) > 5
    assert {piece.end - piece.start for piece in solid} == {450, 100}
    assert all(("word " * 1000)[piece.end - 1] == "d" for piece in words)


def test_a_listing_or_table_stays_whole_where_it_fits_and_is_cut_between_lines_else() -> None:
    code = "```py\n" + "x = 1\n" * 60 + "```"
    table = "| a | b |\n" * 100

    whole = pieces(f"Intro.\n\n{code}\n\nEnd.", size=300)
    cut = pieces(table, size=300)

    assert any(code in f"Intro.\n\n{code}\n\nEnd."[piece.start : piece.end] for piece in whole)
    assert all(table[piece.start : piece.end].endswith("|") for piece in cut)
    assert len(cut) > 2


def test_a_short_beginning_takes_in_more_than_the_size_rather_than_stand_alone() -> None:
    text = "Short.\n\n" + PARAGRAPH.strip()

    assert [(piece.start, piece.end) for piece in pieces(text, size=260)] == [(0, len(text))]


REFERENCE = """# Tasks

## Timeouts

What follows sets limits of time to things that are awaited.

* timeout(delay)
: Limits the time that is spent waiting for something to come to its end.
  - a rather small list of points stands here as well
  * class Timeout
  : What is made.
    New in version 3.9.
  New in version 3.11.

* wait_for(aw, timeout)
: Waits for something to come to its end, with a limit of the time.
  Changed in version 3.7: It waits.
"""


def test_a_passage_stands_under_the_entry_it_is_within_and_ends_with_it() -> None:
    found = pieces(REFERENCE, size=170)

    assert [(one.heading, REFERENCE[one.start : one.end].rsplit("\n", maxsplit=1)[-1].strip()) for one in found] == [
        ("Tasks › Timeouts", "What follows sets limits of time to things that are awaited."),
        ("Tasks › Timeouts › timeout(delay)", "New in version 3.11."),
        ("Tasks › Timeouts › wait_for(aw, timeout)", "Changed in version 3.7: It waits."),
    ]


def test_an_entry_that_is_cut_names_itself_above_each_part() -> None:
    found = pieces(REFERENCE, size=60)

    dated = [
        (one.heading, REFERENCE[one.start : one.end]) for one in found if "New in" in REFERENCE[one.start : one.end]
    ]
    assert {heading for heading, _ in dated} == {"Tasks › Timeouts › timeout(delay)"}
    assert all("class Timeout" in text for _, text in dated if "3.9" in text)
    assert any(one.heading == "Tasks › Timeouts" for one in found)


def test_short_entries_are_joined() -> None:
    text = "* -a\n: All.\n* -b\n: Bare.\n\n* -c\n: Cut."

    assert [(one.heading, text[one.start : one.end]) for one in pieces(text)] == [("", text)]


def test_a_text_of_headings_alone_has_no_piece() -> None:
    assert pieces("# One\n\n## Two\n\n#") == []
    assert pieces("") == []


@given(st.text(alphabet="ab. \n#|`-=*:", max_size=400), st.integers(1, 60))
def test_pieces_are_in_order_apart_not_blank_and_short_enough(text: str, size: int) -> None:
    at = 0
    for piece in pieces(text, size):
        assert at <= piece.start < piece.end <= len(text)
        assert text[piece.start : piece.end].strip()
        assert piece.end - piece.start <= max(1, size * 1.5)
        at = piece.end


def test_a_sentence_that_announces_what_follows_goes_with_it() -> None:
    before = "Ice floats on water in winter. " * 25
    listing = "```\n" + "set ice = on\n" * 40 + "```"
    text = f"## Ice\n\n{before}It is set as follows:\n\n{listing}"

    first, second = pieces(text, 900)

    assert text[first.start : first.end] == before.strip()
    assert text[second.start : second.end] == f"It is set as follows:\n\n{listing}"


def test_an_announcement_that_does_not_fit_before_what_follows_stays_where_it_stands() -> None:
    before = "Ice floats on water in winter. " * 30
    listing = "```\n" + "set ice = on\n" * 100 + "```"
    text = f"{before}It is set as follows:\n\n{listing}"

    assert all(one.end - one.start <= 1_350 for one in pieces(text, 900))
    assert "".join(text[one.start : one.end] for one in pieces(text, 900)).count("It is set as follows:") == 1
