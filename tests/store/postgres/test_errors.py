import psycopg
import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.postgres.errors import is_outage, postgres_errors


def told(error: BaseException) -> str:
    with pytest.raises(StoreError) as caught, postgres_errors():
        raise error
    return str(caught.value)


def failing(url: str, sql: str = "SELECT 1", values: tuple[object, ...] = ()) -> psycopg.Error:
    try:
        with psycopg.connect(url, connect_timeout=5) as conn:
            conn.execute(sql.encode(), values)
    except psycopg.Error as error:
        return error
    raise AssertionError("it worked")


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("SELECT * FROM missing_table", r"its tables are missing\. Run: deepresearch-server store migrate"),
        ("SELECT missing_column FROM pg_class", r"its tables are older than this version\."),
        ("SET TRANSACTION READ ONLY; CREATE TABLE x(y int)", r"it is read-only: a replica, or configured so"),
        ("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)", r"it took too long\. Raise statement_timeout"),
        ("SELECT 10::int4 / 0", "characters or digits"),
        ("SELECT FROM FROM", r"it refused \(42601\)\. This may be a fault of ours"),
    ],
)
def test_what_the_server_refuses_is_one_sentence(database_url: str, sql: str, sentence: str) -> None:
    error = failing(database_url, sql)

    with pytest.raises(StoreError, match=sentence), postgres_errors():
        raise error
    assert not is_outage(error)


def test_a_port_of_something_else_is_told_as_that() -> None:
    error = psycopg.OperationalError("received invalid response to SSL negotiation: 2")

    assert "the server there is not PostgreSQL. Correct host and port in DEEPRESEARCH_DATABASE_URL" in told(error)


def test_a_server_that_is_not_there_is_an_outage_told_without_its_address() -> None:
    error = failing("postgresql://me:secret@127.0.0.1:1/db")

    assert is_outage(error)
    said = told(error)
    assert "it cannot be reached. Start it, or correct DEEPRESEARCH_DATABASE_URL" in said
    assert "127.0.0.1" not in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("/postgres", "/none_of_this_name"), "it has no database of that name"),
        (("tests@", "nobody_of_this_name@"), "it refused the user or the password"),
    ],
)
def test_a_wrong_name_is_no_outage(database_url: str, change: tuple[str, str], sentence: str) -> None:
    if change[0] not in database_url:
        pytest.skip("the server that was named is not one of our own")
    error = failing(database_url.replace(*change))

    assert not is_outage(error)
    assert sentence in told(error)


def test_a_password_that_must_be_escaped_is_told_with_how_and_without_the_password() -> None:
    said = told(failing("postgresql://me:p%ss@127.0.0.1:1/db"))

    assert "a character that must be escaped. Write @ as %40" in said
    assert "p%ss" not in said


def test_an_address_that_is_none_is_told_with_an_example() -> None:
    assert "Write it as postgresql://USER:PASSWORD@HOST:5432/NAME." in told(failing("this is no address"))


@pytest.mark.parametrize("state", ["57P01", "57P02", "57P03", "08006"])
def test_a_server_that_shuts_down_or_starts_is_an_outage(state: str) -> None:
    assert is_outage(psycopg.errors.lookup(state)("going down"))


def test_a_text_with_half_a_character_is_refused_with_what_to_do() -> None:
    with pytest.raises(StoreError, match="characters or digits"), postgres_errors():
        "\ud800".encode()


def test_a_pool_that_is_closed_is_no_outage_to_wait_for() -> None:
    from psycopg_pool import PoolClosed, PoolTimeout

    assert not is_outage(PoolClosed("closed"))
    assert is_outage(PoolTimeout("none free"))
    assert "The PostgreSQL database cannot be used" in told(PoolClosed("closed"))
