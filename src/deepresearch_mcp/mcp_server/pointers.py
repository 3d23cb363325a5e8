"""What leads on from a result: links to resources, cursors to the next page, moments in one form."""

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mcp import types

from deepresearch_mcp.exceptions import InvalidRequest

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import RunRow


def links(run_id: str, question: str) -> list[types.ResourceLink]:
    """Where the whole report stands, for clients that read resources."""
    there = f"research://runs/{run_id}/report"
    about = about_of(question)
    return [
        types.ResourceLink(uri=there, name="report.md", title=f"Report: {about}", mime_type="text/markdown"),
        types.ResourceLink(
            uri=f"{there}.json",
            name="report.json",
            title=f"Report with claims, quotes and sources: {about}",
            mime_type="application/json",
        ),
    ]


def about_of(question: str) -> str:
    """A question as the name of what came of it: in one line, and of a long one the beginning."""
    line = " ".join(question.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


_TITLE = 100
"""Characters of a question in a title."""


def moment(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def write_cursor(row: "RunRow") -> str:
    """Where a page of runs ended, in a form that is for no reader."""
    return base64.urlsafe_b64encode(json.dumps([row.created, row.run_id]).encode()).decode().rstrip("=")


_LONGEST = 200
"""Characters of a cursor: a fourth of it is ours, and no parser is troubled by what is so short."""


def read_cursor(cursor: str) -> tuple[float, str]:
    """Where the page before ended.

    Raises:
        InvalidRequest: It is no cursor of ours.
    """
    try:
        if len(cursor) > _LONGEST:
            raise ValueError
        created, run_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        # Half a letter, which JSON can name, is none that a database takes.
        if not str(run_id).isascii():
            raise ValueError
        return float(created), str(run_id)
    except (binascii.Error, ValueError, TypeError, OverflowError):
        raise InvalidRequest(
            "The cursor is none that was given out.", "Take next_cursor as it stands, or leave it out."
        ) from None
