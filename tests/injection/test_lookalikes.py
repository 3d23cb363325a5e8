from deepresearch_mcp.injection.lookalikes import FULL_WIDTH, LOOKALIKES


def test_a_letter_stands_for_one_latin_letter_of_the_same_length() -> None:
    assert all(len(like) == 1 and like.isascii() and like.isalpha() for like in LOOKALIKES.values())
    assert "Іgnоrе тhе".translate(LOOKALIKES) == "Ignore тhe"


def test_full_width_is_read_as_ordinary() -> None:
    assert "ＡＩ：ｇｏ！".translate(FULL_WIDTH) == "AI:go!"
