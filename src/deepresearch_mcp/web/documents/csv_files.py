"""Reads tables in text files: values between commas, semicolons or tabs."""

import csv
from collections.abc import Iterator

from deepresearch_mcp.web.documents.markdown_tables import markdown_table
from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.parsed import Parsed, unread_page

_SEPARATORS = ",;\t|"
_HEAD = 8_000
"""Characters from which the separator is told."""
_LONGEST_FIELD = 100_000


def parse_csv(text: str, limit: int) -> Parsed:
    """Return the rows as a Markdown table, at most `limit` characters; the first row holds the heads."""
    lines: list[str] = []
    length = 0
    whole = True
    for line in markdown_table(_rows(tidy(text))):
        length += len(line) + 1
        if length > limit:
            whole = False
            break
        lines.append(line)
    if not lines:
        return unread_page("empty", "The file holds no rows.")
    return {"kind": "csv", "text": "\n".join(lines), "flags": [] if whole else ["truncated"]}


def _rows(text: str) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(text.splitlines(), delimiter=separator_of(text[:_HEAD]))
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            # A field without end or of absurd length: its line is left out.
            continue
        if any(cell.strip() for cell in row):
            yield row


def separator_of(head: str) -> str:
    """Return the sign that stands equally often in most of the first lines; a comma if none does."""
    lines = [line for line in head.split("\n")[:20] if line.strip()]
    best, score = ",", 0.0
    for sign in _SEPARATORS:
        counts = [line.count(sign) for line in lines]
        usual = max(set(counts), key=counts.count, default=0)
        found = counts.count(usual) / len(counts) if usual else 0.0
        if found > score:
            best, score = sign, found
    return best
