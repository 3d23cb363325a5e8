"""The store's interface to a database, so that the same classes serve SQLite and PostgreSQL.

Each statement is written once, with `?` for values. Where the databases' syntax differs it contains a `$word`, which
the dialect replaces; where their behaviour differs the dialect has a method.
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
    """The result of a statement."""

    @property
    def description(self) -> Sequence[Any] | None:
        """One sequence per column, with its name first; None if the statement returns no rows."""
        ...

    @property
    def rowcount(self) -> int:
        """Number of changed rows."""
        ...

    def fetchone(self) -> Any:  # noqa: ANN401 - rows are untyped
        """The next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """All remaining rows."""
        ...

    def close(self) -> None:
        """Stop reading and release the statement."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Conn(Protocol):
    """A connection, for use inside a function that a `Database` runs."""

    dialect: "Dialect"

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Rows:
        """Run one statement with its values."""
        ...

    def executemany(self, sql: str, values: Iterable[Sequence[Any]], /) -> Rows:
        """Run one statement for each row of values."""
        ...

    def transaction(self) -> AbstractContextManager[object]:
        """Make a block all or nothing. A function given to `Database.write` is already in a transaction."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that contains words of a query."""

    snapshot: str
    start: int
    end: int
    score: float
    """Higher is better; comparable only within one search."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The readings to search: an SQL condition on `readings r`, and its values."""

    condition: str = "1 = 1"
    values: tuple[str, ...] = ()


class FullText(Protocol):
    """A full-text index of the passages of all stored texts. Call its methods inside a transaction."""

    def index(self, conn: Conn, snapshot: str, title: str, text: str, pieces: Sequence[PassageSpan]) -> None:
        """Index the passages of a text."""
        ...

    def unindex(self, conn: Conn, snapshot: str, title: str, text: str) -> None:
        """Remove the passages of a text; title and text must equal those that were indexed."""
        ...

    def matches(self, conn: Conn, query: str, shelf: "Shelf") -> Generator[Match]:
        """Passages of this shelf that contain words of the query, best first; ties have a stable order."""
        ...

    def counts(self, conn: Conn, words: Sequence[str]) -> tuple[list[int], int]:
        """How many passages hold each of these words of a query, and how many passages there are."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """The syntax and behaviour in which one database differs from the other."""

    name: str
    words: Mapping[str, str]
    """`$word` → its SQL. `$serial` and `$keyed` occur in the schema; `$share` and `$update` lock selected rows."""
    number: Callable[[str, str], str]
    """SQL for a numeric field of a JSON column, given the column and the field; 0 if the field is missing."""
    fulltext: FullText
    guard: Callable[[Conn, str, Held], None]
    """Wait for the lock of this name, shared or exclusive, and hold it until the transaction ends."""
    version: Callable[[Conn], int]
    """Read the number of the last applied migration."""
    mark: Callable[[Conn, int], object]
    """Store that number."""

    def __hash__(self) -> int:
        return hash(self.name)

    def of(self, sql: str) -> str:
        """Replace the `$words` of a statement."""
        return _filled(self, sql) if "$" in sql else sql


@cache
def _filled(dialect: Dialect, sql: str) -> str:
    return Template(sql).substitute(dialect.words)


class Database(Protocol):
    """An open database. It runs whole functions on its connections, outside the event loop."""

    dialect: Dialect

    async def read(self, fn: Callable[[Conn], T]) -> T:
        """Run a function that only reads; it sees all earlier writes."""
        ...

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of one query."""
        ...

    async def write(self, fn: Callable[[Conn], T]) -> T:
        """Run a function in one transaction; if it raises, nothing it wrote is kept.

        The function may run again after a broken connection, so it must change nothing but the database. Once started
        it finishes, even if the caller is cancelled.
        """
        ...

    async def change(self, sql: str, values: Sequence[object]) -> int:
        """Run and commit one writing statement; return how many rows it changed."""
        ...


class Owners(Protocol):
    """The id of this store, proof that its process is alive, the fences of its runs, and which other stores live."""

    owner: str
    """A UUID's 32 hexadecimal digits."""
    fences: dict[str, int]
    """Run id → fence, for the runs of this process until they end."""

    def living(self, conn: Conn) -> Callable[[str | None], bool]:
        """Return a function that tells whether an owner's process is alive (None is not); asking disturbs no owner."""
        ...

    def lately_living(self, conn: Conn) -> Callable[[str | None], bool]:
        """As `living`, at less cost: one that was alive a second ago may count. For what readers are shown alone."""
        ...


def among(values: Collection[object]) -> str:
    """The right side of `IN` for these values, which may be none."""
    return f"({', '.join('?' * len(values))})" if values else "(SELECT '' WHERE 1 = 0)"
