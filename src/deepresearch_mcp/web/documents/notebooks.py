"""Reads Jupyter notebooks: text, code and printed results."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any, cast

from deepresearch_mcp.web.documents.finished import finished
from deepresearch_mcp.web.parsed import Parsed

_LONGEST_RESULT = 4_000
"""Characters of one result that are shown."""


def notebook_of(text: str) -> dict[str, Any] | None:
    """Return the notebook that a JSON text holds; None if it is none."""
    if '"nbformat"' not in text:
        return None
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(cast(dict[str, Any], found).get("cells"), list):
        return None
    return cast(dict[str, Any], found)


def parse_notebook(notebook: dict[str, Any], limit: int, today: date) -> Parsed:
    """Return the cells in order: Markdown as it is, code and its printed results as code blocks."""
    return finished("notebook", _blocks(notebook), limit, None, today)


def _blocks(notebook: dict[str, Any]) -> Iterator[str]:
    language = _mapping(_mapping(notebook.get("metadata")).get("language_info")).get("name")
    for cell in notebook["cells"]:
        found = _mapping(cell)
        source = _text(found.get("source")).strip()
        if found.get("cell_type") == "code" and source:
            yield f"```{language if isinstance(language, str) else ''}\n{source}\n```"
        elif source:
            yield source
        for output in _list(found.get("outputs")):
            words = _result(_mapping(output)).strip()
            if words:
                yield f"```\n{words[:_LONGEST_RESULT]}\n```"


def _result(output: dict[str, Any]) -> str:
    return _text(output.get("text")) or _text(_mapping(output.get("data")).get("text/plain"))


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(part for part in cast(list[object], value) if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else []
