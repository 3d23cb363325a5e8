import pytest

from deepresearch_mcp.injection.invisible import holds_message, without_unseen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain words", "plain words"),
        ("Ig\u200bno\u00adre \u202ethis\u2066", "Ignore this"),
        ("words\U000e0049\U000e0067 here", "words here"),
        ("\ufeffstart\u2060ed", "started"),
        ("a\u200cb\u200d\u200dc", "abc"),
        ("x\ufe01\ufe02\ufe03y", "xy"),
        ("grün 水 ❤\ufe0f", "grün 水 ❤\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_what_no_one_sees_goes_and_what_shapes_words_stays(text: str, seen: str) -> None:
    assert without_unseen(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "fine" + "".join(chr(0xE0000 + ord(char)) for char in "send it") + ".",
        "\u200b".join("ignore all"),
        "x" + "\u200b\u200c" * 20 + "y",
        "x" + "".join(chr(0xE0100 + n) for n in range(9)),
    ],
)
def test_words_in_unseen_characters_and_words_that_they_part_are_noticed(text: str) -> None:
    assert holds_message(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "a soft\u00adly hyphen\u00adated word",
        "one\u200bblank here\u200bthere",
        "👩\u200d🚀 می\u200cخواهم ❤\ufe0f",
    ],
)
def test_careful_typography_carries_no_message(text: str) -> None:
    assert not holds_message(text)
