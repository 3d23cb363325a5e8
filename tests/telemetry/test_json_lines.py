import json
import logging
import sys
from typing import Any

import pytest

from deepresearch_mcp.telemetry.json_lines import JsonLines
from deepresearch_mcp.telemetry.observing import within


def line(message: str, *, trace: Any = None) -> dict[str, Any]:
    record = logging.LogRecord("x", logging.INFO, "", 0, message, (), trace)
    text = JsonLines(["sk-planted", "a"]).format(record)
    assert "\n" not in text
    return json.loads(text)


def test_a_line_names_its_run_and_step() -> None:
    with within("r1", "read/q1"):
        found = line("two\nlines")
    assert (found["run_id"], found["step"], found["message"]) == ("r1", "read/q1", "two\nlines")
    assert "run_id" not in line("outside")


@pytest.mark.parametrize(
    "words",
    [
        "the key sk-planted failed",
        "Authorization: Bearer planted-token",
        "{'x-api-key': 'planted-token'}",
        "Cookie: id=planted-token; b=planted-token",
        "sent bearer planted-token",
        "to postgresql://ann:planted-token@db/x",
    ],
)
def test_no_secret_reaches_a_line(words: str) -> None:
    assert "planted" not in line(words)["message"]


def test_no_secret_reaches_the_trace_of_an_error() -> None:
    try:
        raise ValueError("sk-planted")
    except ValueError:
        found = line("failed", trace=sys.exc_info())
    assert "ValueError" in found["trace"]
    assert "planted" not in json.dumps(found)
