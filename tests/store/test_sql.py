import sqlite3

import pytest

from deepresearch_mcp.store.connection import SQLITE
from deepresearch_mcp.store.postgres.connection import POSTGRES
from deepresearch_mcp.store.sql import among


@pytest.mark.parametrize("values", [[], ["a"], ["a", "b", "c"]])
def test_a_value_is_among_none_one_or_many(values: list[str]) -> None:
    conn = sqlite3.connect(":memory:")

    assert conn.execute(f"SELECT 'b' IN {among(values)}", values).fetchone() == ("b" in values,)
    assert conn.execute(f"SELECT 'b' NOT IN {among(values)}", values).fetchone() == ("b" not in values,)
    conn.close()


def test_a_statement_is_filled_in_with_the_words_of_each_dialect() -> None:
    sql = "SELECT 1 FROM runs$update"

    assert SQLITE.of(sql) == "SELECT 1 FROM runs"
    assert POSTGRES.of(sql) == "SELECT 1 FROM runs FOR UPDATE"


def test_both_dialects_fill_in_the_same_words() -> None:
    assert SQLITE.words.keys() == POSTGRES.words.keys()
