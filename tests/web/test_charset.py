import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.web.charset import decode

GERMAN = "Über Größe und Gefäße läßt sich streiten. " * 20
JAPANESE = "氷は水より軽いので、水に浮かびます。これはよく知られた事実です。" * 20
RUSSIAN = "Лёд легче воды, и поэтому он плавает на её поверхности. " * 20


@pytest.mark.parametrize(
    ("body", "declared", "text", "guessed"),
    [
        (b"plain", "", "plain", False),
        (b"plain", "utf-16", "plain", False),
        (GERMAN.encode(), "utf-8", GERMAN, False),
        (GERMAN.encode(), "", GERMAN, False),
        (GERMAN.encode(), "iso-8859-1", GERMAN, True),
        (GERMAN.encode("cp1252"), "ISO-8859-1", GERMAN, False),
        (GERMAN.encode("cp1252"), "latin1", GERMAN, False),
        ("“quoted” – dashed".encode("cp1252"), "iso-8859-1", "“quoted” – dashed", False),
        (GERMAN.encode("cp1252"), "utf-8", GERMAN, True),
        (GERMAN.encode("cp1252"), "no-such-charset", GERMAN, True),
        (GERMAN.encode("cp1252"), "base64", GERMAN, True),
        (GERMAN.encode("cp1252"), "undefined", GERMAN, True),
        (GERMAN.encode("cp1252"), "idna", GERMAN, True),
        (JAPANESE.encode("shift_jis"), "Shift_JIS", JAPANESE, False),
        (JAPANESE.encode("shift_jis"), "x-sjis", JAPANESE, False),
        (JAPANESE.encode("euc_jp"), "", JAPANESE, True),
        (JAPANESE.encode("euc_jp"), "utf-8", JAPANESE, True),
        (JAPANESE.encode("iso2022_jp"), "iso-2022-jp", JAPANESE, False),
        (RUSSIAN.encode("koi8-r"), "koi8-r", RUSSIAN, False),
        (RUSSIAN.encode("cp1251"), "", RUSSIAN, True),
        (b"\xef\xbb\xbf" + GERMAN.encode(), "iso-8859-1", GERMAN, False),
        (b"\xff\xfe" + GERMAN.encode("utf-16-le"), "", GERMAN, False),
        (b"\xfe\xff" + GERMAN.encode("utf-16-be"), "utf-8", GERMAN, False),
        (b"\xff\xfe\x00\x00" + GERMAN.encode("utf-32-le"), "", GERMAN, False),
        (
            b'<meta charset="windows-1251">' + RUSSIAN.encode("cp1251"),
            "",
            '<meta charset="windows-1251">' + RUSSIAN,
            False,
        ),
        (
            b'<?xml version="1.0" encoding="koi8-r"?>' + RUSSIAN.encode("koi8-r"),
            "",
            '<?xml version="1.0" encoding="koi8-r"?>' + RUSSIAN,
            False,
        ),
        (b"<meta charset=utf-8>" + JAPANESE.encode("shift_jis"), "cp932", "<meta charset=utf-8>" + JAPANESE, False),
        (b"<meta charset=cp1251>" + RUSSIAN.encode("cp1251"), "utf-8", "<meta charset=cp1251>" + RUSSIAN, True),
        (b"<meta charset=utf-16>" + GERMAN.encode(), "", "<meta charset=utf-16>" + GERMAN, False),
        (GERMAN.encode()[:-1] + "ß".encode()[:1], "", GERMAN[:-1] + "\ufffd", False),
    ],
)
def test_text_is_read_as_it_was_written(body: bytes, declared: str, text: str, guessed: bool) -> None:
    assert decode(body, declared) == (text, guessed)


def test_a_few_broken_bytes_do_not_change_what_was_declared() -> None:
    text, guessed = decode((GERMAN * 5).encode() + b" \xff ", "utf-8")

    assert text.startswith(GERMAN)
    assert "\ufffd" in text
    assert not guessed


@given(st.binary(max_size=200), st.text(max_size=12))
def test_any_bytes_under_any_label_become_text(body: bytes, label: str) -> None:
    text, _ = decode(body, label)

    assert isinstance(text, str)
