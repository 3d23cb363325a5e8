"""`deepresearch-server store`: sets up the database in which several machines keep their runs."""

from pathlib import Path
from typing import Annotated

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, say
from deepresearch_mcp.cli.options import Json, Sets, database_of, settings_of


def migrate(*, json: Json = False, sets: Sets = None) -> None:
    """Update the tables of the database; every start does so too, if its database user may."""
    url = database_of(settings_of(sets))

    with lazy.postgres_errors.postgres_errors():
        applied = lazy.postgres_opening.migrate_database(url)
    if json:
        emit({"applied": applied})
    else:
        say(f"The tables are up to date now: {applied} changes." if applied else "The tables were up to date.")


def copy(
    *,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FOLDER", help="A data directory; default: the one in use.")
    ] = None,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Copy the runs, pages, collections and reports of a data directory into the database; it can be repeated."""
    settings = settings_of(sets)
    url = database_of(settings)

    def tell(done: int, of: int) -> None:
        if 0 < done < of and done % 50 == 0:
            say(f"{done} of {of} runs …", style="note")

    with lazy.postgres_errors.postgres_errors():
        lazy.postgres_opening.migrate_database(url)
        with lazy.postgres_connection.connect_postgres(url) as session:
            moved = lazy.moving.copy_file(source or settings.home, lazy.postgres_connection.PostgresConn(session), tell)
    if json:
        emit({"copied": moved.copied, "known": moved.known})
        return
    what = ", ".join(f"{count} {word}" for word, count in moved.copied.items()) or "nothing"
    known = f" {moved.known} runs were there already." if moved.known else ""
    say(f"Copied: {what}.{known}")
