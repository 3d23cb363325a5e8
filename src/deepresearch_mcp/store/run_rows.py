"""Rows of the table of runs, read and written."""

import json
from typing import Any

from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.sql import Rows

NEW = """
INSERT INTO runs(run_id, caller, question, request, fingerprint, status, stage, owner, fence, created, updated, setup,
  origin) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(run_id) DO NOTHING
"""
SELECT = """
SELECT run_id, caller, request, fingerprint, status, stage, owner, fence, cancel,
  created, updated, ended, error, progress, setup, origin, deaths, dying, handed
  FROM runs
"""


def rows_of(found: Rows, damaged: list[str] | None = None) -> list[RunRow]:
    """The runs that a statement which begins with `SELECT` found.

    One that cannot be read is left out, so that the others stay readable; its id goes into `damaged`.
    """
    names = [column[0] for column in found.description or ()]
    runs: list[RunRow] = []
    for row in found:
        fields = dict(zip(names, row, strict=True))
        try:
            for name in ("request", "error", "progress"):
                fields[name] = fields[name] and json.loads(fields[name])
            runs.append(RunRow.model_validate(fields))
        except ValueError:
            if damaged is not None:
                damaged.append(str(fields["run_id"]))
    return runs


def values_of(run: RunRow) -> tuple[object, ...]:
    """The values of a run for `NEW`."""
    return (
        *(run.run_id, run.caller, run.request.question.casefold(), to_json(run.request), run.fingerprint),
        *(run.status, run.stage, run.owner, run.fence, run.created, run.updated, run.setup, run.origin),
    )


def json_or_none(value: dict[str, Any] | None) -> str | None:
    """JSON of a value; None for None."""
    return None if value is None else to_json(value)


def escape_like(text: str) -> str:
    """A text that LIKE … ESCAPE '!' matches literally."""
    for special in "!%_":
        text = text.replace(special, "!" + special)
    return text
