import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.web.documents.rows import columns, rows_of, spaced
from deepresearch_mcp.web.documents.words import Word


def word(text: str, left: float, base: float, size: float = 10.0) -> Word:
    return Word(text, left, left + 5.0 * len(text), base, size)


def line(text: str, left: float, base: float) -> list[Word]:
    found: list[Word] = []
    for part in text.split():
        found.append(word(part, left, base))
        left = found[-1].right + 3.0
    return found


def test_a_footnote_mark_is_put_where_it_stands_although_the_file_draws_it_last() -> None:
    words = [*line("iPhone", 72, 700), *line("sales rose in", 115, 700), *line("the year of the snake.", 72, 688)]
    mark = Word("(1)", words[0].right, words[0].right + 8, 703.5, 6.0)

    assert [row.text for row in rows_of([*words, mark])] == ["iPhone(1) sales rose in", "the year of the snake."]


def test_cells_far_apart_are_pieces_of_their_own() -> None:
    [row] = rows_of([*line("Net sales", 72, 700), *line("82,959", 300, 700)])

    assert [piece.text for piece in row.pieces] == ["Net sales", "82,959"]


def test_chinese_words_are_joined_without_spaces() -> None:
    assert spaced([word("水是", 72, 700), word("冷的", 84, 700)]) == "水是冷的"


def test_a_title_over_two_columns_divides_nothing() -> None:
    words = line("A title that runs over the whole of the page, from the left to the right edge", 72, 740)
    for at in range(8):
        words += line(f"left side line number {at} is here", 72, 700 - 12 * at)
        words += line(f"right side line number {at} is here", 330, 700 - 12 * at)

    texts = [[row.text for row in part] for part in columns(words)]

    assert [len(part) for part in texts] == [1, 8, 8]
    assert texts[1][0].startswith("left")
    assert texts[2][0].startswith("right")


@pytest.mark.parametrize("cells", [("Net sales", "82,959"), ("iPhone", "Mac")])
def test_columns_of_short_cells_stay_rows(cells: tuple[str, str]) -> None:
    words = [
        one for at in range(9) for cell, x in zip(cells, (72, 300), strict=True) for one in line(cell, x, 700 - at * 12)
    ]

    assert len(columns(words)) == 1


PLACES = st.floats(0, 800, allow_nan=False)
WORDS = st.builds(word, st.sampled_from(["a", "bc", "12", "水"]), PLACES, PLACES, st.floats(0.1, 40))


@given(
    st.lists(st.builds(word, st.sampled_from(["a", "bc", "12", "水"]), PLACES, PLACES, st.floats(0.1, 40)), max_size=40)
)
def test_no_word_is_lost_or_doubled_wherever_words_stand(words: list[Word]) -> None:
    found = [one for part in columns(words) for row in part for piece in row.pieces for one in piece.words]

    assert sorted(found) == sorted(words)
