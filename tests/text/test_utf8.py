from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.utf8 import fitting, shortened_to_bytes, size

ANY = st.text(st.characters(), max_size=200) | st.text("aЛ冰🧊\ud800", max_size=200)


@given(ANY, st.integers(-1, 900), st.integers(0, 250))
def test_as_many_characters_fit_as_have_their_bytes(text: str, most: int, offset: int) -> None:
    count = fitting(text, most, offset)

    assert size(text[offset : offset + count]) <= max(0, most)
    assert offset + count >= len(text) or size(text[offset : offset + count + 1]) > most


@given(ANY, st.integers(-1, 900))
def test_a_shortened_text_has_its_bytes_and_shows_that_it_was_cut(text: str, most: int) -> None:
    short = shortened_to_bytes(text, most)

    assert size(short) <= max(0, most)
    assert text.startswith(short) or (short.endswith("…") and text.startswith(short[:-1]))
    assert short == text or most < size("…") or short.endswith("…")
