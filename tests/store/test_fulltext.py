from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.store import schema
from deepresearch_mcp.store.connection import connect_sqlite
from deepresearch_mcp.store.documents import of_collections
from deepresearch_mcp.store.fulltext import match_query
from deepresearch_mcp.store.postgres import connection as shared
from deepresearch_mcp.store.postgres import opening
from deepresearch_mcp.store.sql import Shelf
from deepresearch_mcp.text.passages import PassageSpan
from postgres_server import own_schema


@contextmanager
def migrated(kind: str, request: pytest.FixtureRequest) -> Generator[Any]:
    """A connection to a database of that kind, with all tables and nothing in them."""
    if kind == "sqlite":
        with closing(connect_sqlite(":memory:")) as conn:
            schema.apply_migrations(conn)
            yield conn
        return
    with own_schema(request.getfixturevalue("database_url")) as url:
        opening.migrate_database(url)
        with shared.connect_postgres(url) as session:
            yield shared.PostgresConn(session)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest) -> Generator[Any]:
    with migrated(request.param, request) as conn:
        yield conn


@pytest.fixture(params=["sqlite", "postgres"])
def conn(request: pytest.FixtureRequest) -> Generator[Any]:
    with migrated(request.param, request) as conn:
        yield conn


def put(conn: Any, snapshot: str, title: str, text: str, heading: str = "") -> None:
    conn.dialect.fulltext.index(conn, snapshot, title, text, [PassageSpan(0, len(text), heading)])
    conn.execute(
        "INSERT INTO readings(run_id, collection, source_id, snapshot, url, title, read_at, card)"
        " VALUES('', '', ?, ?, '', '', 0, '')",
        (snapshot, snapshot),
    )


def found(conn: Any, query: str) -> list[str]:
    return [match.snapshot for match in conn.dialect.fulltext.matches(conn, query, Shelf())]


@given(st.text(st.characters(), max_size=60) | st.text('"*:^()+-{}.AND OR NOT NEAR', max_size=60))
def test_no_text_is_a_syntax_error(empty: Any, query: str) -> None:
    assert list(empty.dialect.fulltext.matches(empty, query, Shelf())) == []
    assert list(empty.dialect.fulltext.matches(empty, query, of_collections(["a"]))) == []


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80))
def test_whatever_was_indexed_is_taken_out_again_without_a_trace(text: str) -> None:
    conn = connect_sqlite(":memory:")
    schema.apply_migrations(conn)
    put(conn, "kept", "ice", "Ice floats on water.")
    put(conn, "gone", text, text, text)

    conn.dialect.fulltext.unindex(conn, "gone", text, text)

    conn.execute("INSERT INTO passages_fts(passages_fts) VALUES('integrity-check')")
    assert found(conn, "ice") == ["kept"]
    assert "gone" not in found(conn, text)
    conn.close()


def test_any_word_matches_and_more_words_rank_higher(conn: Any) -> None:
    put(conn, "one", "", "Ice is cold and hard in the winter.")
    put(conn, "both", "", "Ice floats on water in the winter.")
    put(conn, "none", "", "Nothing to see here at all, friends.")

    assert found(conn, "Why does ice float?") == ["both", "one"]


def test_a_word_in_the_title_weighs_more_than_in_a_heading_and_that_more_than_in_the_text(
    conn: Any,
) -> None:
    put(conn, "text", "words", "ice words here", "words")
    put(conn, "heading", "words", "words are here", "ice")
    put(conn, "title", "ice", "words are here", "words")

    assert found(conn, "ice") == ["title", "heading", "text"]


def test_equal_passages_come_in_a_lasting_order(conn: Any) -> None:
    for snapshot in ("c", "a", "b"):
        put(conn, snapshot, "", "ice floats")

    assert found(conn, "ice") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("数据库的并发写入", "并发"),
        ("数据库的并发写入", "写"),
        ("東京タワーは高い", "タワー"),
        ("ฐานข้อมูลเชิงสัมพันธ์", "ข้อมูล"),
        ("The café in Zürich", "cafe zurich"),
        ("Die Straße", "STRASSE"),
        ("He doesn't know", "doesn't"),
        ("snake_case names", "snake"),
        ("concurrent writers", "concurrency writer"),
    ],
)
def test_words_are_found_in_any_script_case_and_ending(conn: Any, text: str, query: str) -> None:
    put(conn, "it", "", text)
    put(conn, "another", "", "completely unrelated 無関係")

    assert found(conn, query) == ["it"]


def test_stopwords_are_left_out_where_other_words_remain() -> None:
    assert match_query("Why is the ice so cold?") == '"ice" OR "cold"'
    assert match_query("to be or not to be") == '"to" OR "be" OR "or" OR "not"'
    assert match_query(" ?! ") == ""


def test_a_very_long_query_is_cut() -> None:
    assert match_query(" ".join(f"word{number}" for number in range(500))).count(" OR ") == 63


def test_only_passages_that_someone_has_read_are_found(conn: Any) -> None:
    conn.dialect.fulltext.index(conn, "orphan", "", "ice", [PassageSpan(0, 3, "")])

    assert found(conn, "ice") == []
