"""What the store asks of a database, so that the same classes serve SQLite and PostgreSQL.

A statement is written once, with `?` for values. What the two spell differently stands in it
as a `$word`, which the dialect fills in; what they do differently is a method of the dialect.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Any, Literal, Protocol, TypeVar

from deepresearch_mcp.text.passages import PassageSpan

T = TypeVar("T")

Held = Literal["together", "alone"]


class Rows(Protocol):
    """What a statement found or changed."""

    @property
    def description(self) -> Sequence[Any] | None:
        """One sequence a column, its name first."""
        ...

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        ...

    def fetchone(self) -> Any:  # noqa: ANN401 - rows are untyped
        """The next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...

    def close(self) -> None:
        """Read no further."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Conn(Protocol):
    """A connection, within a function that a `Database` runs."""

    dialect: "Dialect"
    """Of its database."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Rows:
        """Run one statement with its values."""
        ...

    def executemany(self, sql: str, values: Iterable[Sequence[Any]], /) -> Rows:
        """Run one statement for each row of values."""
        ...

    def transaction(self) -> AbstractContextManager[object]:
        """All or nothing; what a `Database` writes is in one already."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """A passage in which words of a query stand."""

    snapshot: str
    start: int
    end: int
    score: float
    """Higher is better; comparable within one search."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Readings in which a search looks: a condition on `readings r`, and its values."""

    condition: str = "1 = 1"
    values: tuple[str, ...] = ()


class FullText(Protocol):
    """An index of the passages of all stored texts; the functions run inside a transaction."""

    def index(self, conn: Conn, snapshot: str, title: str, text: str, pieces: Sequence[PassageSpan]) -> None:
        """Index the passages of a text."""
        ...

    def unindex(self, conn: Conn, snapshot: str, title: str, text: str) -> None:
        """Take the passages of a text out again; title and text must be those that were indexed."""
        ...

    def matches(self, conn: Conn, query: str, shelf: "Shelf") -> Generator[Match]:
        """Passages with words of the query, best first, equal ones in a lasting order; from this shelf alone."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one database spells and does what differs."""

    name: str
    words: Mapping[str, str]
    """`$serial`, `$keyed`: in the schema. `$share`, `$update`: locks on the rows that a SELECT finds."""
    number: Callable[[str, str], str]
    """Of a column that holds JSON and the name of a field: the field as a number, 0 where there is none."""
    fulltext: FullText
    guard: Callable[[Conn, str, Held], None]
    """Hold a name until the transaction ends, once that can be."""
    version: Callable[[Conn], int]
    """The number of the last migration that was applied."""
    mark: Callable[[Conn, int], object]
    """Remember that number."""

    def __hash__(self) -> int:
        return hash(self.name)

    def of(self, sql: str) -> str:
        """The statement in this dialect."""
        return _filled(self, sql) if "$" in sql else sql


@cache
def _filled(dialect: Dialect, sql: str) -> str:
    return Template(sql).substitute(dialect.words)


class Database(Protocol):
    """A database, open: whole functions are run on its connections, outside the event loop."""

    dialect: Dialect

    async def read(self, fn: Callable[[Conn], T]) -> T:
        """Run a function that only reads; it sees everything that was written before."""
        ...

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of one query."""
        ...

    async def write(self, fn: Callable[[Conn], T]) -> T:
        """Run a function in one transaction: everything it wrote is kept, or, when it raises, nothing.

        It may be run again where the connection broke, so it changes nothing but the database. Once begun it is
        finished, even when the caller is cancelled.
        """
        ...

    async def change(self, sql: str, values: Sequence[object]) -> int:
        """Run one writing statement, committed by itself, and tell how many rows it changed."""
        ...


class Owners(Protocol):
    """This store's id, the proof that it lives, the fences of the runs it holds, and who else lives."""

    owner: str
    """A UUID's 32 hexadecimal digits."""
    fences: dict[str, int]
    """Of the runs that are ours, until they end."""

    def living(self, conn: Conn) -> Callable[[str | None], bool]:
        """Tells of an owner whether its process is there; asking never disturbs it. None never lives."""
        ...


def among(values: Collection[object]) -> str:
    """The right side of `IN` for so many values, none included."""
    return f"({', '.join('?' * len(values))})" if values else "(SELECT '' WHERE 1 = 0)"
