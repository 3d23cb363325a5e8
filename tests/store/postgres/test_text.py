import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.store.postgres.text import configure, escape_nul, unescape_nul

_ANY = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(["\0", "\ufffe", "0"]))


@given(_ANY)
def test_every_text_comes_back_as_it_was_and_none_is_stored_with_the_character_0(text: str) -> None:
    assert "\0" not in escape_nul(text)
    assert unescape_nul(escape_nul(text)) == text


@pytest.mark.parametrize("text", ["", "a\0b", "\ufffe0", "\0\ufffe\ufffe0\0", "冰 🧊"])
def test_a_configured_connection_takes_and_gives_every_text(database_url: str, text: str) -> None:
    with psycopg.connect(database_url) as conn:
        configure(conn)
        assert conn.execute(
            "SELECT CAST(%s AS text), %s = ANY(CAST(%s AS text[]))", (text, text, [text])
        ).fetchone() == (
            text,
            True,
        )
